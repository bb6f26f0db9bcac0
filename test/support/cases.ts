/**
 * How many cases a test draws: all that it says, or the share of them that `TIDEMARK_CASES` says, but no fewer than a
 * few. `npm run test:fast` draws a tenth. A count and not a time limits them, so a run on a busy machine draws the same.
 */
const share = Number(process.env["TIDEMARK_CASES"] ?? 1);
const LEAST = 20;

export function cases(all: number): number {
  return Math.max(Math.min(all, LEAST), Math.round(all * share));
}
