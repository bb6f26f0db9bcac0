/** Numbers that stand for names in rows. */
import type { Outcome, RereadOutcome, Source } from "../log/index.ts";

type Codes<Name extends string> = Readonly<Record<Name, number>>;

/** Numbers that stand for names in the database. They are in files, and never change. 0 and 1 take no byte of a row. */
export const SOURCE_CODES: Codes<Source> = { seed: 0, link: 1, redirect: 2, sitemap: 3, canonical: 4, remote: 5 };
export const OUTCOME_CODES: Codes<Outcome> = {
  downloaded: 0,
  "links-unknown": 1,
  dead: 2,
  redirected: 3,
  refused: 4,
  "try-again": 5,
};
export const REREAD_CODES: Codes<RereadOutcome> = { unchanged: 0, changed: 1, gone: 2, moved: 3, failed: 4 };
/** Names by their codes. */
export const SOURCE_NAMES = byCode(SOURCE_CODES);
export const OUTCOME_NAMES = byCode(OUTCOME_CODES);
export const REREAD_NAMES = byCode(REREAD_CODES);

function byCode<Name extends string>(codes: Codes<Name>): readonly Name[] {
  return (Object.keys(codes) as Name[]).sort((a, b) => codes[a] - codes[b]);
}
