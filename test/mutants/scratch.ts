/**
 * A copy of the tree in which files may be changed and tests run, while the tree itself stays as it is. Packages are
 * linked one by one, so that what a test runner writes into `node_modules` stays in the copy.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import type { Mutant } from "./mutant.ts";

/** Folders of these names are not copied. */
const LEFT_OUT = new Set([".git", "node_modules", "dist", "out"]);

/** Modules are compiled once per content, not once per mutant: that was half of the work. */
const OPTIONS = ["--project=fast", "--bail=1", "--maxWorkers=1", "--experimental.fsModuleCache"];

/** What became of a run of tests; how long each file took where all of them passed. */
export type Outcome =
  | { readonly kind: "passed"; readonly msOf: ReadonlyMap<string, number> }
  /** The first test that failed. */
  | { readonly kind: "failed"; readonly test: string }
  | { readonly kind: "timed-out" }
  /** No test failed, and yet it did not end well: the tests could not be run. */
  | { readonly kind: "broken"; readonly output: string };

export class Scratch {
  readonly #folder = mkdtempSync(join(tmpdir(), "tidemark-mutants-"));
  readonly #tree = join(this.#folder, "tree");
  readonly #report = join(this.#folder, "report.json");
  #running: ProcessGroup | undefined;

  constructor(root: string) {
    cpSync(root, this.#tree, {
      recursive: true,
      filter: (source) => source === root || !LEFT_OUT.has(basename(source)),
    });
    linkPackages(join(root, "node_modules"), join(this.#tree, "node_modules"));
  }

  /** Ends what runs in it. */
  remove(): void {
    this.#running?.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs the tests of a mutant with the mutant in place. */
  async try({ file, find, replace, killedBy }: Mutant, timeLimitMs: number): Promise<Outcome> {
    const path = join(this.#tree, file);
    const original = readFileSync(path, "utf8");
    // A function, since a replacement may contain what `replace` would take for a pattern.
    writeFileSync(
      path,
      original.replace(find, () => replace),
    );
    try {
      return await this.run(killedBy, timeLimitMs);
    } finally {
      writeFileSync(path, original);
    }
  }

  /** Runs test files until the first failure. */
  async run(tests: readonly string[], timeLimitMs: number): Promise<Outcome> {
    rmSync(this.#report, { force: true });
    const options = [...OPTIONS, "--reporter=json", `--outputFile=${this.#report}`];
    const parameters = ["node_modules/vitest/vitest.mjs", "run", ...tests, ...options];
    this.#running = new ProcessGroup(parameters, { folder: this.#tree, timeLimitMs });
    const { code, output } = await this.#running.end;
    if (code === "timed-out") return { kind: "timed-out" };
    const report = reportAt(this.#report);
    if (code === 0) return { kind: "passed", msOf: this.#timesOf(report) };
    const test = firstFailure(report);
    return test === undefined ? { kind: "broken", output } : { kind: "failed", test };
  }

  #timesOf({ testResults }: Report): Map<string, number> {
    return new Map(
      testResults.map(({ name, startTime, endTime }) => [relative(this.#tree, name), endTime - startTime]),
    );
  }
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (!name.startsWith(".")) symlinkSync(join(from, name), join(to, name));
  }
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Empty where the run could not even write one. */
function reportAt(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report;
  } catch {
    return { testResults: [] };
  }
}

function firstFailure({ testResults }: Report): string | undefined {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.find(({ status }) => status === "failed")?.fullName;
}

/** Node in a process group of its own, which is ended as a whole: a test that loops for ever hears no signal. */
class ProcessGroup {
  readonly end: Promise<{ readonly code: number | null | "timed-out"; readonly output: string }>;
  readonly #pid: number | undefined;
  #hasEnded = false;

  constructor(
    parameters: readonly string[],
    { folder, timeLimitMs }: { readonly folder: string; readonly timeLimitMs: number },
  ) {
    const child = spawn(process.execPath, parameters, { cwd: folder, detached: true });
    this.#pid = child.pid;
    this.end = new Promise((resolve, reject) => {
      let output = "";
      let isLate = false;
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
      const timer = setTimeout(() => {
        isLate = true;
        this.kill();
      }, timeLimitMs);
      child.on("error", reject);
      child.on("close", (code) => {
        this.#hasEnded = true;
        clearTimeout(timer);
        resolve({ code: isLate ? "timed-out" : code, output });
      });
    });
  }

  kill(): void {
    if (this.#pid !== undefined && !this.#hasEnded) process.kill(-this.#pid, "SIGKILL");
  }
}
