/**
 * A barrier in shared memory, where threads wait for each other. What any thread wrote before `meet` is visible to all
 * after it.
 *
 * A thread polls for a short while before it sleeps: threads are usually microseconds apart, and waking a sleeping one
 * costs tens of them.
 */
import { FailureError } from "../base/index.ts";
import { sharedMemory } from "../graph/index.ts";

const ARRIVED = 0;
const ROUND = 1;
const BROKEN = 2;
const LOOKS_BEFORE_SLEEP = 4000;

export function createBarrier(): Int32Array {
  return new Int32Array(sharedMemory(12));
}

export function meet(barrier: Int32Array, threads: number): void {
  if (threads === 1) return;
  const round = Atomics.load(barrier, ROUND);
  failIfBroken(barrier);
  if (Atomics.add(barrier, ARRIVED, 1) + 1 === threads) {
    Atomics.store(barrier, ARRIVED, 0);
    nextRound(barrier);
  } else {
    for (let look = 0; look < LOOKS_BEFORE_SLEEP; look++) if (Atomics.load(barrier, ROUND) !== round) break;
    while (Atomics.load(barrier, ROUND) === round) Atomics.wait(barrier, ROUND, round);
  }
  failIfBroken(barrier);
}

/** For a thread that has failed: all threads that wait now or later fail too, instead of waiting for ever. */
export function breakUp(barrier: Int32Array): void {
  Atomics.store(barrier, BROKEN, 1);
  nextRound(barrier);
}

function failIfBroken(barrier: Int32Array): void {
  if (Atomics.load(barrier, BROKEN) === 1) throw new FailureError("another thread of the team failed; try one thread");
}

function nextRound(barrier: Int32Array): void {
  Atomics.add(barrier, ROUND, 1);
  Atomics.notify(barrier, ROUND);
}
