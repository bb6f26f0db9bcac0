/** Origins of which most are in a file, compared with an array and with a column that has no file. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { OriginColumn } from "../../src/crawl/origin-column.ts";
import { cases } from "../support/cases.ts";
import { ChunksInMemory } from "../support/chunk-file.ts";

/** Chunks of 16 URLs and blocks of 4 bytes: origins of three bytes cross blocks. */
const TINY = 64;
/** Chunks of 16,384 URLs, as in crawls, and blocks of 4 kB. */
const LARGE = 2 ** 20;

/** Of one to four bytes, mixed and in runs. */
const origin = fc.oneof(
  fc.nat(5),
  fc.nat(2 ** 31 - 1),
  fc.constantFrom(0, 2 ** 8 - 1, 2 ** 8, 2 ** 16 - 1, 2 ** 16, 2 ** 24 - 1, 2 ** 24, 2 ** 31 - 1),
);
const origins = fc
  .array(fc.record({ origin, times: fc.integer({ min: 1, max: 40 }) }), { maxLength: 30, size: "max" })
  .map((runs) => runs.flatMap((run) => Array<number>(run.times).fill(run.origin)));
const reads = fc.array(fc.nat(), { maxLength: 60, size: "max" });

function filled(column: OriginColumn, all: readonly number[]): OriginColumn {
  for (const each of all) column.add(each);
  return column;
}

function expectAll(column: OriginColumn, all: readonly number[]): void {
  expect(all.map((_, url) => column.of(url))).toEqual(all);
}

it("has what was added, however little stays in memory, whatever is read in between and from any byte on", () => {
  fc.assert(
    fc.property(origins, reads, fc.constantFrom(0, TINY, 1024), fc.nat(3000), (all, places, memoryBytes, bytesMax) => {
      const file = new ChunksInMemory(memoryBytes);
      // Every third disk is full at some point.
      if (bytesMax % 3 === 0) file.bytesMax = bytesMax;
      const [spilled, plain] = [new OriginColumn(file), new OriginColumn()];
      for (const [url, each] of all.entries()) {
        spilled.add(each);
        plain.add(each);
        const place = (places[url % places.length] ?? 0) % (url + 1);
        expect([spilled.of(place), plain.of(place)]).toEqual([all[place], all[place]]);
      }
      expectAll(spilled, all);
      expectAll(plain, all);
      const backwards = all.map((_, url) => all.length - 1 - url);
      expect(backwards.map((url) => spilled.of(url))).toEqual(all.toReversed());
    }),
    { numRuns: cases(300) },
  );
});

it("keeps in memory what it may, and writes as many bytes per URL as the greatest origin of a chunk needs", () => {
  const file = new ChunksInMemory(TINY);
  const column = new OriginColumn(file);
  // Four chunks of 16 bytes.
  filled(column, Array<number>(79).fill(255));
  expect(file.length).toBe(0);
  // A fifth: the first goes.
  column.add(0);
  expect(file.length).toBe(16);
  // One of 48 bytes: three more go.
  filled(column, Array<number>(16).fill(2 ** 16));
  expect([file.length, file.attempts]).toEqual([64, 4]);
});

it("tries no more to write where it has failed once", () => {
  const file = new ChunksInMemory(TINY);
  file.bytesMax = 40;
  const all = Array.from({ length: 1000 }, (_, k) => k % 200);
  const column = filled(new OriginColumn(file), all);
  expect([file.length, file.attempts]).toEqual([32, 3]);
  expectAll(column, all);
});

it("reads a file from its beginning to its end in blocks of 4 kB, each once", () => {
  const file = new ChunksInMemory(LARGE);
  const all = Array.from({ length: 800_000 }, (_, k) => k % 60_000);
  const column = filled(new OriginColumn(file), all);
  const blocks = file.length / 4096;
  expect(blocks).toBeGreaterThan(100);
  for (const [url, each] of all.entries())
    if (column.of(url) !== each) expect([url, column.of(url)]).toEqual([url, each]);
  expect(file.reads).toEqual(Array<number>(blocks).fill(4096));
});

it("reads nothing twice of a hundred thousand URLs that are read again and again", () => {
  const file = new ChunksInMemory(0);
  const column = filled(new OriginColumn(file), Array<number>(300_000).fill(1));
  // Blocks of 4 URLs, and two URLs of each.
  const read = (): void => {
    for (let url = 0; url < 2 ** 17; url += 2) column.of(url);
  };
  read();
  expect(file.reads.length).toBe(2 ** 15);
  for (let round = 0; round < 3; round++) read();
  expect(file.reads.length).toBe(2 ** 15);
});

it("tells apart URLs whose numbers are far from each other", () => {
  const all = Array.from({ length: 300_000 }, (_, k) => k);
  const column = filled(new OriginColumn(new ChunksInMemory(TINY)), all);
  for (const url of [0, 1, 77, 30_000]) {
    const urls = [url, url + 2 ** 17, url + 2 ** 18, url, url + 2 ** 17];
    expect(urls.map((each) => column.of(each))).toEqual(urls);
  }
});

it("throws where an origin cannot be read, each time, until it can; what was read before is known", () => {
  const file = new ChunksInMemory(TINY);
  const all = Array.from({ length: 4000 }, (_, k) => k * 7);
  const column = filled(new OriginColumn(file), all);
  const [known, unknown] = [
    [0, 1, 50, 500],
    [20, 20, 90, 20, 300],
  ];
  for (const url of known) column.of(url);
  file.failure = new Error("the disk is gone");
  for (const url of unknown) {
    expect(() => column.of(url)).toThrow("the disk is gone");
    expect([...known, 3999].map((each) => column.of(each))).toEqual([...known, 3999].map((each) => all[each]));
  }
  file.failure = undefined;
  expectAll(column, all);
});

it("refuses more origins than there is room for", () => {
  expect(() => new OriginColumn().add(2 ** 31)).toThrow("2^31");
});
