/**
 * How many cases a test draws: all that it says, or the share of them that `TIDEMARK_CASES` says, but no fewer than a
 * few. `npm run test:fast` draws a tenth. A count and not a time limits them, so a run on a busy machine draws the same.
 */
const share = Number(process.env["TIDEMARK_CASES"] ?? 1);
const LEAST = 20;
/** Where each case is a whole day of a site, or a whole job. */
export const LEAST_OF_LONG = 10;

export function cases(all: number, least = LEAST): number {
  return Math.max(Math.min(all, least), Math.round(all * share));
}
