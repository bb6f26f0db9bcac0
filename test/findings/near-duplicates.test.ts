import fc from "fast-check";
import { expect, it } from "vitest";
import { BUCKET_MAX, DISTANCE_MAX, Leaders } from "../../src/findings/leaders.ts";
import { HashColumn } from "../../src/findings/hash-column.ts";
import { SimHashes } from "../../src/findings/near-duplicates.ts";
import { BLANK_VISIT, type Visit } from "../../src/log/index.ts";
import { cases } from "../support/cases.ts";

const BITS = 64n;

function bytesOf(hash: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, hash);
  return bytes;
}

function visit(url: number, simhash: Uint8Array | null, outcome: Visit["outcome"] = "downloaded"): Visit {
  return { ...BLANK_VISIT, url, outcome, simhash };
}

function simhashesOf(hashes: readonly (bigint | null)[]): SimHashes {
  const simhashes = new SimHashes();
  for (const [url, hash] of hashes.entries()) simhashes.visited(visit(url, hash === null ? null : bytesOf(hash)));
  return simhashes;
}

function distance(a: bigint, b: bigint): number {
  return [...(a ^ b).toString(2)].filter((bit) => bit === "1").length;
}

/** Compares every page with every leader, in order. */
function groupsByHand(hashes: readonly (bigint | null)[], order: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const page of order) {
    const hash = hashes[page];
    if (hash === null) continue;
    const near = groups.find(([leader]) => distance(hashes[leader] as bigint, hash) <= DISTANCE_MAX);
    if (near === undefined) groups.push([page]);
    else near.push(page);
  }
  return groups.filter(({ length }) => length > 1);
}

/** A few centres, with some bits flipped, so that many are just near and many just too far. */
const near = fc
  .record({
    centres: fc.array(fc.bigInt({ min: 1n, max: 2n ** BITS - 1n }), { minLength: 1, maxLength: 4 }),
    drawn: fc.array(fc.record({ centre: fc.nat(), flips: fc.array(fc.nat({ max: 63 }), { maxLength: 5 }) }), {
      maxLength: 60,
    }),
  })
  .map(({ centres, drawn }) =>
    drawn.map(({ centre, flips }) =>
      flips.reduce((hash, bit) => hash ^ (1n << BigInt(bit)), centres[centre % centres.length]),
    ),
  )
  .map((hashes) => hashes.map((hash, k) => (hash === 0n || k % 11 === 10 ? null : hash)));

it("groups are those of a comparison of all pairs, in the order given", () => {
  fc.assert(
    fc.property(
      near.chain((hashes) =>
        fc.record({ hashes: fc.constant(hashes), order: fc.shuffledSubarray(hashes.map((_, url) => url)) }),
      ),
      ({ hashes, order }) => {
        const simhashes = simhashesOf(hashes);
        const groups = [...simhashes.groups(Uint32Array.from(order))].map((group) => [...group]);
        expect(groups).toEqual(groupsByHand(hashes, order));
        for (const [leader, ...others] of groups) {
          for (const page of others) {
            expect(simhashes.distance(leader, page)).toBe(distance(hashes[leader] as bigint, hashes[page] as bigint));
          }
        }
      },
    ),
    { numRuns: cases(500) },
  );
});

it("pages that were not downloaded have no hash, and it is known whether any has one", () => {
  const simhashes = simhashesOf([null, null]);
  expect(simhashes.isEmpty).toBe(true);
  simhashes.visited(visit(0, bytesOf(5n), "dead"));
  simhashes.visited(visit(1, bytesOf(5n), "redirected"));
  expect(simhashes.isEmpty).toBe(true);
  expect([...simhashes.groups(Uint32Array.of(0, 1))]).toEqual([]);
  simhashes.visited(visit(0, bytesOf(5n)));
  expect(simhashes.isEmpty).toBe(false);
});

it("a crowded bucket is searched up to a bound", () => {
  // All have the first block in common, and no other.
  const hashes = Array.from({ length: BUCKET_MAX + 2 }, (_, k) => {
    const block = BigInt((k + 1) * 2 ** 7);
    return (0xabcdn << 48n) | (block << 32n) | (block << 16n) | block;
  });
  const column = new HashColumn();
  for (const [url, hash] of hashes.entries()) column.set(url, bytesOf(hash));
  const leaders = new Leaders(Uint32Array.from(hashes.keys()), column);
  for (const url of hashes.keys()) leaders.add(column.high[url], column.low[url]);
  // One bit differs in each of the other blocks, so that only the first block finds it.
  const nearOf = (url: number) => leaders.first(column.high[url] ^ 1, column.low[url] ^ 0x10001);
  expect([nearOf(0), nearOf(BUCKET_MAX - 1), nearOf(BUCKET_MAX)]).toEqual([0, BUCKET_MAX - 1, -1]);
});
