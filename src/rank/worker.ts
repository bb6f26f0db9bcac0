/** The program of a thread of a team: it waits for assignments, does its part, and waits again. */
import { parentPort } from "node:worker_threads";
import { assert } from "../base/index.ts";
import { breakUp } from "./barrier.ts";
import { type Assignment, barrierOf, carryOut } from "./team.ts";

assert(parentPort !== null, "rank/worker runs as a worker thread only");
parentPort.on("message", (assignment: Assignment) => {
  try {
    carryOut(assignment);
  } catch (error) {
    breakUp(barrierOf(assignment));
    throw error;
  }
});
parentPort.postMessage("ready", []);
