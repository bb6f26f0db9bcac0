/**
 * What is kept is read back by warcio, a reader that is not ours, record by record: bodies, digests, revisits, index.
 */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { assert, describe, expect, it } from "vitest";
import { createCrawl, openWarc, openCrawl, restartCrawl, type SqliteStore, WarcReader } from "../../src/store/index.ts";
import { mergeIndex } from "../../src/store/cdxj.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { exchange, expectIndexOfWarcio, indexedRecords, readAll } from "./warc-reading.ts";

const SOFTWARE = { software: "tidemark/0.0" };

describe("an archive", () => {
  it("is read back whole by warcio: 300 of 300, with the digests of their bodies", async () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const archive = openWarc(dir, store, { ...SOFTWARE, fileBytesMax: 30_000 });
    for (let i = 0; i < 300; i++) archive.keep(exchange(i));
    store.close();
    const records = await readAll(dir);
    const files = readdirSync(join(dir, "warc"));
    expect(files.length).toBeGreaterThan(3);
    expect(files.slice(0, 2)).toEqual(["index.cdxj", "tidemark-00001.warc.gz"]);
    expect(records.filter(({ type }) => type === "warcinfo")).toHaveLength(files.length - 1);
    const responses = records.filter(({ type }) => type === "response");
    expect(responses).toHaveLength(300);
    expect(records.filter(({ type }) => type === "request")).toHaveLength(300);
    for (const [i, record] of responses.entries()) {
      const kept = exchange(i);
      expect(record.url).toBe(kept.url);
      expect(record.payload.equals(kept.body)).toBe(true);
      expect(record.header("WARC-Payload-Digest")).toBe(`sha1:${base32(kept.body)}`);
      expect(record.header("WARC-Date")).toBe(new Date(kept.dateMs).toISOString());
      expect(record.header("WARC-IP-Address")).toBe("192.0.2.7");
    }
    expect(new Set(records.map(({ header }) => header("WARC-Record-ID"))).size).toBe(records.length);
    expect(blockDigestsThatFit(dir)).toBe(300);
  });

  it("is read back by our own reader, which finds the bodies by the index", () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const archive = openWarc(dir, store, { ...SOFTWARE, fileBytesMax: 100_000 });
    for (let i = 0; i < 300; i++) archive.keep(exchange(i));
    store.close();
    const reader = new WarcReader(dir);
    const bodies = new Map(Array.from(reader.entries(), (entry) => [entry.url, { entry, ...reader.body(entry) }]));
    expect(bodies.size).toBe(300);
    for (let i = 0; i < 300; i++) {
      const { url, body, dateMs, status } = exchange(i);
      const read = bodies.get(url);
      expect(Buffer.from(read?.body ?? []).equals(body)).toBe(true);
      expect(read?.entry).toMatchObject({ status, dateMs: 1000 * Math.floor(dateMs / 1000) });
    }
    expect([...new WarcReader(temporaryDirectory()).entries()]).toEqual([]);
  });

  it("has the body of a revisit, with headers of its own", () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const archive = openWarc(dir, store, SOFTWARE);
    const first = exchange(1);
    archive.keep(first);
    archive.keep({ ...first, url: "http://other.example/", headers: { "content-type": "text/css" } });
    store.close();
    const reader = new WarcReader(dir);
    const revisit = [...reader.entries()].find(({ mime }) => mime === "warc/revisit");
    assert(revisit !== undefined);
    const { url, contentType, body } = reader.body(revisit) ?? expect.fail("no body");
    expect({ url, contentType }).toEqual({ url: "http://other.example/", contentType: "text/css" });
    expect(Buffer.from(body).equals(first.body)).toBe(true);
  });

  it("has nothing of a crawl that was started anew", () => {
    const dir = temporaryDirectory();
    const first = createCrawl(dir, "{}");
    openWarc(dir, first, SOFTWARE).keep(exchange(1));
    first.close();
    const second = restartCrawl(dir, "{}");
    openWarc(dir, second, SOFTWARE).keep(exchange(2));
    second.close();
    expect(Array.from(new WarcReader(dir).entries(), ({ url }) => url)).toEqual([exchange(2).url]);
  });

  it("states the length of the body as kept, and what the wire said under another name", async () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const { body } = exchange(5);
    openWarc(dir, store, SOFTWARE).keep(exchange(5));
    store.close();
    const [info, response, request] = await readAll(dir);
    expect(info.type).toBe("warcinfo");
    expect(response.status).toBe(200);
    expect(response.http("content-length")).toBe(String(body.length));
    expect(response.http("x-archive-orig-content-length")).toBe("17");
    expect(response.http("x-archive-orig-content-encoding")).toBe("gzip");
    expect(response.http("content-encoding")).toBeNull();
    expect(request.header("WARC-Concurrent-To")).toBe(response.header("WARC-Record-ID"));
    expect(request.http("host")).toBe("www.example.com");
  });

  it("keeps a body once: the second time it refers to the first", async () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const archive = openWarc(dir, store, SOFTWARE);
    const body = new TextEncoder().encode("same");
    archive.keep(exchange(1, { body }));
    archive.keep(exchange(2, { body }));
    archive.keep(exchange(3, { body, truncated: true }));
    archive.keep(exchange(4, { body: new Uint8Array() }));
    archive.keep(exchange(5, { body: new Uint8Array() }));
    store.close();
    const records = (await readAll(dir)).filter(({ type }) => type === "response" || type === "revisit");
    expect(records.map(({ type }) => type)).toEqual(["response", "revisit", "response", "response", "response"]);
    const [first, second, third] = records;
    expect(second.header("WARC-Profile")).toBe("http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
    expect(second.header("WARC-Refers-To")).toBe(first.header("WARC-Record-ID"));
    expect(second.header("WARC-Refers-To-Target-URI")).toBe(first.url);
    expect(second.header("WARC-Refers-To-Date")).toBe(first.header("WARC-Date"));
    expect(second.header("WARC-Payload-Digest")).toBe(first.header("WARC-Payload-Digest"));
    expect(second.payload).toHaveLength(0);
    expect(third.header("WARC-Truncated")).toBe("unspecified");
    expect(first.header("WARC-Truncated")).toBeNull();
  });

  it("remembers the latest bodies, up to its bound", async () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const archive = openWarc(dir, store, { ...SOFTWARE, rememberedMax: 2 });
    const bodies = ["a", "b", "a", "b", "c", "b", "a"].map((text) => new TextEncoder().encode(text));
    for (const [i, body] of bodies.entries()) archive.keep(exchange(i, { body }));
    store.close();
    const types = (await readAll(dir))
      .map(({ type }) => type)
      .filter((type) => type.startsWith("re") && type !== "request");
    // The third body pushes out the first.
    expect(types).toEqual(["response", "response", "revisit", "revisit", "response", "revisit", "response"]);
  });

  it("cannot be made to forge a header or a record", async () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const evil = "x\r\nWARC-Type: forged\r\n\r\nWARC/1.1\r\n";
    const headers = { "x-evil": evil, "x-latin": "caf\xe9", "content-type": evil };
    openWarc(dir, store, SOFTWARE).keep(exchange(1, { headers, address: evil, status: 299 }));
    store.close();
    const records = await readAll(dir);
    expect(records.map(({ type }) => type)).toEqual(["warcinfo", "response", "request"]);
    expect(records[1].status).toBe(299);
    expect(records[1].header("WARC-IP-Address")).toBeNull();
    expect(readFileSync(join(dir, "warc", "index.cdxj"), "utf8").split("\n")).toHaveLength(2);
  });
});

describe("after a crash an archive", () => {
  it("holds what was committed, whole, and can be continued", async () => {
    const dir = temporaryDirectory();
    const left = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const options = { ...SOFTWARE, fileBytesMax: 3000 };
    const archive = openWarc(dir, store, options);
    for (let i = 0; i < 20; i++) archive.keep(exchange(i));
    store.commit();
    for (let i = 20; i < 40; i++) archive.keep(exchange(i));
    copyAsKilled(dir, left);
    store.close();
    const names = readdirSync(join(left, "warc")).filter((name) => name.endsWith(".gz"));
    truncateSync(join(left, "warc", names[names.length - 1]), 100);

    const again = openCrawl(left);
    const resumed = openWarc(left, again, options);
    expect((await readAll(left)).filter(({ type }) => type === "response")).toHaveLength(20);
    for (let i = 20; i < 40; i++) resumed.keep(exchange(i));
    again.close();
    const responses = (await readAll(left)).filter(({ type }) => type === "response");
    expect(responses.map(({ url }) => url)).toEqual(Array.from({ length: 40 }, (_, i) => exchange(i).url));
    await expectIndexOfWarcio(left);
  });

  it("holds nothing where nothing was committed", async () => {
    const dir = temporaryDirectory();
    const left = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    openWarc(dir, store, SOFTWARE).keep(exchange(1));
    copyAsKilled(dir, left);
    store.close();
    const again = openCrawl(left);
    openWarc(left, again, SOFTWARE);
    expect(await readAll(left)).toEqual([]);
    again.close();
  });

  it("is not taken for whole when committed bytes are missing", () => {
    const dir = temporaryDirectory();
    let store = createCrawl(dir, "{}");
    openWarc(dir, store, SOFTWARE).keep(exchange(1));
    store.close();
    truncateSync(join(dir, "warc", "tidemark-00001.warc.gz"), 50);
    store = openCrawl(dir);
    expect(() => openWarc(dir, store, SOFTWARE)).toThrow("has 50 bytes, but");
    store.close();
  });
});

describe("the index", () => {
  it("is the one that warcio makes, sorted, over several runs of a crawl", async () => {
    const dir = temporaryDirectory();
    let store = createCrawl(dir, "{}");
    for (let run = 0; run < 3; run++) {
      keepSome(dir, store, run);
      store.close();
      await expectIndexOfWarcio(dir);
      store = openCrawl(dir);
    }
    store.close();
    await expectIndexOfWarcio(dir);
  });

  it("is made again where the part of it that was not merged was lost", async () => {
    const dir = temporaryDirectory();
    const left = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    keepSome(dir, store, 0);
    store.commit();
    copyAsKilled(dir, left);
    store.close();
    rmSync(join(left, "warc", "index.cdxj.part"));
    const again = openCrawl(left);
    openWarc(left, again, SOFTWARE);
    again.close();
    expect(readFileSync(join(left, "warc", "index.cdxj"), "utf8")).toBe(
      readFileSync(join(dir, "warc", "index.cdxj"), "utf8"),
    );
  });

  it("is made again where an older version made it, with keys of its own", () => {
    const dir = temporaryDirectory();
    let store = createCrawl(dir, "{}");
    keepSome(dir, store, 0);
    store.close();
    const path = join(dir, "warc", "index.cdxj");
    const whole = readFileSync(path, "utf8");
    writeFileSync(path, whole.replaceAll("com,example)", "com,old)"));
    store = openCrawl(dir);
    const { keys: _, ...older } = JSON.parse(store.meta("warc") ?? "") as Record<string, unknown>;
    store.putMeta("warc", JSON.stringify(older));
    openWarc(dir, store, SOFTWARE);
    store.close();
    expect(readFileSync(path, "utf8")).toBe(whole);
  });

  it("is made again where it was lost", async () => {
    const dir = temporaryDirectory();
    let store = createCrawl(dir, "{}");
    keepSome(dir, store, 0);
    store.close();
    const whole = readFileSync(join(dir, "warc", "index.cdxj"), "utf8");
    rmSync(join(dir, "warc", "index.cdxj"));
    store = openCrawl(dir);
    openWarc(dir, store, SOFTWARE);
    store.close();
    expect(readFileSync(join(dir, "warc", "index.cdxj"), "utf8")).toBe(whole);
  });

  it("is merged in runs that need not fit in memory, each line once", () => {
    const dir = temporaryDirectory();
    mkdirSync(dir, { recursive: true });
    const path = join(dir, "index.cdxj");
    const lines = Array.from({ length: 500 }, (_, i) => `com,example)/${(i * 7919) % 500} 2020 {}`);
    appendFileSync(path, `${lines.slice(0, 100).sort().join("\n")}\n`);
    appendFileSync(`${path}.part`, `${lines.slice(50).join("\n")}\n`);
    mergeIndex(path, `${path}.part`, 1000);
    expect(readFileSync(path, "utf8")).toBe(`${[...lines].sort().join("\n")}\n`);
    expect(readdirSync(dir)).toEqual(["index.cdxj", "index.cdxj.part"]);
  });
});

function keepSome(dir: string, store: SqliteStore, run: number): void {
  const archive = openWarc(dir, store, { ...SOFTWARE, fileBytesMax: 5000 });
  for (let i = 0; i < 30; i++) {
    const number = (i * 17 + run) % 90;
    const change = i % 4 === 0 ? { body: new TextEncoder().encode("same") } : {};
    archive.keep(exchange(number, { ...change, dateMs: 1_700_000_000_000 + 100_000 * run + i }));
    if (i % 7 === 0) store.commit();
  }
}

/** Responses whose block has the stated digest. */
function blockDigestsThatFit(dir: string): number {
  return indexedRecords(dir).filter(({ head, block }) => head.includes(`WARC-Block-Digest: sha1:${base32(block)}`))
    .length;
}

function copyAsKilled(from: string, to: string): void {
  for (const name of ["crawl.sqlite", "crawl.sqlite-wal", "warc"]) {
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
}

/** By a second method: digits of one large number. */
function base32(body: Uint8Array): string {
  const hex = createHash("sha1").update(body).digest("hex");
  return BigInt(`0x${hex}`)
    .toString(32)
    .padStart(32, "0")
    .replace(/[0-9a-v]/g, (digit) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(digit, 32)]);
}
