/** Mass that crosses between processes: several ledgers, each with a part of the pages, that send each other totals. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, MassLedger, PageState } from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { truthOf, type World } from "../support/truth.ts";
import { reasonFor, worldWithoutRedirects } from "../support/worlds.ts";

const ROUNDING = 1e-11;

interface Message {
  readonly page: number;
  readonly sender: number;
  readonly total: number;
}

/** One ledger per shard; a page belongs to the shard that its number says. */
class Shards {
  readonly ledgers: readonly MassLedger[];
  readonly #world: World;

  constructor(world: World, count: number) {
    const links = new GrowingLinks();
    for (const [id, { links: row }] of world.urls.entries()) links.set(id, row);
    const { damping } = world;
    this.#world = world;
    this.ledgers = Array.from({ length: count }, () => new MassLedger({ links, pages: world.urls.length, damping }));
    for (const [id, { trust }] of world.urls.entries()) this.#ownerOf(id).trusted(id, trust);
  }

  learn(id: number): void {
    const { kind } = this.#world.urls[id];
    const owner = this.#ownerOf(id);
    if (kind === "page") owner.downloaded(id);
    else if (kind === "partly") owner.linksUnknown(id);
    else if (kind === "dead") owner.dead(id);
    else owner.refused(id, reasonFor(id));
  }

  push(id: number): void {
    const owner = this.#ownerOf(id);
    const state = owner.state[id];
    if (state >= PageState.Downloaded && state <= PageState.Dead) owner.push(id);
  }

  /** What each shard has sent to pages of others so far: it waits there for ever, so it only grows. */
  messages(): Message[] {
    return this.ledgers.flatMap((ledger, sender) =>
      this.#world.urls.flatMap((_, page) =>
        this.#ownerOf(page) === ledger ? [] : [{ page, sender, total: ledger.waiting[page] }],
      ),
    );
  }

  deliver({ page, sender, total }: Message): void {
    this.#ownerOf(page).received(page, sender, total);
  }

  /** (C7) of the sums. */
  bound(): number {
    const { damping: d } = this.#world;
    const inside = this.ledgers.reduce((sum, { rankInside }) => sum + rankInside, 0);
    const ended = this.ledgers.reduce((sum, { rankEnded }) => sum + rankEnded, 0);
    return inside / (1 - (ended * d) / (1 - d));
  }

  #ownerOf(id: number): MassLedger {
    return this.ledgers[id % this.ledgers.length];
  }
}

const exchanges = worldWithoutRedirects.chain((world) =>
  fc.record({
    world: fc.constant(world),
    shards: fc.integer({ min: 2, max: 3 }),
    moves: fc.array(fc.record({ what: fc.constantFrom("push", "push", "send", "again"), id: fc.nat() }), {
      minLength: 20,
      maxLength: 120,
    }),
  }),
);

describe("ledgers that receive each other's mass", () => {
  it("never claim more than the truth together, however messages come", () => {
    fc.assert(
      fc.property(exchanges, ({ world, shards: count, moves }) => {
        const shards = new Shards(world, count);
        for (const id of world.urls.keys()) shards.learn(id);
        const { ranks, sum } = truthOf(world);
        const isHad = (id: number) => ["page", "partly"].includes(world.urls[id].kind);
        const had = ranks.reduce((total, rank, id) => total + (isHad(id) ? rank : 0), 0);
        const sent: Message[] = [];
        for (const { what, id } of moves) {
          if (what === "push") shards.push(id % world.urls.length);
          if (what === "send") sent.push(...shards.messages());
          // Late, reordered, repeated or lost: whatever the draw says.
          if (what !== "push" && sent.length > 0) shards.deliver(sent[id % sent.length]);
          expect(shards.bound()).toBeLessThanOrEqual(had / sum + ROUNDING);
        }
      }),
    );
  });

  it("reach the certificate of a single ledger once everything has arrived", () => {
    fc.assert(
      fc.property(worldWithoutRedirects, fc.integer({ min: 2, max: 3 }), (world, count) => {
        const shards = new Shards(world, count);
        const single = new Shards(world, 1);
        for (const id of world.urls.keys()) {
          shards.learn(id);
          single.learn(id);
        }
        for (let round = 0; round < 4000; round++) {
          for (const id of world.urls.keys()) shards.push(id);
          for (const message of shards.messages()) shards.deliver(message);
        }
        certify(single.ledgers[0]);
        expect(shards.bound()).toBeCloseTo(single.bound(), 9);
      }),
      { numRuns: cases(40) },
    );
  });

  it("count the greatest total per sender, and copy what they know of it", () => {
    const make = (): MassLedger => new MassLedger({ links: LINKS, pages: 2, damping: 0.5 });
    const ledger = make();
    ledger.received(1, 7, 0.2);
    ledger.received(1, 7, 0.1);
    ledger.received(1, 7, 0.2);
    ledger.received(1, 8, 0.05);
    expect(ledger.waiting[1]).toBeCloseTo(0.25, 15);
    const copy = make();
    copy.copyFrom(ledger);
    copy.received(1, 7, 0.2);
    copy.received(1, 7, 0.3);
    expect(copy.waiting[1]).toBeCloseTo(0.35, 15);
    expect(ledger.waiting[1]).toBeCloseTo(0.25, 15);
  });
});

const LINKS = new GrowingLinks();
