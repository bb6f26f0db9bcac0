/**
 * Resuming: the log of a crawl is told again, in its order, to everything that is derived from it. A crawl just made has an empty log and
 * its seeds.
 */
import type { ProgressStep } from "../base/index.ts";
import type { CrawlStore, Visit } from "../store/index.ts";
import type { PageVisits } from "./page-visit.ts";
import { type CrawlRecord, REWRITTEN, reasonOf } from "./record.ts";
import type { RobotsPolicy } from "./politeness/robots-policy.ts";

export interface ReplayOptions {
  readonly record: CrawlRecord;
  readonly store: CrawlStore;
  readonly visits: PageVisits;
  readonly robots: RobotsPolicy;
}

/** A URL that no page links to becomes known after the visit during which it was heard of. */
interface Lone {
  readonly url: number;
  readonly heardAt: number;
}

const TASK = "reading what the crawl knows";
const URLS_PER_STEP = 8192;
const VISITS_PER_STEP = 512;

export class Replay {
  readonly #options: ReplayOptions;
  readonly #lone: Lone[] = [];
  #nextLone = 0;
  /** Origins whose robots.txt was obeyed. */
  readonly #obeyed = new Set<number>();

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /** Tells all, some of it at a step: a log of millions takes a minute, in which others may want their turn. */
  *steps(): Generator<ProgressStep, void> {
    const { record, store, robots } = this.#options;
    const total = store.urlCount;
    record.reserve(total);
    for (const origin of store.origins()) record.replayOrigin(origin);
    for (const { id, origin, path, depth, source, heardAt, reason } of store.urls()) {
      record.replayUrl(origin, path, depth, reason === null ? null : reasonOf(reason));
      // A seed of an earlier run may be trusted no more, and waits all the same.
      if (source === "sitemap" || source === "canonical" || source === "seed") {
        this.#lone.push({ url: id, heardAt });
      }
      if (id % URLS_PER_STEP === 0 && id > 0) yield { task: TASK, done: id, total, unit: "URLs" };
    }
    for (const { url, weight } of store.trust()) record.trust(url, weight);
    this.#tellLone(0);
    for (const visit of store.visits()) {
      this.#tell(visit);
      this.#tellLone(visit.number);
      if (visit.number % VISITS_PER_STEP === 0) yield { task: TASK, done: visit.number, unit: "visits" };
    }
    robots.restore(this.#obeyed);
  }

  #tell(visit: Visit): void {
    const { record, visits } = this.#options;
    const { url, outcome, digest } = visit;
    record.replayVisit(visit.wireBytes);
    if (visit.status !== null) record.hostOf(url).hasAnswered = true;
    const wasAsked = visit.status !== null || outcome === "try-again";
    if (wasAsked || visit.reason === "robots") this.#obeyed.add(record.urls.originOf(url));
    switch (outcome) {
      case "downloaded":
      case "downloaded-partly":
        if (digest !== null) {
          const view = new DataView(digest.buffer, digest.byteOffset);
          visits.restoreContent(url, view.getUint32(0), view.getUint32(4));
        }
        return record.replayDownload(url, visit.links ?? new Uint32Array(0), outcome === "downloaded");
      case "dead":
        return record.replayDead(url);
      case "redirected":
        return record.replayRedirect(url, visit.target ?? url, visit.reason === REWRITTEN);
      case "refused":
        return record.replayRefusal(url, reasonOf(visit.reason ?? "failed"));
      case "try-again":
        record.outcomes["try-again"]++;
        return visits.restoreAttempt(url);
    }
  }

  #tellLone(heardAt: number): void {
    for (; this.#nextLone < this.#lone.length; this.#nextLone++) {
      const lone = this.#lone[this.#nextLone];
      if (lone.heardAt > heardAt) return;
      this.#options.record.known(lone.url, 0);
    }
  }
}
