/** The program of a thread of a team: it waits for assignments, does its part, and waits again. */
import { parentPort } from "node:worker_threads";
import { assert } from "../base/index.ts";
import { breakUp } from "./barrier.ts";
import { type Assignment, takePart } from "./solver.ts";

assert(parentPort !== null, "rank/worker runs as a worker thread only");
parentPort.on("message", ({ system, task, part }: Assignment) => {
  try {
    takePart(system, task, part);
  } catch (error) {
    breakUp(system.barrier);
    throw error;
  }
});
parentPort.postMessage("ready", []);
