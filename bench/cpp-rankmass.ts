/** The paper's RankMass in C++ (rankmass.cpp), compiled and run where there is a compiler. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../src/base/index.ts";
import type { Graph } from "../src/graph/index.ts";

export interface CppFigures {
  readonly seconds: number;
  readonly downloads: number;
  readonly pushes: number;
}

export interface CppRankMass {
  /** The best of some runs. Trusted pages count equally. */
  run(damping: number, goal: number, runs: number): CppFigures;
  close(): void;
}

/** undefined without `g++`. Throws if it cannot compile the program: its messages are on standard error. */
export function cppRankMass(graph: Graph, trusted: readonly number[]): CppRankMass | undefined {
  const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-"));
  const program = join(folder, "rankmass");
  const close = () => rmSync(folder, { recursive: true });
  try {
    execFileSync("g++", ["-O2", "-std=c++17", "-o", program, sourceFile()], { stdio: ["ignore", "ignore", "inherit"] });
  } catch (error) {
    close();
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    return undefined;
  }
  const files = [graph.offsets, graph.targets, Uint32Array.from(trusted)].map((numbers, k) => {
    const path = join(folder, String(k));
    writeFileSync(path, numbers);
    return path;
  });
  return {
    run: (damping, goal, runs) =>
      JSON.parse(execFileSync(program, [...files, damping, goal, runs].map(String), { encoding: "utf8" })),
    close,
  };
}

/** Beside this file, or, where this file was compiled into `out/bench`, beside its source. */
function sourceFile(): string {
  const places = ["./rankmass.cpp", "../../rankmass.cpp"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const found = places.find((path) => existsSync(path));
  assert(found !== undefined, `the C++ program is ${places.join(" or ")}`);
  return found;
}
