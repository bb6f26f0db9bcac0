/**
 * Workers that share the connections of addresses, over a board on which each sees the others late, in any order.
 *
 * As in a worker, a beat says first what was found at the last look, then looks. Between any two of these moments
 * connections are opened, as far as the own table allows, and closed.
 */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { AddressShares, type SharingState, type SharingWorker } from "../../src/cluster/address-shares.ts";
import { AddressTable } from "../../src/crawl/index.ts";
import { cases } from "../support/cases.ts";

const ADDRESSES = ["192.0.2.1", "192.0.2.2"];
const SLOT_MS = 10_000;

class SimulatedSharer {
  readonly shares: AddressShares;
  readonly addresses: AddressTable;
  /** The others do not see it. */
  isUnseen = false;
  /** It has said what it found at its last look. */
  hasSaid = false;

  constructor(
    readonly name: string,
    limit: number,
  ) {
    this.shares = new AddressShares(name, limit);
    this.addresses = new AddressTable((address) => this.shares.limitOf(address));
  }

  taken(address: string): number {
    return this.addresses.of(address).taken;
  }
}

class SimulatedBoard {
  readonly limit: number;
  readonly sharers = new Map<number, SimulatedSharer>();
  readonly #said = new Map<string, SharingState>();
  #named = 0;
  ageMs = 0;
  /** The most connections that an address ever had. */
  most = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  at(place: number): SimulatedSharer {
    let sharer = this.sharers.get(place);
    if (sharer === undefined) {
      sharer = new SimulatedSharer(`worker ${this.#named++}`, this.limit);
      this.sharers.set(place, sharer);
    }
    return sharer;
  }

  /** A worker that was not seen for a while says that it is there, and knows that others have counted without it. */
  say(sharer: SimulatedSharer): void {
    this.#said.set(sharer.name, sharer.shares.state);
    if (sharer.isUnseen) sharer.shares.lapse(sharer.addresses);
    sharer.isUnseen = false;
    sharer.hasSaid = true;
  }

  look(sharer: SimulatedSharer): void {
    if (!sharer.hasSaid) return;
    sharer.hasSaid = false;
    const workers: SharingWorker[] = Array.from(this.#said, ([name, state]) => ({ name, ...state }));
    sharer.shares.update(workers, this.ageMs, sharer.addresses);
  }

  /** The lease has ended: it has given up its connections, and opens none before it was seen again. */
  lapse(sharer: SimulatedSharer): void {
    sharer.isUnseen = true;
    sharer.hasSaid = false;
    for (const use of sharer.addresses.all()) use.take(-use.taken);
    this.#said.delete(sharer.name);
  }

  leave(place: number): void {
    const sharer = this.sharers.get(place);
    if (sharer !== undefined) this.#said.delete(sharer.name);
    this.sharers.delete(place);
  }

  open(sharer: SimulatedSharer, address: string): void {
    const use = sharer.addresses.of(address);
    if (!sharer.isUnseen && this.#said.has(sharer.name) && !use.isBusy) use.take(1);
    this.most = Math.max(this.most, this.inUse(address));
  }

  inUse(address: string): number {
    return [...this.sharers.values()].reduce((sum, sharer) => sum + sharer.taken(address), 0);
  }
}

const PLACES = 4;
const place = fc.nat(PLACES - 1);
const address = fc.constantFrom(...ADDRESSES);
/** Looks and connections come more often than anything else, as in life. */
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("say" as const), place }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("look" as const), place }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("open" as const), place, address }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("close" as const), place, address }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(2 * SLOT_MS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lapse" as const), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), place }) },
);

function perform(board: SimulatedBoard, each: typeof act extends fc.Arbitrary<infer Act> ? Act : never): void {
  if (each.kind === "wait") {
    board.ageMs += each.ms;
    return;
  }
  const sharer = board.at(each.place);
  switch (each.kind) {
    case "say":
      return board.say(sharer);
    case "look":
      return board.look(sharer);
    case "open":
      return board.open(sharer, each.address);
    case "close":
      return sharer.taken(each.address) > 0 ? sharer.addresses.of(each.address).take(-1) : undefined;
    case "lapse":
      return board.lapse(sharer);
    case "leave":
      return board.leave(each.place);
  }
}

/** Everybody says and looks, in turn, so often that all know of each other. */
function settle(board: SimulatedBoard): void {
  for (let round = 0; round < 4; round++) {
    for (const sharer of board.sharers.values()) {
      board.say(sharer);
      board.look(sharer);
    }
  }
}

describe("workers that share addresses", () => {
  it("never have more connections to one than its limit, whoever comes, goes and looks when", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.array(act, { maxLength: 150 }), (limit, acts) => {
        const board = new SimulatedBoard(limit);
        for (const each of acts) {
          perform(board, each);
          for (const text of ADDRESSES) expect(board.inUse(text)).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: cases(1500) },
    );
  });

  it("have all of its connections but for rounding, once they know of each other", () => {
    for (const [workers, limit, each] of [
      [1, 5, 5],
      [2, 8, 4],
      [3, 8, 2],
      [4, 4, 1],
    ]) {
      const board = new SimulatedBoard(limit);
      for (let k = 0; k < workers; k++) board.at(k);
      settle(board);
      for (const sharer of board.sharers.values()) expect(sharer.shares.limitOf(ADDRESSES[0])).toBe(each);
    }
  });

  it("take turns where there are more of them than connections, and each has its turn", () => {
    const board = new SimulatedBoard(2);
    for (let k = 0; k < 4; k++) board.at(k);
    const turns = new Map<string, number>();
    for (let slot = 0; slot < 40; slot++) {
      board.ageMs = slot * SLOT_MS;
      settle(board);
      const drawn = [...board.sharers.values()].filter(({ shares }) => shares.limitOf(ADDRESSES[0]) === 1);
      expect(drawn.length).toBe(2);
      for (const { name } of drawn) turns.set(name, (turns.get(name) ?? 0) + 1);
    }
    expect(turns.size).toBe(4);
  });

  it("begin a turn once all others have come to it, and have given up what they had in the one before", () => {
    const board = new SimulatedBoard(1);
    for (let k = 0; k < 2; k++) board.at(k);
    settle(board);
    const drawn = (): SimulatedSharer | undefined =>
      [...board.sharers.values()].find(({ shares }) => shares.limitOf(ADDRESSES[0]) === 1);
    const beat = (sharer: SimulatedSharer): void => {
      board.say(sharer);
      board.look(sharer);
    };
    let changes = 0;
    for (let before = drawn(), slot = 1; slot < 40; slot++) {
      const other = [...board.sharers.values()].find((sharer) => sharer !== before);
      if (before === undefined || other === undefined) throw new Error("somebody has each turn");
      board.open(before, ADDRESSES[0]);
      board.ageMs = slot * SLOT_MS;
      beat(other);
      beat(other);
      // Until the one before has come to this turn, too, nobody else begins.
      expect(other.shares.limitOf(ADDRESSES[0])).toBe(0);
      beat(before);
      beat(before);
      if (before.shares.limitOf(ADDRESSES[0]) === 0) {
        changes++;
        beat(other);
        expect(other.shares.limitOf(ADDRESSES[0])).toBe(0);
      }
      before.addresses.of(ADDRESSES[0]).take(-1);
      settle(board);
      before = drawn();
    }
    expect(changes).toBeGreaterThan(5);
  });

  it("leave nothing to one that joins before all others use no more than their new shares", () => {
    const board = new SimulatedBoard(4);
    const first = board.at(0);
    settle(board);
    for (let k = 0; k < 4; k++) board.open(first, ADDRESSES[0]);
    expect(first.taken(ADDRESSES[0])).toBe(4);
    const second = board.at(1);
    settle(board);
    expect(second.shares.limitOf(ADDRESSES[0])).toBe(0);
    for (let k = 0; k < 2; k++) first.addresses.of(ADDRESSES[0]).take(-1);
    settle(board);
    expect([first, second].map(({ shares }) => shares.limitOf(ADDRESSES[0]))).toEqual([2, 2]);
  });

  it("have the share of one that has left, but not before they have said that they count without it", () => {
    const board = new SimulatedBoard(4);
    const first = board.at(0);
    const second = board.at(1);
    settle(board);
    board.lapse(second);
    board.say(first);
    board.look(first);
    // Whoever comes back now still finds itself counted in.
    board.say(second);
    board.look(second);
    const both = [first, second].map(({ shares }) => shares.limitOf(ADDRESSES[0]));
    expect(both[0] + both[1]).toBeLessThanOrEqual(4);
    board.leave(1);
    settle(board);
    expect(first.shares.limitOf(ADDRESSES[0])).toBe(4);
  });

  it("compute their shares anew only if something has changed", () => {
    const board = new SimulatedBoard(2);
    for (let k = 0; k < 4; k++) board.at(k);
    const use = board.at(0).addresses.of(ADDRESSES[0]);
    settle(board);
    const setLimit = vi.spyOn(use, "setLimit");
    const changes = (act: () => void): number => {
      setLimit.mockClear();
      act();
      settle(board);
      return setLimit.mock.calls.length;
    };
    expect(changes(() => {})).toBe(0);
    expect(changes(() => (board.ageMs = SLOT_MS))).toBeGreaterThan(0);
    expect(changes(() => (board.ageMs += SLOT_MS - 1))).toBe(0);
    expect(changes(() => board.leave(3))).toBeGreaterThan(0);
    expect(changes(() => board.lapse(board.at(0)))).toBeGreaterThan(1);
    expect(changes(() => {})).toBe(0);
  });

  it("have nothing before they have looked", () => {
    expect(new AddressShares("worker", 4).limitOf(ADDRESSES[0])).toBe(0);
  });
});
