/** Loaded before a program: when it ends, says on descriptor 3 what processor time and memory it took, all its threads together. */
import { writeSync } from "node:fs";

export interface ProcessFigures {
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const figures: ProcessFigures = {
    cpuMs: (user + system) / 1000,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
  writeSync(3, JSON.stringify(figures));
});
