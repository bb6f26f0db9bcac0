/** The top of a report: the coverage, whether it reaches the target, and the largest missing share. */
import { counted, formatBytes, formatCount, percentAtLeast } from "../../base/index.ts";
import type { Limits } from "../../crawl/index.ts";
import type { SurveyFacts } from "../../survey/index.ts";
import { endInWords, REASONS, shareInWords, spanInWords, stateTexts, targetInWords } from "../../text/index.ts";
import { type Hero, heroSection } from "../pieces/hero.ts";
import type { Section } from "../pieces/sections.ts";
import type { CrawlContents } from "./contents.ts";

export function summarySection({ survey, settings, end, chosen }: CrawlContents): Section {
  const { facts } = survey;
  const { coverage } = facts.certificate;
  const { limits } = settings;
  return heroSection({
    before: "At least",
    figure: percentAtLeast(coverage),
    after: "of all importance is covered",
    level: coverage,
    ...(limits.coverage === undefined
      ? {}
      : { target: { value: limits.coverage, label: `target ${targetInWords(limits.coverage)}` } }),
    verdict: verdictOf(facts, limits),
    sentences: [...sentencesOf(facts, endInWords(end, limits, coverage))],
    facts: factsOf(facts, chosen.deadCount),
  });
}

/** In one line, for the subtitle of a page and for a terminal. */
export function summaryLine({ survey, settings }: CrawlContents): string {
  const { facts } = survey;
  const covered = `${percentAtLeast(facts.certificate.coverage)} of all importance is certainly covered`;
  const verdict = verdictOf(facts, settings.limits).word.toLowerCase();
  return `${covered}, by ${counted(facts.status.pages, "page")} (${verdict})`;
}

/** Without a target, these shares are good and fair. */
const GOOD_SHARE = 0.9;
const FAIR_SHARE = 0.5;

function verdictOf(facts: SurveyFacts, limits: Limits): Hero["verdict"] {
  const { coverage } = facts.certificate;
  const isEmpty = facts.status.frontier === 0;
  if (facts.status.pages === 0)
    return { tone: "poor", word: isEmpty && facts.visits > 0 ? "No page could be fetched" : "No page yet" };
  if (limits.coverage !== undefined) {
    if (coverage >= limits.coverage) return { tone: "good", word: "Target reached" };
    return isEmpty ? { tone: "poor", word: "Target out of reach" } : { tone: "fair", word: "Target not reached yet" };
  }
  if (isEmpty) return { tone: coverage >= FAIR_SHARE ? "good" : "fair", word: "Everything reachable is fetched" };
  if (coverage >= GOOD_SHARE) return { tone: "good", word: "Nearly everything" };
  return coverage >= FAIR_SHARE ? { tone: "fair", word: "More than half" } : { tone: "poor", word: "Less than half" };
}

function* sentencesOf(facts: SurveyFacts, end: string): Generator<string> {
  const { status, firstVisitMs, lastVisitMs } = facts;
  if (status.pages === 0) {
    if (status.known === 0) {
      yield "The crawl has not started: no URL is known yet.";
      return;
    }
    const known = `${counted(status.known, "URL")} ${status.known === 1 ? "is" : "are"} known`;
    yield `No page has been fetched yet; ${known}. ${end}`;
  } else {
    const when = firstVisitMs === null || lastVisitMs === null ? "" : `, ${spanInWords(firstVisitMs, lastVisitMs)}`;
    const known = counted(status.known, "known URL");
    const downloaded = `${status.pages === 1 ? "was" : "were"} downloaded, from ${counted(status.hosts, "host")}`;
    yield `${formatCount(status.pages)} of ${known} ${downloaded}${when}. ${end}`;
  }
  const [largest] = facts.missing;
  if (largest === undefined || largest.mass <= 0) {
    if (status.pages > 0) yield "Nothing is missing.";
    return;
  }
  const { clause, advice } = REASONS[largest.reason];
  const missing = 1 - facts.certificate.coverage;
  const isAll = largest.mass >= 0.999 * missing;
  const share = shareInWords(largest.mass);
  yield `${isAll ? "What is missing" : "Most of what is missing"} (${share}) ${clause}. ${advice}`;
}

function factsOf({ status, certainPlaces }: SurveyFacts, dead: number): Hero["facts"] {
  return [
    ["Pages downloaded", formatCount(status.pages)],
    ["URLs known", formatCount(status.known)],
    ["Waiting", formatCount(status.frontier)],
    ["Hosts", formatCount(status.hosts)],
    ["Dead links", formatCount(dead)],
    [stateTexts.refused.name, formatCount(status.refused)],
    ["Downloaded", formatBytes(status.bytes)],
    ["Certain ranks", certainPlaces === 0 ? "none yet" : formatCount(certainPlaces)],
  ];
}
