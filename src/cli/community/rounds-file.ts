/**
 * What a live estimate has decided, beside the log of its crawl: how pages are chosen, and what was chosen in each
 * round. It is written before anything of a round is fetched, so a run that is resumed goes on with the same choice.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import type { CommunityRound, SelectionMethod } from "../../community/index.ts";
import type { ScopeOptions } from "../../web/index.ts";

/** What cannot change once pages were chosen by it. */
export interface LiveChoice {
  /** As the user named it; null for all that was downloaded. */
  readonly local: string | null;
  readonly select: SelectionMethod;
  readonly pages: number;
  readonly levels: number | null;
  readonly fullDegrees: boolean;
  readonly seed: number;
  readonly damping: number;
}

/** The options that say it, by their names in the options of the command. */
export const FIXED_CHOICES = [
  "local",
  "select",
  "pages",
  "levels",
  "fullDegrees",
  "seed",
  "damping",
] as const satisfies readonly (keyof LiveChoice)[];

export interface LiveRounds {
  readonly choice: LiveChoice;
  /** URLs in it are never chosen: they belong to the community. */
  readonly inside: ScopeOptions;
  /** How many rounds there are to be, unless the user says otherwise. */
  readonly roundsWanted: number;
  readonly rounds: readonly CommunityRound[];
}

const NAME = "community.json";

export function writeRounds(dir: string, rounds: LiveRounds): void {
  const path = join(dir, NAME);
  // Otherwise the name could reach the disk before the content if the machine stops.
  writeFileSync(`${path}.part`, `${JSON.stringify(rounds)}\n`, { flush: true });
  renameSync(`${path}.part`, path);
}

/** Throws a `UsageError` if the crawl in `dir` is not one around a community. */
export function readRounds(dir: string): LiveRounds {
  const path = join(dir, NAME);
  if (!existsSync(path)) {
    throw new UsageError(`${dir} holds a crawl that --live did not make (it has no ${NAME}); give another --dir`);
  }
  try {
    return JSON.parse(readFileSync(path, "utf8")) as LiveRounds;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`${path} is damaged (${error.message}); restore it, or give another --dir`, { cause: error });
  }
}
