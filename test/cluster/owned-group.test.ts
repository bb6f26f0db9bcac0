/** Pages that shards of a group are allowed: each has at least what it has fetched, and nothing is asked for twice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemTimers } from "../../src/base/index.ts";
import { JOB_VERSION } from "../../src/cluster/index.ts";
import { type Holding, OwnedGroup } from "../../src/cluster/owned-group.ts";
import type { ShardGroup } from "../../src/cluster/shard-group.ts";
import { JobState, type NewLease } from "../../src/store/index.ts";

/** A group of shards that have fetched so many pages each, and are allowed so many. */
function owned(leases: readonly NewLease[], fetched: readonly number[], reserved: readonly number[]): OwnedGroup {
  const holdings = leases.map((lease, k): Holding => {
    return { lease, untilMs: 10 + k, position: 0, incarnation: 0, notes: 0, reserved: reserved[k] };
  });
  const shards = new Map(leases.map((lease, k) => [lease.shard, { lease, log: { pages: fetched[k] } }]));
  return new OwnedGroup({ shards, leaseUntilMs: 0 } as unknown as ShardGroup, holdings);
}

const shares = fc.array(fc.record({ fetched: fc.nat(20), reserved: fc.nat(20) }), { minLength: 1, maxLength: 5 });

describe("a group of shards", () => {
  it("gets what its shards have fetched for each of them, as long as they were allowed it together", () => {
    fc.assert(
      fc.property(shares, fc.nat(30), fc.nat(30), (drawn, extra, others) => {
        const state = new JobState(
          { name: "job", version: JOB_VERSION, shards: drawn.length + 1, settings: "{}" },
          systemTimers,
        );
        const leases = drawn.map((_, shard) => state.lease("worker", shard, 1000) as NewLease);
        const other = state.lease("other", drawn.length, 1000) as NewLease;
        const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
        const reserved = drawn.map((each) => each.reserved);
        const fetched = drawn.map((each) => each.fetched);
        const allowed = sum(reserved);
        fc.pre(sum(fetched) <= allowed);
        // Others have all that is left of the limit.
        const max = allowed + others;
        state.reserve(
          [...leases.map((lease, k) => ({ lease, pages: reserved[k] })), { lease: other, pages: others }],
          max,
        );
        const group = owned(leases, fetched, reserved);
        for (const wanted of [allowed + extra, allowed, sum(fetched)]) {
          const reservations = group.reservations(wanted);
          const granted = state.reserve(reservations, max);
          reservations.forEach(({ lease }, k) => {
            const holding = group.holdings.get(lease.shard);
            if (holding !== undefined) holding.reserved = granted[k] ?? 0;
          });
          expect(group.isCovered).toBe(true);
          expect(group.allowed).toBe(Math.min(wanted, allowed));
        }
      }),
    );
  });

  it("may request hosts as long as all of its leases last", () => {
    const leases = [0, 1].map((shard) => ({ shard, worker: "w", epoch: 1, leftMs: 1, position: 0, pages: 0 }));
    const group = owned(leases, [0, 0], [0, 0]);
    expect(group.group.leaseUntilMs).toBe(10);
    group.lose(0);
    group.leased();
    expect(group.group.leaseUntilMs).toBe(11);
    group.lose(1);
    group.leased();
    expect(group.group.leaseUntilMs).toBe(Number.NEGATIVE_INFINITY);
  });
});
