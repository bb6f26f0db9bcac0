/** Builds the dashboard's page into a few files that the server serves by name. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  build: {
    outDir: fileURLToPath(new URL("../../../dist/dashboard/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    // The content security policy allows no inline data, so small assets stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
