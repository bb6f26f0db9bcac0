/**
 * A crawl of a raw socket server into WARC files: what the records hold is compared with the bytes that went over the
 * wire, and read by warcio, a reader that is not ours.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { crawlSettings, launchCrawl, openArchive, openFetcher } from "../../src/crawl/index.ts";
import type { SessionOptions } from "../../src/fetch/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { rawServer } from "../fetch/servers.ts";
import { expectIndexOfWarcio, indexedRecords, plainRecords } from "../store/warc-reading.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const zipped = gzipSync("zipped");

/** Paths of the site, and the bytes that it answers. */
const site = (port: number): Readonly<Record<string, string | Buffer>> => ({
  "/robots.txt": answer("200 Fine", ["X-Odd: 1", "x-odd: 2"], `Sitemap: http://127.0.0.1:${port}/map.txt\n`),
  "/map.txt": answer("200 OK", ["Content-Type: text/plain"], `http://127.0.0.1:${port}/listed\n`),
  "/": answer(
    "200 Ça va",
    ["SERVER: raw", "Set-Cookie: a=1", "Content-Type: text/html", "set-cookie: b=2", "Set-Cookie: a=1", "X-L: caf\xe9"],
    '<a href="/moved">1</a> <a href="/gone">2</a> <a href="/zipped">3</a> <a href="/short">4</a>',
  ),
  "/moved": answer("302 Elsewhere", ["LOCATION: /target"], "moved"),
  "/target": answer("200 ", ["Content-Type: text/html"], "target"),
  "/listed": answer("200 OK", ["Content-Type: text/html"], "listed"),
  "/gone": answer("410 Gone fishing", ["Content-Type: text/html"], "gone"),
  "/zipped": Buffer.concat([
    head("200 OK", ["Content-ENCODING: gzip", `Content-Length: ${zipped.length}`, "Content-Type: text/html"]),
    zipped,
  ]),
  "/short": Buffer.concat([head("200 OK", ["Content-Length: 99", "Content-Type: text/html"]), Buffer.from("short")]),
});

const CHANGED = new Set(["/zipped", "/short"]);

describe("the archive of a crawl", () => {
  it("has every response byte by byte as the server sent it, and every request as the server got it", async () => {
    const { dir, sent, got } = await crawled("all");
    const records = indexedRecords(dir).map(({ head, block }) => [pathIn(head), block.toString("latin1")] as const);
    expect(records.map(([path]) => path).sort()).toEqual(Object.keys(sent).sort());
    for (const [path, block] of records) {
      if (!CHANGED.has(path)) expect(block).toBe(Buffer.from(sent[path]).toString("latin1"));
    }
    const file = gunzipSync(readFileSync(join(dir, "warc", "tidemark-00001.warc.gz")));
    const requests = plainRecords(file).filter(({ head }) => head.includes("WARC-Type: request\r\n"));
    expect(requests.map(({ block }) => block.toString("latin1")).sort()).toEqual([...got].sort());
    await expectIndexOfWarcio(dir);
  });

  it("renames headers that are not true of the body as stored, where they stand", async () => {
    const { dir } = await crawled("all");
    const blocks = new Map(indexedRecords(dir).map(({ head, block }) => [pathIn(head), block.toString("latin1")]));
    expect(blocks.get("/zipped")).toBe(
      `HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-ENCODING: gzip\r\nX-Archive-Orig-Content-Length: ${zipped.length}\r\n` +
        "Content-Type: text/html\r\nConnection: close\r\nContent-Length: 6\r\n\r\nzipped",
    );
    expect(blocks.get("/short")).toBe(
      "HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Length: 99\r\nContent-Type: text/html\r\nConnection: close\r\n" +
        "Content-Length: 5\r\n\r\nshort",
    );
    const truncated = indexedRecords(dir).map(({ head }) => [pathIn(head), /^WARC-Truncated: (.*)$/m.exec(head)?.[1]]);
    expect(truncated.filter(([, why]) => why !== undefined)).toEqual([["/short", "disconnect"]]);
  });

  it("withholds what a session sends and gets, and its records say so", async () => {
    const secrets = (origin: string): SessionOptions => ({
      headers: [{ origin, headers: [["accept", "x/hunter2"]] }],
      credentials: [{ origin, user: "me", secret: "hunter2" }],
      keepsCookies: true,
    });
    const { dir, sent, got } = await crawled("all", secrets);
    expect(got.every((request) => request.includes("hunter2") && request.includes("authorization: Basic "))).toBe(true);
    expect(got.some((request) => request.includes("cookie: a=1; b=2"))).toBe(true);
    const file = gunzipSync(readFileSync(join(dir, "warc", "tidemark-00001.warc.gz")));
    const records = plainRecords(file).map(({ head, block }) => ({
      type: /^WARC-Type: (.*)$/m.exec(head)?.[1],
      withheld: /^WARC-Tidemark-Withheld: (.*)$/m.exec(head)?.[1],
      text: block.toString("latin1"),
    }));
    const requests = records.filter(({ type }) => type === "request");
    expect(requests).toHaveLength(got.length);
    for (const { withheld, text } of requests) {
      expect(withheld).toMatch(/^accept, authorization(, cookie)?$/);
      expect(text).not.toMatch(/hunter2|^accept:|^authorization|^cookie/im);
    }
    const responses = records.filter(({ type }) => type === "response");
    expect(responses.flatMap(({ withheld }) => withheld ?? [])).toEqual(["set-cookie"]);
    const front = Buffer.from(sent["/"]).toString("latin1");
    const blank = front.replaceAll(/^(set-cookie:) [^\r]*/gim, "$1 ");
    expect(responses.map(({ text }) => text)).toContain(blank);
    await expectIndexOfWarcio(dir);
  });

  it("has pages alone where that is asked for", async () => {
    const { dir } = await crawled("pages");
    const paths = indexedRecords(dir).map(({ head }) => pathIn(head));
    expect(paths.sort()).toEqual(["/", "/listed", "/short", "/target", "/zipped"]);
  });
});

async function crawled(
  warcRecords: "all" | "pages",
  sessions: (origin: string) => SessionOptions = () => ({}),
): Promise<{
  readonly dir: string;
  readonly sent: Readonly<Record<string, string | Buffer>>;
  readonly got: readonly string[];
}> {
  const got: string[] = [];
  let sent: Readonly<Record<string, string | Buffer>> = {};
  const port = await rawServer((socket, request) => {
    got.push(request);
    socket.end(sent[request.split(" ")[1]] ?? answer("404 Not Found", [], ""));
  });
  sent = site(port);
  const settings = crawlSettings({
    urls: [`http://127.0.0.1:${port}/`],
    delay: 0,
    allowPrivate: true,
    warc: true,
    warcRecords,
  });
  const dir = temporaryDirectory();
  const store = createCrawl(dir, JSON.stringify(settings));
  const fetcher = openFetcher(settings.network, 1, undefined, sessions(`http://127.0.0.1:${port}`));
  const archive = openArchive(dir, store, settings.network);
  const crawl = await launchCrawl({ settings, store, fetcher, archive, readers: 0 });
  expect((await crawl.run()).reason).toBe("frontier-empty");
  store.close();
  await fetcher.close();
  return { dir, sent, got };
}

function pathIn(head: string): string {
  return new URL(/^WARC-Target-URI: (.*)$/m.exec(head)?.[1] ?? "").pathname;
}

/** The reason is UTF-8, headers are bytes. */
function head(status: string, headers: readonly string[]): Buffer {
  const lines = [...headers, "Connection: close"].map((line) => `${line}\r\n`).join("");
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n`), Buffer.from(`${lines}\r\n`, "latin1")]);
}

function answer(status: string, headers: readonly string[], body: string): Buffer {
  return Buffer.concat([head(status, [...headers, `Content-Length: ${Buffer.byteLength(body)}`]), Buffer.from(body)]);
}
