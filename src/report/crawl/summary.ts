/** The head of a report: what is certain, whether that is enough, and what is in the way. */
import { counted, formatBytes, formatCount, percentAtLeast } from "../../base/index.ts";
import type { Limits } from "../../crawl/index.ts";
import { type Hero, heroSection } from "../pieces/hero.ts";
import { type Section } from "../pieces/card.ts";
import type { SurveyFacts } from "../../survey/index.ts";
import type { CrawlContents } from "./contents.ts";
import { endInWords, targetInWords, REASONS, shareInWords, spanInWords } from "../../text/index.ts";

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

/** The same in a line, for a page's subtitle and for a terminal. */
export function summaryLine({ survey, settings }: CrawlContents): string {
  const { facts } = survey;
  return `${percentAtLeast(facts.certificate.coverage)} of all importance is certainly covered, by ${counted(facts.status.pages, "page")} (${verdictOf(facts, settings.limits).word.toLowerCase()})`;
}

/** Where nobody has set a target, these shares are good and fair. */
const GOOD_SHARE = 0.9;
const FAIR_SHARE = 0.5;

function verdictOf(facts: SurveyFacts, limits: Limits): Hero["verdict"] {
  const { coverage } = facts.certificate;
  const isEmpty = facts.status.frontier === 0;
  if (facts.status.pages === 0)
    return { tone: "poor", word: isEmpty && facts.visits > 0 ? "No page could be fetched" : "No page yet" };
  if (limits.coverage !== undefined) {
    if (coverage >= limits.coverage) return { tone: "good", word: "Target reached" };
    return isEmpty
      ? { tone: "poor", word: "Target out of reach" }
      : { tone: "fair", word: "Target not reached yet" };
  }
  if (isEmpty) return { tone: coverage >= FAIR_SHARE ? "good" : "fair", word: "All fetched that can be" };
  if (coverage >= GOOD_SHARE) return { tone: "good", word: "Nearly everything" };
  return coverage >= FAIR_SHARE
    ? { tone: "fair", word: "More than half" }
    : { tone: "poor", word: "Less than half" };
}

function* sentencesOf(facts: SurveyFacts, end: string): Generator<string> {
  const { status, firstVisitMs, lastVisitMs } = facts;
  if (status.pages === 0) {
    if (status.known === 0) {
      yield "The crawl has not begun: no URL is known yet.";
      return;
    }
    yield `No page was fetched yet; ${counted(status.known, "URL")} ${status.known === 1 ? "is" : "are"} known. ${end}`;
  } else {
    const when =
      firstVisitMs === null || lastVisitMs === null
        ? ""
        : `, fetched ${spanInWords(firstVisitMs, lastVisitMs)}`;
    yield `${formatCount(status.pages)} of ${counted(status.known, "known URL")} ${status.pages === 1 ? "holds" : "hold"} it, on ${counted(status.hosts, "host")}${when}. ${end}`;
  }
  const [largest] = facts.missing;
  if (largest === undefined || largest.mass <= 0) {
    if (status.pages > 0) yield "Nothing is missing.";
    return;
  }
  const { fate, advice } = REASONS[largest.reason];
  const missing = 1 - facts.certificate.coverage;
  const isAll = largest.mass >= 0.999 * missing;
  yield `${isAll ? "The rest" : "Most of the rest"} (${shareInWords(largest.mass)}) ${fate}. ${advice}`;
}

function factsOf({ status, certainPlaces }: SurveyFacts, dead: number): Hero["facts"] {
  return [
    ["Pages downloaded", formatCount(status.pages)],
    ["URLs known", formatCount(status.known)],
    ["Still waiting", formatCount(status.frontier)],
    ["Hosts", formatCount(status.hosts)],
    ["Dead links", formatCount(dead)],
    ["Refused", formatCount(status.refused)],
    ["Transferred", formatBytes(status.bytes)],
    ["Places that are certain", certainPlaces === 0 ? "none yet" : formatCount(certainPlaces)],
  ];
}
