import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OriginIndex } from "../../src/crawl/origin-index.ts";
import { HostSchedule } from "../../src/crawl/politeness/host-schedule.ts";
import { hostOfOrigin } from "../../src/web/index.ts";
import { cases } from "../support/cases.ts";

const POLITENESS = { delayMs: 1000, perHost: 1, perAddress: 10 };
/** The same hosts with both schemes and with ports. */
const origin = fc
  .tuple(fc.constantFrom("http", "https"), fc.nat(90), fc.constantFrom("", "", ":8080"))
  .map(([scheme, host, port]) => `${scheme}://host${host}.example${port}`);
/** Hosts of which something is wanted before an origin of theirs is known, such as where a robots.txt has moved to. */
const move = fc.oneof(
  fc.record({ what: fc.constantFrom("add", "find", "text"), text: origin }),
  fc.record({ what: fc.constant("host"), text: origin }),
);

describe("the origins of a crawl", () => {
  it("are what a map and an array have, whatever was added and asked for", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 200 }), fc.array(origin), (moves, others) => {
        const hosts = new HostSchedule(POLITENESS);
        const origins = new OriginIndex(hosts);
        const texts: string[] = [];
        const numbers = new Map<string, number>();
        for (const { what, text } of moves) {
          const number = numbers.get(text);
          if (what === "host") hosts.named(hostOfOrigin(text));
          else if (what === "text" && number !== undefined) expect(origins.textOf(number)).toBe(text);
          else if (what === "add" && number === undefined) {
            numbers.set(text, texts.push(text) - 1);
            origins.add(text);
          } else expect(origins.find(text)).toBe(number);
        }
        for (const text of [...moves.map(({ text }) => text), ...others]) {
          expect(origins.find(text)).toBe(numbers.get(text));
        }
        for (const [number, text] of texts.entries()) {
          expect(origins.textOf(number)).toBe(text);
          expect(hosts.nameOf(origins.hostIdOf(number))).toBe(hostOfOrigin(text));
        }
        expect(hosts.size).toBe(new Set(moves.filter(isNamed).map(({ text }) => hostOfOrigin(text))).size);
      }),
      { numRuns: cases(300) },
    );
  });

  it("make no host active", () => {
    const hosts = new HostSchedule(POLITENESS);
    const origins = new OriginIndex(hosts);
    for (let k = 0; k < 100; k++) origins.add(`https://host${k}.example`);
    expect(hosts.size).toBe(100);
    expect([...hosts.active]).toEqual([]);
  });

  it("of other shards count as those of the shard from which they were linked", () => {
    const shardOf = (host: string): number => (host.startsWith("own") ? 3 : 7);
    const origins = new OriginIndex(new HostSchedule(POLITENESS), { shardOf, has: (shard) => shard === 3, home: 3 });
    origins.add("https://own.example");
    origins.add("https://other.example");
    expect([0, 1].map((number) => origins.isElsewhere(number))).toEqual([false, true]);
    expect([0, 1].map((number) => origins.shardOf(number))).toEqual([3, 3]);
  });

  it("have one of two schemes", () => {
    const origins = new OriginIndex(new HostSchedule(POLITENESS));
    expect(() => origins.add("ftp://host.example")).toThrow("http or https");
  });
});

function isNamed({ what }: { readonly what: string }): boolean {
  return what === "add" || what === "host";
}
