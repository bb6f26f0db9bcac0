/**
 * Which hosts block the crawler. 401, 403 and 451 forbid a page, and what is forbidden is no part of what may be
 * fetched. But a host that answers so to everything keeps the crawler out, and being blocked must never look like being
 * done: the pages that it forbids count as missing.
 *
 * A host blocks from the moment when it forbids its front page, or a seed, or so many pages in a row, until it answers
 * with a page again. What it forbade meanwhile stays blocked: nobody knows whether a rule or a ban was the reason.
 */
import { isDownloaded } from "../coverage/index.ts";
import type { UrlRecord, Visit } from "./records.ts";

/** Pages in a row. A site with a members' area has a few; a ban has no end. */
const RUN_MAX = 10;

interface HostAnswers {
  /** Forbidden pages since the last page that came, while the host is not blocked. */
  run: number[];
  isBlocked: boolean;
}

export class BlockedHosts {
  readonly #hostOf: (url: number) => number;
  /** Hosts that have forbidden a page since their last page that came. */
  readonly #answers = new Map<number, HostAnswers>();
  readonly #frontPages = new Set<number>();

  constructor(hostOf: (url: number) => number) {
    this.#hostOf = hostOf;
  }

  url({ id, path, source }: UrlRecord): void {
    if (path === "/" || source === "seed") this.#frontPages.add(id);
  }

  /** Takes in a visit, and returns the URLs that count as blocked from now on. */
  visit({ url, outcome, reason }: Visit): readonly number[] {
    if (isDownloaded(outcome)) {
      if (this.#answers.size > 0) this.#answers.delete(this.#hostOf(url));
      return NONE;
    }
    if (reason !== "forbidden") return NONE;
    const host = this.#hostOf(url);
    let answers = this.#answers.get(host);
    if (answers === undefined) this.#answers.set(host, (answers = { run: [], isBlocked: false }));
    answers.run.push(url);
    answers.isBlocked ||= this.#frontPages.has(url) || answers.run.length >= RUN_MAX;
    return answers.isBlocked ? answers.run.splice(0) : NONE;
  }

  /** Whether the host of a URL blocks the crawler now. */
  isBlocked(url: number): boolean {
    return this.#answers.get(this.#hostOf(url))?.isBlocked ?? false;
  }
}

const NONE: readonly number[] = [];
