/**
 * Pages that shards of a group are allowed: each has at least what it has fetched, and nothing is asked for twice. And
 * what its shards say to others: only what follows from facts that are stored.
 */
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

  /** Two shards that have learnt something, and what follows from it for another. */
  function taught(): {
    readonly group: OwnedGroup;
    readonly take: () => void;
    readonly store: (shard: number) => void;
  } {
    const leases = [0, 1].map((shard) => ({ shard, worker: "w", epoch: 1 }));
    const members = leases.map((lease) => ({
      lease,
      log: { pages: 0 },
      pendingBytes: 0,
      takeBatch: () => new Uint8Array(1),
      note: () => ({}),
      exchange: { batchStored() {} },
    }));
    const shards = new Map(members.map((member) => [member.lease.shard, member]));
    const holdings = leases.map((lease) => {
      return { lease, untilMs: 0, position: 0, incarnation: 0, notes: 0, reserved: 0 };
    });
    const group = new OwnedGroup({ shards, leaseUntilMs: 0 } as unknown as ShardGroup, holdings);
    return {
      group,
      take: () => {
        for (const shard of group.shards.values()) shard.nextAppend();
        group.said.push({ sender: 0, receiver: 7, senderEpoch: 1, credits: [] });
      },
      store: (shard) => void group.shards.get(shard)?.appended("appended"),
    };
  }

  it("says what its shards have learnt once all of them have stored it", () => {
    const { group, take, store } = taught();
    take();
    const seen = (): unknown => {
      group.tell();
      return [group.takeSaid().length, ...[...group.shards.values()].map(({ note }) => note !== undefined)];
    };
    expect(seen()).toEqual([0, false, false]);
    store(1);
    expect(seen()).toEqual([0, false, false]);
    store(0);
    expect(seen()).toEqual([1, true, true]);
    expect(group.takeSaid()).toEqual([]);
  });

  it("never says what follows from a shard that it has lost", () => {
    const { group, take, store } = taught();
    take();
    store(0);
    group.lose(1);
    group.tell();
    expect(group.takeSaid()).toEqual([]);
    expect(group.shards.get(0)?.note).toBeUndefined();
  });
});
