/**
 * A mutant is a bug planted in the source on purpose: the tests must notice it. Each is written down as a piece of text
 * and what stands in its place, so that a list of them can be read like a list of ways to go wrong.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Mutant {
  /** The source file, from the root of the repository. */
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** One sentence: the bug that this plants. */
  readonly plants: string;
  /** Test files that should fail, of the fast ones; from the root of the repository. */
  readonly killedBy: readonly string[];
}

export interface ListedMutant extends Mutant {
  readonly area: string;
}

/** Tests that run the build, which would have to be made for each mutant, or that take long: see vitest.config.ts. */
const SLOW = /\.(process|browser)\.test\.ts$|^test\/papers\//;

/** Why a mutant does not apply to the tree at `root`; null where it does. */
export function whyNotApplicable(root: string, { file, find, replace, killedBy }: Mutant): string | null {
  const path = join(root, file);
  if (!existsSync(path)) return `there is no ${file}`;
  const places = readFileSync(path, "utf8").split(find).length - 1;
  if (places !== 1) return `its text occurs ${places} times in ${file}, expected once: ${find}`;
  if (replace === find) return "its replacement changes nothing";
  const missing = killedBy.find((test) => !existsSync(join(root, test)));
  if (missing !== undefined) return `there is no ${missing}`;
  const slow = killedBy.find((test) => SLOW.test(test));
  if (slow !== undefined) return `${slow} is not of the fast tests`;
  return killedBy.length === 0 ? "it names no test file" : null;
}

/** One line for each mutant that does not apply, with the bug that it would plant. */
export function problemsOf(root: string, mutants: readonly ListedMutant[]): string[] {
  return mutants.flatMap((mutant) => {
    const why = whyNotApplicable(root, mutant);
    return why === null ? [] : [`${titleOf(mutant)}\n    does not apply: ${why}`];
  });
}

export function titleOf({ area, file, plants }: ListedMutant): string {
  return `${area}: ${plants} (${file})`;
}
