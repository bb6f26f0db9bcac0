/**
 * `npm run test:mutants`: plants every bug of the lists in a copy of the tree and runs the tests that should notice it.
 *
 *     npm run test:mutants                    all of them
 *     npm run test:mutants -- coverage rank   those of areas
 *     npm run test:mutants -- intervals.ts    those with this text in their file or their sentence
 *     npm run test:mutants -- --list          says what they are
 *     npm run test:mutants -- --check         says which of them no longer apply
 *
 * Exit code 1: fewer than 95% were noticed, one does not apply, or the tests fail without any.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { allMutants, mutantsWith } from "./all.ts";
import { type ListedMutant, problemsOf, titleOf } from "./mutant.ts";
import { type Outcome, Scratch } from "./scratch.ts";

const SHARE_LEAST = 0.95;
/** Two at a time, one on a machine with one processor. */
const COPIES_MAX = 2;
/** A mutant that takes longer than this, and ten times as long as its tests do without any, loops for ever. */
const TIME_LIMIT_LEAST_MS = 60_000;
const TIMES_LONGER = 10;
/** All test files that are named, without a mutant. */
const BASELINE_LIMIT_MS = 20 * 60_000;

const root = process.cwd();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: "boolean" }, check: { type: "boolean" } },
  });
  const mutants = mutantsWith(positionals);
  if (mutants.length === 0)
    return failed(`No mutant has "${positionals.join('" or "')}" in its area, file or sentence.`);
  if (values.list === true) {
    for (const mutant of mutants) console.log(titleOf(mutant));
    return 0;
  }
  const problems = problemsOf(root, allMutants);
  if (problems.length > 0) return failed(problems.join("\n"));
  if (values.check === true) {
    console.log(`All ${allMutants.length} mutants apply.`);
    return 0;
  }
  return tryAll(mutants);
}

async function tryAll(mutants: readonly ListedMutant[]): Promise<number> {
  const begunMs = performance.now();
  const copies = Math.min(COPIES_MAX, availableParallelism(), mutants.length);
  const scratches = Array.from({ length: copies }, () => new Scratch(root));
  process.once("SIGINT", () => {
    for (const scratch of scratches) scratch.remove();
    process.exit(130);
  });
  try {
    const baseline = await scratches[0]?.run(testsOf(mutants), BASELINE_LIMIT_MS);
    if (baseline?.kind !== "passed") return failed(`The tests fail without any mutant: ${JSON.stringify(baseline)}`);
    const { msOf } = baseline;
    const timeLimitMs = ({ killedBy }: ListedMutant): number =>
      Math.max(TIME_LIMIT_LEAST_MS, TIMES_LONGER * killedBy.reduce((sum, test) => sum + (msOf.get(test) ?? 0), 0));
    const left = mutants.toReversed();
    const unnoticed: ListedMutant[] = [];
    let done = 0;
    const work = async (scratch: Scratch): Promise<void> => {
      for (let mutant = left.pop(); mutant !== undefined; mutant = left.pop()) {
        const startMs = performance.now();
        const outcome = await scratch.try(mutant, timeLimitMs(mutant));
        if (outcome.kind === "passed" || outcome.kind === "broken") unnoticed.push(mutant);
        console.log(`${place(++done, mutants.length)}  ${seconds(startMs)}  ${lineOf(mutant, outcome)}`);
      }
    };
    await Promise.all(scratches.map(work));
    return summary(mutants, unnoticed, begunMs);
  } finally {
    for (const scratch of scratches) scratch.remove();
  }
}

function testsOf(mutants: readonly ListedMutant[]): string[] {
  return [...new Set(mutants.flatMap(({ killedBy }) => killedBy))];
}

function lineOf(mutant: ListedMutant, outcome: Outcome): string {
  const title = titleOf(mutant);
  switch (outcome.kind) {
    case "failed":
      return `killed    ${title}\n${INDENT}by: ${outcome.test}`;
    case "timed-out":
      return `killed    ${title}\n${INDENT}it loops for ever`;
    case "passed":
      return `SURVIVED  ${title}`;
    case "broken":
      return `BROKEN    ${title}\n${outcome.output.trimEnd()}`;
  }
}

const INDENT = " ".repeat(31);

/** As "17 of 1063". */
function place(done: number, all: number): string {
  return `${done} of ${all}`.padStart(12);
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`.padStart(7);
}

function summary(mutants: readonly ListedMutant[], unnoticed: readonly ListedMutant[], begunMs: number): number {
  const killed = mutants.length - unnoticed.length;
  const share = killed / mutants.length;
  for (const mutant of unnoticed) console.log(`not killed: ${titleOf(mutant)}`);
  const percent = Math.floor(1000 * share) / 10;
  console.log(`${killed} of ${mutants.length} mutants were killed (${percent}%) in ${seconds(begunMs).trim()}.`);
  if (share >= SHARE_LEAST) return 0;
  return failed(`Expected at least ${100 * SHARE_LEAST}%.`);
}

function failed(message: string): number {
  console.error(message);
  return 1;
}

process.exitCode = await main();
