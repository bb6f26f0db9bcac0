/** Loaded before a program: when it ends, says on descriptor 3 what processor time and memory it took, all its threads together. */
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

export interface ProcessFigures {
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

// Threads load it as well.
if (isMainThread) process.on("exit", report);

function report(): void {
  const { user, system } = process.cpuUsage();
  const figures: ProcessFigures = {
    cpuMs: (user + system) / 1000,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
  writeSync(3, JSON.stringify(figures));
}
