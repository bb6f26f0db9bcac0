/**
 * Importing and certifying other people's crawls: a WARC file of 10,000 pages of documentation (Debian packages, one
 * site each), compared with warcio, which reads the same records and does nothing else; and a host graph of ten million
 * arcs, generated, in the format of Common Crawl.
 */
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGzip, gzipSync } from "node:zlib";
import { WARCParser } from "warcio";
import { certifyLog } from "../src/crawl/index.ts";
import { generateGraph, type Graph } from "../src/graph/index.ts";
import { importCrawl, type ImportOptions } from "../src/import/index.ts";
import { openCrawlReadOnly } from "../src/store/index.ts";
import { type DocumentationSite, documentationSites } from "./crawl/documentation.ts";
import { generatedSites } from "./crawl/generated-sites.ts";

const PACKAGES = (
  "python3.11-doc python-django-doc python-sqlalchemy-doc postgresql-doc-15 cmake-doc nim-doc ant-doc ffmpeg-doc " +
  "dbus-1-doc cppreference-doc-en-html"
).split(" ");
const PAGES = 10_000;
const ARCS = 10_000_000;
const DEGREE = 15.6;

interface Timed {
  /** Wall time. */
  readonly seconds: number;
  readonly cpuSeconds: number;
}

interface ArchiveFigures {
  readonly pages: number;
  readonly sites: number;
  readonly megabytes: number;
  readonly packedMegabytes: number;
  readonly importing: Timed & { readonly pagesPerSecond: number };
  /** With `--store none`. */
  readonly withoutText: Timed & { readonly pagesPerSecond: number };
  readonly certifying: Timed;
  readonly coverage: number;
  readonly warcio: Timed & { readonly pagesPerSecond: number };
  /** How many times the CPU time of warcio importing takes. */
  readonly ratio: number;
}

interface GraphFigures {
  readonly hosts: number;
  readonly arcs: number;
  readonly importing: Timed;
  readonly certifying: Timed;
  readonly coverage: number;
  readonly peakMegabytes: number;
}

export async function benchImport({ tiny }: { readonly tiny: boolean }): Promise<{
  readonly archive: ArchiveFigures;
  readonly hostGraph: GraphFigures;
}> {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-import-"));
  try {
    const sites = tiny ? generatedSites(join(dir, "sites")) : documentationSites(PACKAGES);
    const archive = await benchArchive(sites, dir);
    const hostGraph = await benchGraph(tiny ? 10_000 : ARCS, dir);
    return { archive, hostGraph };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function benchArchive(sites: readonly DocumentationSite[], dir: string): Promise<ArchiveFigures> {
  const path = join(dir, "pages.warc.gz");
  const { pages, bytes } = await writeArchive(sites, path);
  const seeds = sites.map((site) => `http://${site.name}.docs.test/${frontOf(site)}`);
  const common: Omit<ImportOptions, "out"> = { paths: [path], seeds };
  const importing = await timed(() => importCrawl({ ...common, out: join(dir, "whole") }));
  const withoutText = await timed(() => importCrawl({ ...common, out: join(dir, "bare"), settings: { store: [] } }));
  const certifying = await timed(async () => certified(join(dir, "whole")));
  const warcio = await timed(() => readWithWarcio(path));
  const rate = ({ seconds }: Timed): number => pages / seconds;
  return {
    pages,
    sites: sites.length,
    megabytes: bytes / 1e6,
    packedMegabytes: statSync(path).size / 1e6,
    importing: { ...importing.time, pagesPerSecond: rate(importing.time) },
    withoutText: { ...withoutText.time, pagesPerSecond: rate(withoutText.time) },
    certifying: certifying.time,
    coverage: certifying.result,
    warcio: { ...warcio.time, pagesPerSecond: rate(warcio.time) },
    ratio: importing.time.cpuSeconds / warcio.time.cpuSeconds,
  };
}

function frontOf({ pages }: DocumentationSite): string {
  return ["index.html", "contents.html"].find((page) => pages.includes(page)) ?? pages[0];
}

/** A gzip member per record, as archives have. Sites take turns, so that each has a part. */
async function writeArchive(
  sites: readonly DocumentationSite[],
  path: string,
): Promise<{ readonly pages: number; readonly bytes: number }> {
  const out = createWriteStream(path);
  const ordered = sites.map((site) => [frontOf(site), ...site.pages.filter((page) => page !== frontOf(site))]);
  let [pages, bytes] = [0, 0];
  for (let k = 0; pages < PAGES; k++) {
    const left = [...sites.entries()].filter(([, site]) => k < site.pages.length);
    if (left.length === 0) break;
    for (const [which, site] of left.slice(0, PAGES - pages)) {
      const page = ordered[which][k];
      const body = readFileSync(join(site.root, page));
      if (!out.write(gzipSync(record(`http://${site.name}.docs.test/${encodeURI(page)}`, body))))
        await once(out, "drain");
      pages++;
      bytes += body.length;
    }
  }
  out.end();
  await once(out, "finish");
  return { pages, bytes };
}

function record(url: string, body: Uint8Array): Buffer {
  const http = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`;
  const head =
    `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n` +
    `Content-Type: application/http; msgtype=response\r\nContent-Length: ${http.length + body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head + http), body, Buffer.from("\r\n\r\n")]);
}

async function readWithWarcio(path: string): Promise<number> {
  let bytes = 0;
  for await (const each of new WARCParser(createReadStream(path))) bytes += (await each.readFully(true)).length;
  return bytes;
}

async function benchGraph(arcs: number, dir: string): Promise<GraphFigures> {
  const { graph } = generateGraph({ pages: Math.round(arcs / DEGREE), seed: 1, averageDegree: DEGREE });
  const [vertices, edges] = [join(dir, "vertices.txt.gz"), join(dir, "edges.txt.gz")];
  await writeGraph(graph, vertices, edges);
  const out = join(dir, "graph");
  const importing = await timed(() => importCrawl({ paths: [vertices, edges], out, linksComplete: true }));
  const certifying = await timed(async () => certified(out));
  return {
    hosts: graph.pages,
    arcs: graph.arcs,
    importing: importing.time,
    certifying: certifying.time,
    coverage: certifying.result,
    peakMegabytes: process.resourceUsage().maxRSS / 1000,
  };
}

async function writeGraph({ pages, offsets, targets }: Graph, vertices: string, edges: string): Promise<void> {
  await gzipped(vertices, function* () {
    for (let host = 0; host < pages; host++) yield `${host}\tcom.site${host % 1000}.host${host}\n`;
  });
  await gzipped(edges, function* () {
    for (let host = 0; host < pages; host++) {
      for (let arc = offsets[host]; arc < offsets[host + 1]; arc++) yield `${host}\t${targets[arc]}\n`;
    }
  });
}

async function gzipped(path: string, lines: () => Iterable<string>): Promise<void> {
  const gzip = createGzip({ level: 1 });
  const out = gzip.pipe(createWriteStream(path));
  let some = "";
  for (const line of lines()) {
    some += line;
    if (some.length < 1 << 20) continue;
    if (!gzip.write(some)) await once(gzip, "drain");
    some = "";
  }
  gzip.end(some);
  await once(out, "finish");
}

function certified(dir: string): number {
  const store = openCrawlReadOnly(dir);
  const { coverage } = certifyLog(store).certificate;
  store.close();
  return coverage;
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly time: Timed }> {
  const startMs = performance.now();
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  return { result, time: { seconds: (performance.now() - startMs) / 1000, cpuSeconds: (user + system) / 1e6 } };
}
