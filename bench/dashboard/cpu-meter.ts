/** Loaded before a program: when that ends, writes the CPU time and memory of all its threads to descriptor 3. */
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
