/**
 * A crawl of a site from its front page in an order, one URL after the other. What a URL answers becomes known when it
 * is tried. Since a certificate follows from the facts alone, a crawl is kept as the sequence of URLs that it tried.
 */
import { assert } from "../../base/index.ts";
import {
  alphaOfLook,
  type Arrival,
  ceilingOf,
  certify,
  type CrawlFacts,
  knownArrival,
  type LedgerOptions,
  Look,
  LookSchedule,
  MassLedger,
  pagesHolding,
  tighten,
  type Universe,
  WALKS_PER_ROUND,
  WalksUnderWay,
} from "../../coverage/index.ts";
import { type ForecastPoint, shareNeeded } from "../../crawl/index.ts";
import { copiedRow, GrowingLinks } from "../../graph/index.ts";
import { createOrder } from "../../order/index.ts";
import type { Site } from "./site.ts";

const PRECISION = 1e-3;

/** What is known after so many downloads. */
export type SitePoint = Required<ForecastPoint>;

export class SiteCrawl {
  readonly #site: Site;
  readonly #damping: number;
  readonly #links = new GrowingLinks();
  /** URLs in the order in which they were tried. */
  readonly #tried: number[] = [];
  /** Positions in `#tried` behind each download. */
  readonly #downloads: number[] = [];

  constructor(site: Site, { order, damping }: { readonly order: string; readonly damping: number }) {
    this.#site = site;
    this.#damping = damping;
    for (const [id, { kind, links, nofollow }] of site.urls.entries()) {
      // Links that are not followed lead to a place of their own behind all URLs.
      if (kind === "page") this.#links.set(id, [...links, ...Array.from({ length: nofollow }, () => site.urls.length)]);
    }
    const chosen = createOrder(order, this.#ledgerOptions("allowed"));
    chosen.refused(site.urls.length, "nofollow");
    chosen.trusted(0, 1);
    for (let id = chosen.next(); id >= 0; id = chosen.next()) {
      this.#report(id, chosen);
      this.#tried.push(id);
      if (site.urls[id].kind === "page") this.#downloads.push(this.#tried.length);
    }
  }

  /** Pages downloaded when nothing was left to try. */
  get pages(): number {
    return this.#downloads.length;
  }

  /** Ids of the downloaded pages, in order. */
  downloaded(): number[] {
    return this.#downloads.map((position) => this.#tried[position - 1]);
  }

  /** What is proven when nothing is left to try. */
  provenAtEnd(universe: Universe): number {
    const ledger = this.#ledger(universe);
    this.#reportUpTo(ledger, 0, this.#tried.length);
    return certify(ledger).coverage;
  }

  /** The first number of downloads at which the level is proven; undefined if it never is. */
  provenAt(level: number, universe: Universe): number | undefined {
    let proven = this.#tried.length;
    let before = this.#ledger(universe);
    let trial = this.#ledger(universe);
    let reported = 0;
    this.#reportUpTo(trial, 0, proven);
    if (!isProven(trial, level)) return undefined;
    // A certificate never falls as facts are added, so the first fact that proves the level is found by bisection.
    while (proven - reported > 1) {
      const middle = (reported + proven) >>> 1;
      trial.copyFrom(before);
      this.#reportUpTo(trial, reported, middle);
      if (isProven(trial, level)) proven = middle;
      else {
        [before, trial] = [trial, before];
        reported = middle;
      }
    }
    return this.#downloads.findLastIndex((position) => position <= proven) + 1;
  }

  /**
   * Pages downloaded in all, by crawl and walks, when sampling first claims the level, or when it is proven before
   * that; undefined if neither happens.
   */
  sampledAt(level: number, { alpha, seed }: { readonly alpha: number; readonly seed: number }): number | undefined {
    const ledger = this.#ledger("allowed");
    const walks = new WalksUnderWay(new Look({ alpha: alphaOfLook(alpha, 1), levels: [level], seed }));
    const schedule = new LookSchedule({ look: walks.look, trust: [[0, 1]], seed: seed + 1 });
    const isTried = new Uint8Array(this.#site.urls.length);
    const proven = this.provenAt(level, "allowed") ?? Number.POSITIVE_INFINITY;
    for (const id of this.#tried) {
      if (isTried[id] === 0) this.#report(id, ledger);
      isTried[id] = 1;
      if (ledger.downloadedCount >= proven) return ledger.downloadedCount;
      while (ledger.downloadedCount >= schedule.nextDecision && schedule.isTimeToWalk(ledger)) {
        const fetched: number[] = [];
        walks.beginRound(ledger, WALKS_PER_ROUND);
        walks.advance((url) => {
          const known = knownArrival(ledger, url);
          if (known !== undefined) return known;
          if (isTried[url] === 0) fetched.push(url);
          isTried[url] = 1;
          return this.#arrivalAt(url);
        });
        for (const url of fetched) this.#report(url, ledger);
        if (walks.look.shown >= level) return ledger.downloadedCount;
      }
    }
    return undefined;
  }

  /** What is known after these numbers of downloads, which ascend, on the way to a goal. */
  *points(downloads: Iterable<number>, goal: number): Generator<SitePoint> {
    const ledger = this.#ledger("allowed");
    const isKnown = new Uint8Array(this.#site.urls.length);
    isKnown[0] = 1;
    let known = 1;
    let tried = 0;
    for (const pages of downloads) {
      assert(pages >= 1 && pages <= this.pages, `${pages} pages were downloaded`);
      const position = this.#downloads[pages - 1];
      this.#reportUpTo(ledger, tried, position);
      for (; tried < position; tried++) {
        for (const link of this.#site.urls[this.#tried[tried]].links) {
          known += 1 - isKnown[link];
          isKnown[link] = 1;
        }
      }
      tighten(ledger, { relativeGap: PRECISION, absoluteGap: 1e-10 });
      const coverage = ledger.bound();
      const { coverage: ceiling } = ceilingOf(ledger);
      const pagesNeeded = pagesHolding(ledger, shareNeeded(goal, coverage, ceiling));
      yield { pages, frontier: known - tried, coverage, ceiling, pagesNeeded };
    }
  }

  #arrivalAt(id: number): Arrival {
    const { kind, links } = this.#site.urls[id];
    switch (kind) {
      case "page":
        return { kind, links: copiedRow(this.#links, id) };
      case "redirect":
        return { kind, target: links[0] };
      case "dead":
      case "forbidden":
        return { kind: "outside-universe" };
      case "failed":
        return { kind: "lost" };
    }
  }

  #ledgerOptions(universe: Universe): LedgerOptions {
    return { links: this.#links, pages: this.#site.urls.length + 1, damping: this.#damping, universe };
  }

  #ledger(universe: Universe): MassLedger {
    const ledger = new MassLedger(this.#ledgerOptions(universe));
    ledger.refused(this.#site.urls.length, "nofollow");
    ledger.trusted(0, 1);
    return ledger;
  }

  #reportUpTo(facts: CrawlFacts, from: number, to: number): void {
    for (let k = from; k < to; k++) this.#report(this.#tried[k], facts);
  }

  #report(id: number, facts: CrawlFacts): void {
    const { kind, links } = this.#site.urls[id];
    switch (kind) {
      case "page":
        return facts.downloaded(id);
      case "dead":
        return facts.dead(id);
      case "redirect":
        return facts.redirected(id, links[0]);
      case "forbidden":
        return facts.refused(id, "robots");
      case "failed":
        return facts.refused(id, "failed");
    }
  }
}

function isProven(ledger: MassLedger, level: number): boolean {
  tighten(ledger, { level });
  return ledger.bound() >= level;
}
