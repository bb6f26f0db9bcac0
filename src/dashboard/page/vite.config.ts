/** Builds the dashboard's page into a few files that the server holds by name; no source map, no hash of a folder outside. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  build: {
    outDir: fileURLToPath(new URL("../../../dist/dashboard/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    // A policy without inline data: whatever is small stays a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
