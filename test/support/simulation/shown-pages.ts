/**
 * What pages of a simulated web show from one request to the next: whoever requests a page again, because what came of
 * the first request was lost or failed, may find other links there, or nothing, or that it has moved.
 *
 * An answer names the request that it was given to in its ETag, which is stored with what it says. So the logs tell
 * which web they are about: each page that they know the end of is as it was in that answer.
 */
import { mix32, Random } from "../../../src/base/index.ts";
import type { Visit } from "../../../src/log/index.ts";
import { changedPage } from "./changes.ts";
import { type SimulatedPage, SimulatedWeb } from "./web.ts";

/** A page of which the logs know what became of it, and the answer that told so. */
export interface ToldPage {
  readonly page: number;
  readonly etag: Visit["etag"];
}

export class ShownPages {
  /** Requests of pages that had changed since the request before. */
  changes = 0;
  readonly #web: SimulatedWeb;
  readonly #seed: number | undefined;
  /** By page, what each request was shown; the first at 0. */
  readonly #shown = new Map<number, SimulatedPage[]>();

  /** Without a seed pages stay as they are. */
  constructor(web: SimulatedWeb, seed?: number) {
    this.#web = web;
    this.#seed = seed;
  }

  get areChanging(): boolean {
    return this.#seed !== undefined;
  }

  /** What a page shows to its nth request, counted from 1. */
  shownTo(page: number, request: number): SimulatedPage {
    const first = this.#web.pages[page];
    if (this.#seed === undefined) return first;
    const shown = this.#shown.get(page) ?? [first];
    this.#shown.set(page, shown);
    while (shown.length < request) {
      const random = new Random(mix32(this.#seed + 977 * page), shown.length);
      const before = shown[shown.length - 1];
      let now = before;
      while (now === before) now = changedPage(before, random, this.#web.pages.length);
      this.changes++;
      shown.push({ ...now, version: shown.length });
    }
    return shown[request - 1];
  }

  /** Pages to which a page has led that somebody was shown, whether or not it was stored. */
  get everLinked(): Set<number> {
    return new Set([...this.#shown.values()].flat().flatMap(({ links }) => links));
  }

  /** The web that logs are about. What they know nothing of is as it was at first. */
  webOf(told: readonly ToldPage[]): SimulatedWeb {
    if (this.#seed === undefined) return this.#web;
    const pages = [...this.#web.pages];
    for (const { page, etag } of told) {
      if (etag !== null) pages[page] = this.shownTo(page, requestIn(etag));
    }
    return new SimulatedWeb({ hosts: this.#web.hosts, seeds: this.#web.seeds, pages });
  }
}

export function etagOf(request: number): string {
  return `"${request}"`;
}

function requestIn(etag: string): number {
  return Number(etag.slice(1, -1));
}
