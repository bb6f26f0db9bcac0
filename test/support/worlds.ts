/**
 * Random worlds, and crawls of them in any order: facts learnt early and late, with half-finished pushes in between.
 */
import fc from "fast-check";
import type { CrawlFacts, RefusalReason } from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import type { World, WorldUrl } from "./truth.ts";

const KNOWN_MAX = 9;
const HIDDEN_MAX = 4;

type Kind = WorldUrl["kind"];

const kindOfKnown = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Kind>("page") },
  { weight: 1, arbitrary: fc.constantFrom<Kind>("partly", "forbidden", "dead") },
  { weight: 2, arbitrary: fc.constant<Kind>("redirect") },
);
const kindOfHidden = fc.constantFrom<Kind>("page", "page", "dead", "redirect");
const weight = fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1, noNaN: true }));
const ids = fc.array(fc.nat(1e6), { maxLength: 5 });
const urlOf = (kind: fc.Arbitrary<Kind>) =>
  fc.record({ kind, links: ids, seenLinks: ids, trust: weight, target: fc.nat(1e6) });

/** Dampings that mean something, the extremes among them. */
const damping = fc.oneof(fc.constantFrom(0.1, 0.5, 0.85, 0.99), fc.double({ min: 0.1, max: 0.99, noNaN: true }));

/**
 * A world of at most 13 URLs. Links of pages that a crawler can read lead to URLs that it can know; all others lead
 * anywhere. Links may repeat in a row and never lead to their own page, except through redirects.
 */
export const world: fc.Arbitrary<World> = fc
  .record({
    damping,
    known: fc.array(urlOf(kindOfKnown), { minLength: 1, maxLength: KNOWN_MAX }),
    hidden: fc.array(urlOf(kindOfHidden), { maxLength: HIDDEN_MAX }),
  })
  .map(({ damping, known, hidden }) => {
    const drawn = [...known, ...hidden];
    const total = drawn.reduce((sum, { trust }) => sum + trust, 0);
    const urls = drawn.map(({ kind, links, seenLinks, trust, target }, id): WorldUrl => {
      const isRead = id < known.length && (kind === "page" || kind === "redirect");
      const within = isRead ? known.length : drawn.length;
      const others = (to: readonly number[], count: number) => to.map((k) => k % count).filter((k) => k !== id);
      return {
        kind,
        links: kind === "redirect" ? [target % within] : others(links, within),
        seenLinks: others(seenLinks, known.length),
        trust: total === 0 ? Number(id === 0) : trust / total,
      };
    });
    return { damping, known: known.length, urls };
  });

export const worldWithoutRedirects: fc.Arbitrary<World> = world.map((world) => ({
  ...world,
  urls: world.urls.map((url, id) =>
    url.kind === "redirect" ? { ...url, kind: "page", links: url.links.filter((to) => to !== id) } : url,
  ),
}));

/** One thing that a crawler comes to know. `refused` may come before another fate of the same URL. */
export interface Fact {
  readonly about: "trust" | "fate" | "refusal";
  readonly url: number;
}

function factsOf(world: World): Fact[] {
  const urls = Array.from({ length: world.known }, (_, url) => url);
  return urls.flatMap((url) => [
    { about: "trust", url },
    { about: "fate", url },
    { about: "refusal", url },
  ]);
}

/** Some of the facts about a world in any order; at times all of them. */
export const factsInAnyOrder = (world: World): fc.Arbitrary<Fact[]> =>
  fc.oneof(fc.shuffledSubarray(factsOf(world)), fc.shuffledSubarray(factsOf(world), { minLength: 3 * world.known }));

/** Emits facts about a world to listeners, with ids that grow only as they occur. */
export class FactEmitter {
  readonly links = new GrowingLinks();
  readonly learnt = new Set<number>();
  readonly trusted = new Set<number>();
  readonly had = new Set<number>();
  readonly #world: World;
  readonly #listeners: CrawlFacts[] = [];
  #pages = 1;

  readonly #refusals: readonly RefusalReason[];

  /** `refusals` are the reasons of URLs that may still turn out to be anything. */
  constructor(world: World, refusals = REFUSALS) {
    this.#world = world;
    this.#refusals = refusals;
  }

  get options() {
    return { links: this.links, pages: 1, damping: this.#world.damping };
  }

  addListener<T extends CrawlFacts>(listener: T): T {
    this.#listeners.push(listener);
    return listener;
  }

  emit({ about, url }: Fact): void {
    if (about === "trust") this.#emitTrust(url);
    else if (about === "fate") this.#emitFate(url);
    else if (!this.learnt.has(url))
      this.#each(url, (listener) => listener.refused(url, this.#refusals[url % this.#refusals.length]));
  }

  #emitTrust(url: number): void {
    this.trusted.add(url);
    this.#each(url, (listener) => listener.trusted(url, this.#world.urls[url].trust));
  }

  #emitFate(url: number): void {
    const { kind, links, seenLinks } = this.#world.urls[url];
    if (kind === "forbidden") {
      this.#each(url, (listener) => listener.refused(url, "robots"));
      return;
    }
    this.learnt.add(url);
    const row = kind === "partly" ? seenLinks : links;
    const greatest = Math.max(url, ...row);
    if (kind === "page" || kind === "partly") {
      this.had.add(url);
      this.links.set(url, row);
    }
    if (kind === "page") this.#each(greatest, (listener) => listener.downloaded(url));
    else if (kind === "partly") this.#each(greatest, (listener) => listener.linksUnknown(url));
    else if (kind === "dead") this.#each(url, (listener) => listener.dead(url));
    else this.#each(greatest, (listener) => listener.redirected(url, row[0]));
  }

  #each(greatestId: number, tell: (listener: CrawlFacts) => void): void {
    this.#pages = Math.max(this.#pages, greatestId + 1);
    for (const listener of this.#listeners) {
      listener.grow(this.#pages);
      tell(listener);
    }
  }
}

const REFUSALS: readonly RefusalReason[] = ["trap", "limit", "failed", "nofollow", "out-of-scope"];

export function reasonFor(url: number): RefusalReason {
  return REFUSALS[url % REFUSALS.length];
}
