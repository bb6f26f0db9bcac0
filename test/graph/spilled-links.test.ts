/** A link table of which most is in a file, compared with a map of rows. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { copiedRow, GrowingLinks } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { ChunksInMemory } from "../support/chunk-file.ts";

type Rows = Map<number, readonly number[]>;

/** Chunks of 64 bytes and blocks of 4: most rows cross blocks, and many have a chunk of their own. */
const TINY = 64;
/** Chunks of 512 bytes and blocks of 32. */
const SMALL = 16 * 512;

const page = fc.oneof({ weight: 4, arbitrary: fc.nat(30) }, fc.nat({ max: 2 ** 32 - 2 }));
const link = fc.oneof(fc.nat(40), fc.nat({ max: 2 ** 32 - 2 }), fc.constantFrom(127, 128, 2 ** 31, 2 ** 32 - 2));
const row = fc.oneof(
  { weight: 8, arbitrary: fc.array(link, { maxLength: 12 }) },
  // Longer than a chunk.
  { weight: 1, arbitrary: fc.array(link, { minLength: 60, maxLength: 400, size: "max" }) },
);
type Move =
  | { readonly kind: "set"; readonly page: number; readonly row: readonly number[] }
  | { readonly kind: "unset" | "row" | "count"; readonly page: number };
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("set" as const), page, row }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("unset", "row", "row", "count", "count"), page }) },
);
const moves = fc.array(move, { maxLength: 120, size: "max" });

function make(links: GrowingLinks, rows: Rows, each: Move): void {
  if (each.kind === "set") {
    links.set(each.page, each.row);
    rows.set(each.page, each.row);
  } else if (each.kind === "unset") {
    links.unset(each.page);
    rows.delete(each.page);
  } else if (each.kind === "row") expect([...copiedRow(links, each.page)]).toEqual(rows.get(each.page) ?? []);
  else expect(links.count(each.page)).toBe(rows.get(each.page)?.length ?? -1);
}

function expectRows(links: GrowingLinks, rows: Rows): void {
  for (const [each, expected] of rows) {
    expect([each, links.has(each), links.count(each)]).toEqual([each, true, expected.length]);
    expect([...copiedRow(links, each)]).toEqual(expected);
  }
}

/** Rows of 20 links each, of which 16 fill more than a chunk of 512 bytes. */
function filled(links: GrowingLinks, pages: number): Rows {
  const rows: Rows = new Map();
  for (let each = 0; each < pages; each++) {
    const targets = Array.from({ length: 20 }, (_, k) => (each * 7919 + k * 104_729) % 100_003);
    links.set(each, targets);
    rows.set(each, targets);
  }
  return rows;
}

it("has what a map of rows has, however little stays in memory, in whatever order rows are set and read", () => {
  fc.assert(
    fc.property(moves, fc.constantFrom(0, TINY, 1024, SMALL), (all, memoryBytes) => {
      const file = new ChunksInMemory(memoryBytes);
      const links = new GrowingLinks(file);
      const rows: Rows = new Map();
      for (const each of all) make(links, rows, each);
      expectRows(links, rows);
      expectRows(links, new Map([...rows].toReversed()));
      for (const each of all)
        if (!rows.has(each.page)) expect([links.has(each.page), links.count(each.page)]).toEqual([false, -1]);
    }),
    { numRuns: cases(300) },
  );
});

it("keeps all rows where the file takes no more, from any byte on", () => {
  fc.assert(
    fc.property(moves, fc.nat(4000), (all, bytesMax) => {
      const file = new ChunksInMemory(TINY);
      file.bytesMax = bytesMax;
      const links = new GrowingLinks(file);
      const rows: Rows = new Map();
      for (const each of all) make(links, rows, each);
      expectRows(links, rows);
    }),
    { numRuns: cases(100) },
  );
});

it("tries no more to write where it has failed once", () => {
  const file = new ChunksInMemory(SMALL);
  file.bytesMax = 1024;
  const links = new GrowingLinks(file);
  const rows = filled(links, 2000);
  expect([file.length, file.attempts]).toEqual([1024, 3]);
  expectRows(links, rows);
});

it("holds in memory what it may, and writes each byte once", () => {
  const file = new ChunksInMemory(SMALL);
  const links = new GrowingLinks(file);
  filled(links, 100);
  expect(file.length).toBe(0);
  filled(links, 900);
  const length = file.length;
  // 1000 rows of 40 to 64 bytes, less 16 full chunks and the last one.
  expect(length).toBeGreaterThan(40_000 - 17 * 512);
  expect(length).toBeLessThan(64_000 - 16 * 512);
  expect(length % 512).toBe(0);
  expect(file.attempts).toBe(length / 512);
});

it("reads a file from its beginning to its end in blocks, each once, but for rows that cross two", () => {
  // Chunks of 16 kB and blocks of 1 kB.
  const file = new ChunksInMemory(2 ** 18);
  const links = new GrowingLinks(file);
  filled(links, 12_000);
  const blocks = Math.floor(file.length / 1024);
  expect(blocks).toBeGreaterThan(200);
  for (let each = 0; each < 12_000; each++) {
    links.count(each);
    links.row(each);
  }
  expect(file.reads.filter((bytes) => bytes === 1024).length).toBe(blocks);
  // Of a row that crosses two blocks perhaps its number of links too, once for each call.
  expect(file.reads.length - blocks).toBeLessThanOrEqual(3 * blocks);
});

it("reads a file that has less than a block", () => {
  // Blocks of 512 bytes; the first chunk of a small table has 256.
  const file = new ChunksInMemory(2 ** 17);
  file.bytesMax = 256;
  const links = new GrowingLinks(file);
  const long = Array.from({ length: 30_000 }, (_, k) => k);
  for (const [each, targets] of [[5, 6], long, long, [7]].entries()) links.set(each, targets);
  expect([file.length, file.attempts]).toEqual([256, 2]);
  expect([0, 1, 2, 3].map((each) => links.count(each))).toEqual([2, 30_000, 30_000, 1]);
  expect([...copiedRow(links, 0)]).toEqual([5, 6]);
  expect(file.reads).not.toContain(512);
});

it("finds a few rows that are read again and again in memory", () => {
  const file = new ChunksInMemory(2 ** 18);
  const links = new GrowingLinks(file);
  filled(links, 12_000);
  for (let round = 0; round < 50; round++) for (const each of [10, 500, 900]) links.row(each);
  expect(file.reads.filter((bytes) => bytes === 1024).length).toBe(3);
});

it.each([TINY, SMALL])(
  "throws where a row cannot be read, each time, until it can (memory: %i bytes)",
  (memoryBytes) => {
    const file = new ChunksInMemory(memoryBytes);
    const links = new GrowingLinks(file);
    const rows = filled(links, 600);
    expectRows(links, rows);
    file.failure = new Error("the disk is gone");
    for (const each of [0, 0, 1, 0, 300]) {
      expect(() => links.row(each)).toThrow("the disk is gone");
      expect(() => links.row(each)).toThrow("the disk is gone");
      expect(() => links.count(each)).toThrow("the disk is gone");
      // What is in memory can be read, and does not make the other row a known one.
      expect([...copiedRow(links, 599)]).toEqual(rows.get(599));
      expect([links.has(each), links.count(777)]).toEqual([true, -1]);
    }
    file.failure = undefined;
    expectRows(links, new Map([...rows].toReversed()));
  },
);

it("has a row that was read before another could not be read", () => {
  const file = new ChunksInMemory(SMALL);
  const links = new GrowingLinks(file);
  const rows = filled(links, 600);
  let failures = 0;
  for (let each = 0; each < 400; each++) {
    links.row(each);
    file.failure = new Error("the disk is gone");
    try {
      // At the same place of another chunk: its block takes the place of the one that was read.
      links.row((11 * each + 10) % 400);
    } catch {
      failures++;
    }
    file.failure = undefined;
    expect([...copiedRow(links, each)]).toEqual(rows.get(each));
  }
  expect(failures).toBeGreaterThan(300);
});
