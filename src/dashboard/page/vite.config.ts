/** Builds the dashboard's page into a few files that the server holds by name; no source map, no hash of a folder outside. */
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** The page takes words and numbers from `base`, of which one file is about threads of Node: a browser starts none. */
const withoutThreads: Plugin = {
  name: "without-threads",
  enforce: "pre",
  load: (id) =>
    id.endsWith("/src/base/compiled-entry.ts") ? "export const compiledEntry = undefined;" : undefined,
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [withoutThreads],
  build: {
    outDir: fileURLToPath(new URL("../../../dist/dashboard/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    // A policy without inline data: whatever is small stays a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
