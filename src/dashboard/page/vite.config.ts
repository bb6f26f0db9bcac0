/** Builds the dashboard's page into a few files that the server serves by name. */
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** The page imports from `base`, where a few files use threads and files of Node. A browser has none. */
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
    // The content security policy allows no inline data, so small assets stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
