/**
 * Threads that work on one system together. Nothing here starts a thread: the caller brings a team. Its other members
 * run `takePart` for every assignment they receive (worker.ts), while the caller does part 0.
 */
import { type Outcome, type System, type Task, takePart } from "./solver.ts";

export interface Assignment {
  readonly system: System;
  readonly task: Task;
  readonly part: number;
}

/** Threads that share the work of `pagerank`; `startRankTeam` of `tidemark/lab` starts one. */
export interface Team {
  /** The calling thread included. */
  readonly threads: number;
  /** Sends one of the other threads, 1 to `threads - 1`, its assignment; does not wait. */
  send(thread: number, assignment: Assignment): void;
}

/** The calling thread alone. */
export const solo: Team = { threads: 1, send: () => {} };

export function workTogether(team: Team, system: System, task: Task, onSweep?: (iterations: number) => void): Outcome {
  for (let part = 1; part < team.threads; part++) team.send(part, { system, task, part });
  return takePart(system, task, 0, onSweep);
}
