/** Threads that share work: what each is sent, and how the calling thread takes part. */
import { type ClassRows, writeClassRows } from "./class-rows.ts";
import { type ClassSearch, findClasses } from "./classes.ts";
import { type Solution, type System, takePart, type Task } from "./solver.ts";
import { countLinks, type LinkCounts, turnRound, type Turning } from "./turning.ts";

export type Assignment = { readonly part: number } & (
  | { readonly kind: "classes"; readonly search: ClassSearch }
  | { readonly kind: "rows"; readonly rows: ClassRows }
  | { readonly kind: "count"; readonly links: LinkCounts }
  | { readonly kind: "turn"; readonly turning: Turning }
  | { readonly kind: "solve"; readonly system: System; readonly task: Task }
);

/** Threads that share the work of `pagerank`; `startRankTeam` of `tidemark/lab` starts one. */
export interface Team {
  /** The calling thread included. */
  readonly threads: number;
  /** Sends one of the other threads, 1 to `threads - 1`, its assignment; does not wait. */
  send(thread: number, assignment: Assignment): void;
}

/** The calling thread alone. */
export const solo: Team = { threads: 1, send: () => {} };

/** Gives every thread its assignment, and does that of the calling one. All are done when it returns. */
export function doTogether(team: Team, assignment: (part: number) => Assignment): void;
/** The same, but the calling thread does something else first; returns what it found. */
export function doTogether<T>(team: Team, assignment: (part: number) => Assignment, first: () => T): T;
export function doTogether<T>(team: Team, assignment: (part: number) => Assignment, first?: () => T): T | undefined {
  for (let part = 1; part < team.threads; part++) team.send(part, assignment(part));
  const found = first?.();
  carryOut(assignment(0));
  return found;
}

export function workTogether(team: Team, system: System, task: Task, onSweep?: (iterations: number) => void): Solution {
  for (let part = 1; part < team.threads; part++) team.send(part, { kind: "solve", system, task, part });
  return takePart(system, task, 0, onSweep);
}

/** Does one thread's part. Returns once all threads have done theirs. */
export function carryOut(assignment: Assignment): void {
  const { part } = assignment;
  if (assignment.kind === "classes") findClasses(assignment.search, part);
  else if (assignment.kind === "rows") writeClassRows(assignment.rows, part);
  else if (assignment.kind === "count") countLinks(assignment.links);
  else if (assignment.kind === "turn") turnRound(assignment.turning, part);
  else takePart(assignment.system, assignment.task, part);
}

/** The barrier at which the threads of an assignment meet. */
export function barrierOf(assignment: Assignment): Int32Array {
  if (assignment.kind === "classes") return assignment.search.barrier;
  if (assignment.kind === "rows") return assignment.rows.search.barrier;
  if (assignment.kind === "count") return assignment.links.rows.search.barrier;
  if (assignment.kind === "turn") return assignment.turning.links.rows.search.barrier;
  return assignment.system.barrier;
}
