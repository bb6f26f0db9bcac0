/** Files that are damaged, cut short, hostile or of another shape. */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { importCrawl } from "../../src/import/index.ts";
import { payloadDigest } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { importFiles, rawRecord, warcRecord } from "./importing.ts";

const A = "https://a.example/";
const records = [0, 1, 2, 3].map((n) => warcRecord({ url: `${A}${n}`, body: `<p>${"text ".repeat(50)}${n}` }));
const members = records.map((record) => gzipSync(record));
const startOf = (k: number): number => members.slice(0, k).reduce((sum, { length }) => sum + length, 0);

describe("a damaged WARC file", () => {
  it("that is cut off is imported up to there, and the damage is told", async () => {
    const packed = Buffer.concat(members);
    const cut = packed.subarray(0, startOf(3) + 40);
    const { outcomes, result } = await importFiles({ "a.warc.gz": cut }, { seeds: [A] });
    expect(Object.keys(outcomes)).toEqual([`${A}0`, `${A}1`, `${A}2`]);
    expect(result.damages.map(({ message }) => message)).toEqual([
      expect.stringContaining(`at byte ${cut.length}: the file ends in the middle of gzipped data`),
    ]);
    const plain = Buffer.concat(records).subarray(0, -100);
    const { result: second } = await importFiles({ "a.warc": plain }, { seeds: [A] });
    const start = Buffer.concat(records.slice(0, 3)).length;
    expect(second.damages[0].message).toContain(`at byte ${start}: the file ends in the middle of a record`);
    expect(second.counts.taken).toBe(3);
  });

  it("with a wrong byte is imported up to there; the next file is read all the same", async () => {
    for (const offset of [20, members[2].length - 6]) {
      const packed = Buffer.concat(members);
      packed[startOf(2) + offset] ^= 0xff;
      const other = gzipSync(warcRecord({ url: `${A}other`, body: "other" }));
      const { outcomes, result } = await importFiles({ "a.warc.gz": packed, "b.warc.gz": other }, { seeds: [A] });
      expect(Object.keys(outcomes)).toEqual([`${A}0`, `${A}1`, `${A}other`]);
      expect(result.damages).toHaveLength(1);
      expect(result.damages[0].message).toMatch(/a\.warc\.gz: at byte \d+: the (checksum of the )?gzipped data is/);
    }
  });

  it("whose records no longer have their digests is not believed", async () => {
    const block = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href="/real">');
    const fields = { "WARC-Type": "response", "WARC-Target-URI": A, "WARC-Block-Digest": payloadDigest(block) };
    const whole = rawRecord(fields, block);
    const { linksOf } = await importFiles({ "a.warc": whole }, { seeds: [A] });
    expect(linksOf(A)).toEqual([`${A}real`]);
    const changed = Buffer.from(whole.toString("latin1").replace("/real", "/fake"), "latin1");
    for (const file of [changed, gzipSync(Buffer.concat([changed, Buffer.alloc(40 << 20, "\r\n")]))]) {
      const { outcomes, result } = await importFiles({ "a.warc": file }, { seeds: [A] });
      expect(outcomes).toEqual({});
      expect(result.damages[0].message).toContain("does not have the digest");
    }
  });

  it("that is no WARC file at its beginning, or after its first record, says so", async () => {
    await expect(importFiles({ "a.warc": "nothing of the kind" })).rejects.toThrow(
      /begins with "nothing of the kind"; exp/,
    );
    const { result } = await importFiles({ "a.warc": Buffer.concat([records[0], Buffer.from("junk\r\n\r\n")]) });
    expect(result.damages[0].message).toContain(`at byte ${records[0].length}: expected a WARC record`);
  });
});

describe("what grows without measure", () => {
  it("as a gzipped file is not read to its end", async () => {
    const bomb = gzipSync(Buffer.alloc(40 << 20));
    const file = Buffer.concat([members[0], bomb]);
    const { result, outcomes } = await importFiles({ "a.warc.gz": file }, { seeds: [A] });
    expect(Object.keys(outcomes)).toEqual([`${A}0`]);
    expect(result.damages[0].message).toContain("a WARC record");
    const record = rawRecord({ "WARC-Type": "response", "WARC-Target-URI": A }, Buffer.alloc(150 << 20));
    const second = await importFiles({ "a.warc.gz": Buffer.concat([members[0], gzipSync(record)]) }, { seeds: [A] });
    expect(second.result.damages[0].message).toContain("grows without measure");
    expect(Object.keys(second.outcomes)).toEqual([`${A}0`]);
  });

  it("as a body is cut, and its links are not all known", async () => {
    const headers = { "Content-Type": "text/html", "Content-Encoding": "gzip" };
    const bomb = gzipSync(Buffer.concat([Buffer.from('<a href="/x">'), Buffer.alloc(20 << 20, " ")]));
    const { outcomes } = await importFiles({ "a.warc": warcRecord({ url: A, headers, body: bomb }) });
    expect(outcomes).toEqual({ [A]: "links-unknown" });
  });
});

describe("a table", () => {
  it("of another shape is refused, with the columns that are there and those that should be", async () => {
    await expect(importFiles({ "a.csv": "Name,Price\nx,1\n" })).rejects.toThrow(/"Name,Price"; expected one of/);
    await expect(importFiles({ "a.csv": "Name,Price\nx,1\n" }, { format: "screaming-frog" })).rejects.toThrow(
      /expected a table with the columns "Address", "Status Code"/,
    );
    await expect(importFiles({ "a.csv": "" })).rejects.toThrow("got an empty file");
  });

  it("whose quotation marks stay open is imported up to there", async () => {
    const { result, outcomes } = await importFiles({ "a.csv": `Address,Status Code\n${A},200\n"${A}b,200\n` });
    expect(Object.keys(outcomes)).toEqual([A]);
    expect(result.damages[0].message).toContain("inside quotation marks");
  });

  it("with lines in several encodings is read line by line", async () => {
    const [utf8, latin] = [Buffer.from(`${A}caf\u00e9,200\n`), Buffer.from(`${A}th\u00e9,200\n`, "latin1")];
    const file = Buffer.concat([Buffer.from("Address,Status Code\n"), utf8, latin]);
    const { outcomes } = await importFiles({ "a.csv": file });
    expect(Object.keys(outcomes)).toEqual([`${A}caf%C3%A9`, `${A}th%C3%A9`]);
  });
});

describe("items of Scrapy", () => {
  it("that are broken are left out, and this is told", async () => {
    const { result, outcomes } = await importFiles({ "a.jl": `{"url":"${A}"}\n{"url":"${A}b","li` });
    expect(Object.keys(outcomes)).toEqual([A]);
    expect(result.damages[0].message).toContain("line 2 is not an item");
    await expect(importFiles({ "a.jl": '{"name":"x","price":1}\n' })).rejects.toThrow(
      '"url" of a web page; got name, price',
    );
  });
});

describe("an import", () => {
  it("of files of two formats is refused", async () => {
    await expect(importFiles({ "a.warc": records[0], "b.jl": `{"url":"${A}"}` })).rejects.toThrow(
      /is warc, but .* is scrapy/,
    );
    await expect(importFiles({ "b.jl": `{"url":"${A}"}` }, { format: "warc" })).rejects.toThrow(
      /--from says warc, but/,
    );
  });

  it("refuses options that would change nothing", async () => {
    await expect(importFiles({ "a.warc": records[0] }, { linksComplete: true })).rejects.toThrow(
      "leave out --links-comp",
    );
    await expect(importFiles({ "a.jl": `{"url":"${A}"}` }, { settings: { store: ["text"] } })).rejects.toThrow(
      "--store",
    );
  });

  it("that is aborted or fails leaves nothing", async () => {
    const folder = temporaryDirectory();
    const controller = new AbortController();
    const error = new Error("stopped");
    const { dir } = await importFiles({ "a.warc": Buffer.concat(records) });
    const paths = [`${dirname(dir)}/a.warc`];
    const onSeeds = (): void => controller.abort(error);
    await expect(importCrawl({ paths, out: `${folder}/x`, signal: controller.signal, onSeeds })).rejects.toBe(error);
    await expect(importCrawl({ paths: ["/missing"], out: `${folder}/x` })).rejects.toThrow("/missing: no such file");
    expect(readdirSync(folder)).toEqual([]);
    await expect(importCrawl({ paths, out: dir })).rejects.toThrow("already holds a crawl");
    await expect(importCrawl({ paths, out: dirname(dir) })).rejects.toThrow("is not empty");
  });
});
