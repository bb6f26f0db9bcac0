/**
 * What sampling showed along a crawl. The looks of the log are followed again at the pace of its visits: a walk goes on
 * once the visit that it waited for has ended, as it did in the crawl. The claim at the end is the same as that of a
 * replay that knows all visits from the beginning (looks-of-log.ts).
 */
import { IdSet } from "../../base/index.ts";
import { isDownloaded } from "../../coverage/index.ts";
import { type CrawlLog, isFinal, type LogListener } from "../../log/index.ts";
import { hasLooks, type LedgerOfLog, looksOf } from "../certify-log.ts";
import type { SampledClaim } from "./looks-of-log.ts";

/** What is shown from some visit on. */
export interface SampledStep {
  /** Pages downloaded by then. */
  readonly pages: number;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  /** Null if nothing is shown, or no longer: a host turned out to block the crawler. */
  readonly coverage: number | null;
}

export interface SampledTide {
  /** Undefined before the first walk. */
  readonly claim: SampledClaim | undefined;
  readonly steps: readonly SampledStep[];
}

/** Of all looks of a log, whatever their confidence. The ledger knows the whole log. */
export function sampledTide(log: CrawlLog, facts: LedgerOfLog): SampledTide {
  const steps: SampledStep[] = [];
  if (!hasLooks(log)) return { claim: undefined, steps };
  /** URLs whose outcome the log has told so far. */
  const known = new IdSet();
  const looks = looksOf(facts, (url) => known.has(url));
  const walks: LogListener = {
    url: ({ id, reason }) => {
      if (reason !== null) known.add(id);
    },
    visited: ({ url, outcome }) => {
      if (isFinal(outcome)) known.add(url);
      looks.advance();
    },
  };
  let pages = 0;
  let shown: number | null = null;
  const gauge: LogListener = {
    visited: ({ outcome, atMs }) => {
      if (isDownloaded(outcome)) pages++;
      const coverage = looks.claim()?.coverage || null;
      if (coverage !== shown) steps.push({ pages, atMs, coverage });
      shown = coverage;
    },
  };
  looks.read(log, { before: walks, after: gauge });
  return { claim: looks.claim(), steps };
}
