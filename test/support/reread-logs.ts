/** Random logs of pages that were read again, for whoever condenses such logs. */
import fc from "fast-check";
import { BLANK_VISIT, type Reread, type RereadOutcome } from "../../src/log/index.ts";
import type { CrawlStore } from "../../src/store/index.ts";

export const PAGES = 3;
export const START_MS = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

export interface ReadStep {
  readonly url: number;
  /** Since the step before; negative where the clock was set back. */
  readonly waitMs: number;
  readonly outcome: RereadOutcome;
  /** Of a page that is gone or has moved: it is believed. Of a change: a visit shows it, as since version 0.2. */
  readonly isBelieved: boolean;
  readonly etag: string | null;
  /** How long before the read the page was modified, by its date; null without one. */
  readonly ageMs: number | null;
  readonly place: string;
}

const waitMs = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 60 }).map((hours) => hours * HOUR_MS + 1) },
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: -30, max: -1 }).map((hours) => hours * HOUR_MS) },
);
const outcome = fc.oneof(
  { weight: 10, arbitrary: fc.constant<RereadOutcome>("unchanged") },
  { weight: 6, arbitrary: fc.constant<RereadOutcome>("changed") },
  { weight: 5, arbitrary: fc.constant<RereadOutcome>("failed") },
  { weight: 2, arbitrary: fc.constantFrom<RereadOutcome>("gone", "moved") },
);
/** Also of less than two minutes, which is not credible, and of a time to come. */
const ageMs = fc.option(fc.integer({ min: -2, max: 150 }).map((hours) => hours * HOUR_MS));
const rarely = fc.integer({ min: 0, max: 29 }).map((drawn) => drawn === 0);

export const readSteps: fc.Arbitrary<readonly ReadStep[]> = fc.array(
  fc
    .record({
      url: fc.nat(PAGES - 1),
      waitMs,
      outcome,
      isRare: rarely,
      etag: fc.constantFrom(null, '"a"', '"b"'),
      ageMs,
      place: fc.constantFrom("/x", "/y"),
    })
    .map(({ isRare, ...step }) => ({ ...step, isBelieved: step.outcome === "changed" ? !isRare : isRare })),
  { minLength: 10, maxLength: 60 },
);

/** Crawls some pages, and reads them again. What is gone for good is not read any more. Returns the time at the end. */
export function writeReads(store: CrawlStore, steps: readonly ReadStep[]): number {
  store.addOrigin(0, "http://a.example");
  const counting = Array.from({ length: PAGES }, (_, url) => {
    store.addUrl({ id: url, origin: 0, path: `/${url}`, depth: 0, source: "seed", discoveredAt: 0, reason: null });
    return url + 1;
  });
  store.replaceTrust(counting.map((_, url) => ({ url, weight: 1 / PAGES })));
  const links = Uint32Array.from(counting.keys());
  const blank = { ...BLANK_VISIT, links, status: 200 };
  for (const [url, number] of counting.entries()) store.addVisit({ ...blank, number, url, atMs: START_MS + url });
  let [atMs, visits, number] = [START_MS + PAGES, PAGES, 0];
  const ended = new Set<number>();
  for (const step of steps) {
    const { url, outcome, etag, isBelieved, ageMs } = step;
    atMs += step.waitMs;
    const lastModified = ageMs === null ? null : new Date(atMs - ageMs).toUTCString();
    if (ended.has(url)) continue;
    const digest = outcome === "changed" ? Uint8Array.of(0, 0, 0, 0, 0, 0, visits >> 8, visits & 255) : null;
    let visit: number | null = null;
    if (isBelieved && outcome !== "unchanged" && outcome !== "failed") {
      visit = ++visits;
      if (outcome === "changed")
        store.addVisit({ ...blank, number: visit, url, atMs, digest, etag, lastModified }, counting[url]);
      else {
        store.addVisit(
          { ...blank, number: visit, url, atMs, outcome: "dead", status: 404, links: null },
          counting[url],
        );
        ended.add(url);
      }
      counting[url] = visit;
    }
    store.addReread({ ...rereadOf(step), number: ++number, url, atMs, outcome, digest, etag, lastModified, visit });
  }
  store.commit();
  return atMs;
}

function rereadOf({
  outcome,
  place,
}: ReadStep): Pick<Reread, "reason" | "target" | "status" | "milliseconds" | "wireBytes"> {
  return {
    reason: outcome === "failed" ? `timeout${place}` : null,
    target: outcome === "moved" ? `http://a.example${place}` : null,
    status: outcome === "failed" ? null : 200,
    milliseconds: 1,
    wireBytes: 1,
  };
}
