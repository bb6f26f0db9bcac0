/** Builds the dashboard's page into a few files that the server holds by name; no source map, no hash of a folder outside. */
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** The page takes words and numbers from `base`, of which a few files are about threads and files of Node: a browser has none. */
const withoutNode: Plugin = {
  name: "without-node",
  enforce: "pre",
  transform(code, id) {
    if (!id.includes("/src/base/") || !code.includes('from "node:')) return undefined;
    const names = [...code.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)];
    return { code: names.map(([, name]) => `export const ${name} = undefined;`).join("\n"), map: null };
  },
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [withoutNode],
  build: {
    outDir: fileURLToPath(new URL("../../../dist/dashboard/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    // A policy without inline data: whatever is small stays a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
