/**
 * The true importance of the pages of the demo web, by power iteration over all of its links. It uses nothing of the
 * crawler: links are found by a regular expression, which is enough for pages whose maker is known.
 *
 * Lives that take a dropped link end; dead pages count nothing. The endless calendar is cut where no importance arrives.
 */
import { DEMO_SEED } from "../../src/demo/index.ts";
import { demoReply } from "../../src/demo/pages.ts";

const DAMPING = 0.85;
const ROUNDS = 400;
/** Steps from the seed: 0.85^150 of all lives get so far. */
const DEPTH_MAX = 150;

interface Place {
  /** The share of all importance. */
  rank: number;
  readonly kind: "page" | "dead";
  readonly links: readonly string[];
}

export class DemoTruth {
  readonly #places = new Map<string, Place>();
  /** Where redirects end; null for those that go round. */
  readonly #ends = new Map<string, string | null>();

  constructor(drops: (from: string, to: string) => boolean) {
    this.#explore(drops);
    this.#rank();
  }

  /** The share of all importance that a page holds; 0 for what is no page. */
  rankOf(url: string): number {
    return this.#places.get(url)?.rank ?? 0;
  }

  /** How many pages hold a share at least: no order needs fewer requests. */
  fewest(share: number): number {
    const ranks = [...this.#places.values()].map(({ rank }) => rank).toSorted((a, b) => b - a);
    let held = 0;
    return 1 + ranks.findIndex((rank) => (held += rank) >= share);
  }

  #explore(drops: (from: string, to: string) => boolean): void {
    let level = new Set([DEMO_SEED]);
    for (let depth = 0; level.size > 0 && depth < DEPTH_MAX; depth++) {
      const next = new Set<string>();
      for (const url of level) {
        const end = this.#endOf(url);
        if (end === null || this.#places.has(end)) continue;
        const { status, body } = replyOf(end);
        const all = new Set([...body.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => new URL(href, end).href));
        all.delete(end);
        const links = [...all].map((link) => (drops(end, link) ? "" : link));
        this.#places.set(end, { rank: 0, kind: status === 200 ? "page" : "dead", links: status === 200 ? links : [] });
        for (const link of links) if (link !== "") next.add(link);
      }
      level = next;
    }
  }

  #endOf(url: string): string | null {
    const known = this.#ends.get(url);
    if (known !== undefined) return known;
    let end: string | null = url;
    for (let steps = 0; end !== null; steps++) {
      const location: string | undefined = replyOf(end).headers["location"];
      if (location === undefined) break;
      end = steps > 10 ? null : new URL(location, end).href;
    }
    this.#ends.set(url, end);
    return end;
  }

  /** -1 where lives end. */
  #numberOf(link: string, numbers: ReadonlyMap<string, number>): number {
    const end = link === "" ? null : this.#endOf(link);
    return end === null ? -1 : (numbers.get(end) ?? -1);
  }

  #rank(): void {
    const places = [...this.#places];
    const numbers = new Map(places.map(([url], number) => [url, number]));
    const rows = places.map(([, { links }]) => links.map((link) => this.#numberOf(link, numbers)));
    const start = numbers.get(this.#endOf(DEMO_SEED) ?? "") ?? 0;
    let ranks = new Float64Array(places.length);
    for (let round = 0; round < ROUNDS; round++) {
      const next = new Float64Array(places.length);
      next[start] = 1 - DAMPING;
      for (const [from, row] of rows.entries()) {
        for (const to of row) if (to >= 0) next[to] += (DAMPING * ranks[from]) / row.length;
      }
      ranks = next;
    }
    let sum = 0;
    for (const [number, [, { kind }]] of places.entries()) if (kind === "page") sum += ranks[number];
    for (const [number, [, place]] of places.entries()) place.rank = place.kind === "page" ? ranks[number] / sum : 0;
  }
}

/** As it is answered to a second request: the shop is overloaded at the first. */
function replyOf(url: string): ReturnType<typeof demoReply> {
  const { hostname, pathname, search } = new URL(url);
  return demoReply(hostname, pathname + search, 2);
}
