/** Where the time goes: the functions with the largest share of a thread's time, from the files of `--cpu-prof`. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const FUNCTIONS_MAX = 25;

/** By thread: "main", "thread 1" and so on. A folder has the profiles of one process. */
export function topFunctions(dir: string): Record<string, string[]> {
  const threads = readdirSync(dir)
    .filter((file) => file.endsWith(".cpuprofile"))
    .map((file) => {
      // CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile
      const thread = Number(file.split(".")[4]);
      return { thread, profile: JSON.parse(readFileSync(join(dir, file), "utf8")) as CpuProfile };
    })
    .toSorted((a, b) => a.thread - b.thread);
  return Object.fromEntries(
    threads.map(({ thread, profile }) => [thread === 0 ? "main" : `thread ${thread}`, topOf(profile)]),
  );
}

function topOf({ nodes, samples, timeDeltas }: CpuProfile): string[] {
  const nameOf = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url === "" ? "" : ` ${basename(url)}:${lineNumber + 1}`;
      return [id, `${functionName === "" ? "(anonymous)" : functionName}${place}`];
    }),
  );
  const microseconds = new Map<string, number>();
  let total = 0;
  for (const [k, sample] of samples.entries()) {
    const name = nameOf.get(sample) ?? "?";
    const delta = timeDeltas[k] ?? 0;
    microseconds.set(name, (microseconds.get(name) ?? 0) + delta);
    total += delta;
  }
  return [...microseconds]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, FUNCTIONS_MAX)
    .map(([name, time]) => `${((100 * time) / total).toFixed(1)}% ${name}`);
}
