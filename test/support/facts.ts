/** Random logs of facts, as a crawler might write them: every reference points backwards, a second final outcome replaces the first. */
import fc from "fast-check";
import { type CrawlStore } from "../../src/store/index.ts";
import {
  BLANK_VISIT,
  type Outcome,
  outcomes,
  type RobotsRecord,
  sources,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../../src/log/index.ts";

export type Fact =
  | { readonly about: "origin"; readonly id: number; readonly origin: string }
  | { readonly about: "url"; readonly url: UrlRecord }
  | { readonly about: "visit"; readonly visit: Visit; readonly replaces?: number | undefined }
  | { readonly about: "trust"; readonly trust: readonly TrustRecord[] }
  | { readonly about: "robots"; readonly robots: RobotsRecord }
  | { readonly about: "commit" };

/** What a log amounts to. */
export interface Facts {
  readonly origins: readonly string[];
  readonly urls: readonly UrlRecord[];
  readonly visits: readonly Visit[];
  readonly trust: readonly TrustRecord[];
  readonly robots: readonly RobotsRecord[];
}

export function writeFact(store: CrawlStore, fact: Fact): void {
  if (fact.about === "origin") store.addOrigin(fact.id, fact.origin);
  else if (fact.about === "url") store.addUrl(fact.url);
  else if (fact.about === "visit") store.addVisit(fact.visit, fact.replaces);
  else if (fact.about === "trust") store.replaceTrust(fact.trust);
  else if (fact.about === "robots") store.putRobots(fact.robots);
  else store.commit();
}

/** One of these is one step of a log; what it refers to is chosen among what there is by then. */
interface Draw {
  readonly kind: number;
  readonly pick: number;
  readonly text: string;
  readonly numbers: readonly number[];
}

const draw: fc.Arbitrary<Draw> = fc.record({
  kind: fc.nat(15),
  pick: fc.nat(1e6),
  text: fc.string({ unit: "grapheme", maxLength: 12 }),
  numbers: fc.array(fc.nat(1e6), { maxLength: 6 }),
});

export const facts: fc.Arbitrary<{ readonly log: readonly Fact[] }> = fc
  .array(draw, { minLength: 1, maxLength: 60 })
  .map((draws) => ({ log: new LogMaker().make(draws) }));

class LogMaker {
  readonly #log: Fact[] = [];
  /** The final visit of each URL that has one. */
  readonly #finals = new Map<number, number>();
  #origins = 0;
  #urls = 0;
  #visits = 0;

  make(draws: readonly Draw[]): readonly Fact[] {
    for (const draw of draws) this.#log.push(this.#fact(draw));
    return this.#log;
  }

  #fact(draw: Draw): Fact {
    const { kind, pick, numbers } = draw;
    if (kind === 0 || this.#origins === 0) {
      return { about: "origin", id: this.#origins, origin: `https://h${this.#origins++}.example` };
    }
    if (kind === 1) return { about: "commit" };
    if (kind <= 6 || this.#urls === 0) return { about: "url", url: this.#url(draw) };
    if (kind === 7) {
      const urls = [...new Set(numbers.map((number) => number % this.#urls))];
      return { about: "trust", trust: urls.map((url) => ({ url, weight: 0.1 + pick / 7 })) };
    }
    if (kind === 8) return { about: "robots", robots: this.#robots(draw) };
    const before = this.#finals.get(draw.pick % this.#urls);
    const visit = this.#visit(draw);
    if (visit.outcome === "try-again") return { about: "visit", visit };
    this.#finals.set(visit.url, visit.number);
    return { about: "visit", visit, replaces: before };
  }

  #url({ pick, text }: Draw): UrlRecord {
    const sink = pick % 7 === 0;
    return {
      id: this.#urls++,
      origin: pick % this.#origins,
      path: sink ? null : `/${text}`,
      depth: pick % 300,
      source: sources[pick % sources.length],
      discoveredAt: this.#visits,
      reason: sink ? "out-of-scope" : null,
    };
  }

  #robots({ pick, text }: Draw): RobotsRecord {
    return {
      origin: pick % this.#origins,
      atMs: 1_700_000_000_000 + pick,
      status: pick % 3 === 0 ? null : 200,
      body: pick % 3 === 0 ? null : new TextEncoder().encode(text),
    };
  }

  #visit({ pick, text, numbers }: Draw): Visit {
    const url = pick % this.#urls;
    const outcome: Outcome = outcomes[pick % outcomes.length];
    const some = pick % 2 === 0;
    const downloaded = outcome === "downloaded" || outcome === "links-unknown";
    return {
      ...BLANK_VISIT,
      number: ++this.#visits,
      url,
      atMs: 1_700_000_000_000 + pick,
      outcome,
      reason: outcome === "refused" ? "robots" : null,
      status: some ? 200 : null,
      wireBytes: pick,
      milliseconds: pick % 5000,
      contentType: some ? "text/html" : null,
      title: downloaded ? text : null,
      noindex: downloaded ? some : null,
      noarchive: downloaded ? !some : null,
      robotsTag: some ? text : null,
      usage: some ? "search=yes" : null,
      digest: some ? Uint8Array.from({ length: 8 }, (_, i) => pick >> i) : null,
      simhash: downloaded ? Uint8Array.from({ length: 8 }, (_, i) => pick >> (7 - i)) : null,
      etag: some ? text : null,
      lastModified: some ? null : text,
      location: outcome === "refused" ? `http://elsewhere.example/${text}` : null,
      target: outcome === "redirected" ? pick % this.#urls : null,
      links: downloaded ? Uint32Array.from(numbers, (number) => number % this.#urls) : null,
    };
  }
}
