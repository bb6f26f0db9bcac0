/** Numbers that stand for sources and outcomes in the database. They are written in files and never change. */
import { type Outcome, outcomes, type RereadOutcome, rereadOutcomes, type Source, sources } from "../log/index.ts";

/** 0 and 1 take no byte of a row. */
export const SOURCE_CODES: Readonly<Record<Source, number>> = {
  seed: 0,
  link: 1,
  redirect: 2,
  sitemap: 3,
  canonical: 4,
  remote: 5,
};

export const OUTCOME_CODES: Readonly<Record<Outcome, number>> = {
  downloaded: 0,
  "links-unknown": 1,
  dead: 2,
  redirected: 3,
  refused: 4,
  "try-again": 5,
};

export const REREAD_CODES: Readonly<Record<RereadOutcome, number>> = {
  unchanged: 0,
  changed: 1,
  gone: 2,
  moved: 3,
  failed: 4,
};

export const rereadCode = (outcome: RereadOutcome): number => REREAD_CODES[outcome];
export const sourceCode = (source: Source): number => SOURCE_CODES[source];
export const outcomeCode = (outcome: Outcome): number => OUTCOME_CODES[outcome];
/** Names by their codes. */
export const SOURCE_NAMES: readonly Source[] = byCode(sources, SOURCE_CODES);
export const OUTCOME_NAMES: readonly Outcome[] = byCode(outcomes, OUTCOME_CODES);
export const REREAD_NAMES: readonly RereadOutcome[] = byCode(rereadOutcomes, REREAD_CODES);

function byCode<Name extends string>(names: readonly Name[], codes: Readonly<Record<Name, number>>): readonly Name[] {
  return [...names].sort((a, b) => codes[a] - codes[b]);
}
