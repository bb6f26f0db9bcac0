/**
 * What holds for every log: numbers count up without a gap, references point backwards, and what a visit carries fits
 * its outcome. A record that breaks a rule is a bug of the writer and is rejected before it is written.
 */
import { assert } from "../base/index.ts";
import { ROBOTS_BYTES_KEPT } from "../web/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import {
  type CutRecord,
  isFinal,
  type LookRecord,
  type Reread,
  type RoundRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "./records.ts";

export class LogRules {
  origins: number;
  urls: number;
  visits: number;
  rereads: number;
  looks: number;

  constructor(counts: Readonly<Record<"origins" | "urls" | "visits" | "rereads" | "looks", number>>) {
    this.origins = counts.origins;
    this.urls = counts.urls;
    this.visits = counts.visits;
    this.rereads = counts.rereads;
    this.looks = counts.looks;
  }

  addOrigin(id: number): void {
    if (id !== this.origins) throw outOfTurn("origin", id, this.origins);
    this.origins++;
  }

  addUrl(url: UrlRecord): void {
    if (url.id !== this.urls) throw outOfTurn("URL", url.id, this.urls);
    if (!(url.origin >= 0 && url.origin < this.origins)) throw unknown("origin", url.origin);
    const isNeverFetched = url.reason !== null && url.reason !== "elsewhere";
    assert((url.path === null) === isNeverFetched, `URL ${url.id} is a sink with a reason, or has a path`);
    this.urls++;
  }

  /** `replaces`: the number of an earlier visit of the same URL, whose outcome counts no more. */
  addVisit(visit: Visit, replaces?: number): void {
    if (visit.number !== this.visits + 1) throw outOfTurn("visit", visit.number, this.visits + 1);
    this.knownUrl(visit.url);
    const { outcome, number } = visit;
    assert(replaces === undefined || isFinal(outcome), `visit ${number} (${outcome}) replaces one only if it is final`);
    assert(
      (visit.links !== null) === isDownloaded(outcome),
      `visit ${number} (${outcome}) has links only if downloaded`,
    );
    assert(
      (visit.reason !== null) === (outcome === "refused"),
      `visit ${number} (${outcome}) has a reason only if refused`,
    );
    assert(
      (visit.target !== null) === (outcome === "redirected"),
      `visit ${number} (${outcome}) has a target only if redirected`,
    );
    if (visit.target !== null) this.knownUrl(visit.target);
    this.visits++;
  }

  /** Texts of links, or of the page itself. */
  addTexts(visit: number): void {
    assert(visit === this.visits && visit > 0, `texts are those of the last visit, number ${this.visits}`);
  }

  addReread(reread: Reread): void {
    if (reread.number !== this.rereads + 1) throw outOfTurn("reread", reread.number, this.rereads + 1);
    this.knownUrl(reread.url);
    assert((reread.visit ?? 0) <= this.visits, `reread ${reread.number} names a visit of the log`);
    this.rereads++;
  }

  addLook({ number }: LookRecord): void {
    if (number !== this.looks + 1) throw outOfTurn("look", number, this.looks + 1);
    this.looks++;
  }

  addRound({ look, afterVisit }: RoundRecord): void {
    assert(look === this.looks && look > 0, `a round is one of the last look, number ${this.looks}`);
    assert(afterVisit === this.visits, `a round begins with all visits so far: ${this.visits}, not ${afterVisit}`);
  }

  addCut({ look, url }: CutRecord): void {
    assert(look === this.looks && look > 0, `a walk of the last look is cut, number ${this.looks}`);
    this.knownUrl(url);
  }

  replaceTrust(trust: readonly TrustRecord[]): void {
    for (const { url } of trust) this.knownUrl(url);
  }

  putRobots(origin: number, body: Uint8Array | null): void {
    if (!(origin >= 0 && origin < this.origins)) throw unknown("origin", origin);
    const bytes = body?.length ?? 0;
    assert(
      bytes <= ROBOTS_BYTES_KEPT,
      `robots.txt of origin ${origin} has ${bytes} bytes, at most ${ROBOTS_BYTES_KEPT}`,
    );
  }

  knownUrl(url: number): void {
    if (!(url >= 0 && url < this.urls)) throw unknown("URL", url);
  }
}

function outOfTurn(what: string, got: number, expected: number): Error {
  return new Error(`assertion failed: ${what} ${got} was appended when ${expected} was next`);
}

function unknown(what: string, id: number): Error {
  return new Error(`assertion failed: ${what} ${id} is not in the log`);
}

/** A second final outcome of a URL. */
export function secondOutcome(visit: Visit): Error {
  const { number, url, outcome } = visit;
  return new Error(
    `assertion failed: visit ${number} gives URL ${url} the outcome "${outcome}", but it has a final one`,
  );
}

/** A visit that replaces what is no final outcome of its URL that counts. */
export function noSuchOutcome({ number, url }: Visit, replaced: number): Error {
  return new Error(
    `assertion failed: visit ${number} replaces visit ${replaced}, which is not the outcome of URL ${url}`,
  );
}
