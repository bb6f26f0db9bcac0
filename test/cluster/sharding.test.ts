/** Which shard owns a host: for ever, whatever runs it, or a job would lose its hosts when it is continued elsewhere. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shardOf } from "../../src/cluster/index.ts";
import { cases } from "../support/cases.ts";

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);

describe("the shard of a host", () => {
  /** By a second implementation: FNV-1a in big integers, then the mixing of splitmix32. */
  function expected(name: string, shards: number): number {
    const word = (value: bigint): bigint => value & 0xffffffffn;
    let hash = 0x811c9dc5n;
    for (let k = 0; k < name.length; k++) hash = word((hash ^ BigInt(name.charCodeAt(k))) * 0x01000193n);
    hash = word(hash + 0x9e3779b9n);
    hash = word((hash ^ (hash >> 16n)) * 0x21f0aaadn);
    hash = word((hash ^ (hash >> 15n)) * 0x735a2d97n);
    return Number((hash ^ (hash >> 15n)) % BigInt(shards));
  }

  it("is a published hash of its name, whichever process asks", () => {
    fc.assert(
      fc.property(fc.domain(), fc.integer({ min: 1, max: 4096 }), (host, shards) => {
        expect(shardOf(host, { shards, by: "host" })).toBe(expected(host, shards));
      }),
      { numRuns: cases(1000) },
    );
  });

  it("is the same for all hosts of a registrable domain, if a job shards by domains", () => {
    fc.assert(
      fc.property(label, label, fc.constantFrom("com", "co.uk", "github.io"), (sub, name, suffix) => {
        const domain = `${name}.${suffix}`;
        const sharding = { shards: 64, by: "domain" } as const;
        expect(shardOf(`${sub}.${domain}`, sharding)).toBe(shardOf(domain, sharding));
      }),
      { numRuns: cases(500) },
    );
  });

  it("spreads hosts evenly, also those with names that differ in a number", () => {
    const shards = 24;
    const hosts = 24_000;
    for (const by of ["host", "domain"] as const) {
      const counts = Array.from({ length: shards }, () => 0);
      for (let k = 0; k < hosts; k++) counts[shardOf(`site${k}.com`, { shards, by })]++;
      // Each has 1,000 by chance, with a deviation of 31: five of these.
      for (const count of counts) expect(Math.abs(count - hosts / shards)).toBeLessThan(155);
    }
  });
});
