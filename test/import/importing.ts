/** Imports for tests: files made in place, and what the directory then says, by URL. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { certifyLog } from "../../src/crawl/index.ts";
import { importCrawl, type ImportOptions, type ImportResult } from "../../src/import/index.ts";
import { openCrawlReadOnly } from "../../src/store/index.ts";
import { type Fate, fatesIn } from "../support/inline-web.ts";
import { temporaryDirectory } from "../support/temporary.ts";

export interface Imported {
  readonly dir: string;
  readonly result: ImportResult;
  readonly coverage: number;
  readonly fates: ReadonlyMap<string, Fate>;
  /** "downloaded", "links-unknown", by URL. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** The URLs that a page links to, sorted. */
  linksOf(url: string): readonly string[];
  /** All URLs, without sinks. */
  readonly known: ReadonlySet<string>;
}

export async function importFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  const folder = temporaryDirectory();
  const paths = Object.entries(files).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  });
  const out = join(folder, "imported");
  const result = await importCrawl({ paths, out, ...options });
  return { dir: out, result, ...readDirectory(out) };
}

/** What a crawl directory says. */
export function readDirectory(dir: string): Omit<Imported, "dir" | "result"> {
  const store = openCrawlReadOnly(dir);
  try {
    const origins = [...store.origins()];
    const urls = Array.from(store.urls(), ({ origin, path }) => `${origins[origin]}${path ?? ""}`);
    const sinks = new Set(Array.from(store.urls()).flatMap(({ path, id }) => (path === null ? [id] : [])));
    const fates = fatesIn(store);
    return {
      coverage: certifyLog(store).certificate.coverage,
      fates,
      outcomes: Object.fromEntries(Array.from(fates, ([url, { outcome }]) => [url, outcome])),
      linksOf: (url) => Array.from(fates.get(url)?.links ?? [], (id) => urls[id]).sort(),
      known: new Set(urls.filter((_, id) => !sinks.has(id))),
    };
  } finally {
    store.close();
  }
}

export interface RecordParts {
  readonly type?: string;
  readonly url: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
}

/** A WARC record, not compressed. */
export function warcRecord({
  type = "response",
  url,
  status = 200,
  headers,
  body = "",
  fields = {},
}: RecordParts): Buffer {
  const given = headers ?? { "Content-Type": "text/html; charset=utf-8" };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  const block = Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} Fine\r\n${lines.join("")}\r\n`, "latin1"),
    Buffer.from(body as string),
  ]);
  return rawRecord(
    { "WARC-Type": type, "WARC-Target-URI": url, "WARC-Date": "2026-01-02T03:04:05Z", ...fields },
    block,
  );
}

export function rawRecord(fields: Readonly<Record<string, string>>, block: Uint8Array): Buffer {
  const head = Object.entries({ ...fields, "Content-Length": String(block.length) })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  return Buffer.concat([Buffer.from(`WARC/1.0\r\n${head}\r\n`), block, Buffer.from("\r\n\r\n")]);
}
