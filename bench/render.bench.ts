/**
 * Rendering: a site made by scripts through Chromium, which is killed again and again, with its memory and ours; and
 * how many pages of a plain site `auto` renders. Each crawl is a process of its own; the sites are served from here.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { plainSiteFile, scriptSiteFile } from "../src/lab/index.ts";
import type { RenderFigures, RenderTask } from "./crawl/render-figures.ts";

interface RenderBenchFigures {
  readonly scriptMade: RenderFigures;
  readonly plain: RenderFigures;
  /** Of the pages of the plain site, those that `auto` has rendered. */
  readonly plainShare: number;
}

export async function benchRender({ tiny }: { readonly tiny: boolean }): Promise<RenderBenchFigures> {
  const pages = tiny ? 20 : Number(process.env["TIDEMARK_BENCH_PAGES"] ?? 1_000);
  const about = { pages, fromPage: pages / 5 };
  const scriptMade = await crawled(scriptSiteFile, { ...about, render: "always", kills: tiny ? 1 : 20 });
  const plain = await crawled(plainSiteFile, { ...about, render: "auto", kills: 0 });
  return { scriptMade, plain, plainShare: plain.rendered / plain.pages };
}

async function crawled(site: typeof scriptSiteFile, task: Omit<RenderTask, "seed">): Promise<RenderFigures> {
  const server = createServer(({ url = "/" }, response) => {
    const file = site(url, task.pages);
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": file.type }).end(file.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const path = fileURLToPath(new URL("./crawl/render-child.js", import.meta.url));
  const whole: RenderTask = { ...task, seed: `http://127.0.0.1:${port}/` };
  try {
    const child = spawn(process.execPath, [path, JSON.stringify(whole)], { stdio: ["ignore", "pipe", "inherit"] });
    return JSON.parse(await text(child.stdout)) as RenderFigures;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
