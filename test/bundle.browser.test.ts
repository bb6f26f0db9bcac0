/** `tidemark/graph` and `tidemark/rank`, bundled for a page: small, and they compute there what they compute here. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rollup } from "vite";
import { expect, it, onTestFinished } from "vitest";
import { generateGraph } from "../src/graph/index.ts";
import { pagerank, topPages } from "../src/rank/index.ts";
import { startBrowser } from "./support/browser.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
/** Inside the project, where the package is found by its own name. */
const ENTRY = join(root, "out", "bundle-entry.mjs");

async function bundled(): Promise<string> {
  mkdirSync(dirname(ENTRY), { recursive: true });
  writeFileSync(ENTRY, 'export * from "tidemark/graph"; export * from "tidemark/rank";');
  const result = await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: true, lib: { entry: ENTRY, formats: ["iife"], name: "tidemark", fileName: "x" } },
  });
  const [{ output }] = result as Rollup.RollupOutput[];
  return output[0].code;
}

it("graph and rank are less than 30 KB for a page, and run in it without shared memory", async () => {
  const code = await bundled();
  expect(gzipSync(code).length).toBeLessThan(30_000);
  expect(code).not.toMatch(/\brequire\(|__vite-browser-external/);
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.setContent("<title>bundle</title>");
  expect(await page.evaluate("typeof SharedArrayBuffer")).toBe("undefined");
  await page.addScriptTag({ content: code });
  const inPage = await page.evaluate(`(() => {
    const { graph, hosts } = tidemark.generateGraph({ pages: 2000, seed: 1 });
    const files = tidemark.encodeBv(graph);
    const { ranks } = tidemark.pagerank(tidemark.decodeBv(files));
    const names = tidemark.hostsOf(["http://b.example/1", "http://a.example/", "http://b.example/2"]).names;
    return { top: [...tidemark.topPages(ranks, 5)], rank: ranks[0], names };
  })()`);
  const { ranks } = pagerank(generateGraph({ pages: 2000, seed: 1 }).graph);
  expect(inPage).toEqual({ top: [...topPages(ranks, 5)], rank: ranks[0], names: ["b.example", "a.example"] });
});
