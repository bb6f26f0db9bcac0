/** Measures each simulated day of a refresh. */
import type { RefreshStatus } from "../../src/crawl/index.ts";
import { openDirectoryToLook } from "../../src/store/crawl-directory.ts";
import type { SqliteStore } from "../../src/store/index.ts";
import type { DayFigures, ForeverTask } from "./figures.ts";

const DAY_MS = 86_400_000;

export class DayMeter {
  readonly figures: DayFigures[] = [];
  startCpuSeconds = 0;
  readonly #task: ForeverTask;
  #status: RefreshStatus | undefined;
  #before: Pick<RefreshStatus, "reads" | "changed" | "new"> = { reads: 0, changed: 0, new: 0 };
  #logReads = 0;
  #cpu = process.cpuUsage();
  #dayMs: number;

  constructor(store: SqliteStore, task: ForeverTask, nowMs: number) {
    this.#task = task;
    const read = store.visits.bind(store);
    store.visits = (first) => {
      this.#logReads++;
      return read(first);
    };
    this.#dayMs = nowMs + DAY_MS;
  }

  get isOver(): boolean {
    return this.figures.length === this.#task.days;
  }

  status(status: RefreshStatus): void {
    this.#status = status;
  }

  started(): void {
    this.startCpuSeconds = this.#takeCpu();
    this.#logReads = 0;
  }

  /** Measures if a day is over. */
  pass(nowMs: number): void {
    if (nowMs < this.#dayMs || this.#status === undefined) return;
    const cpu = this.#takeCpu();
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    const { reads, changed, new: found } = this.#status;
    const before = this.#before;
    this.#before = { reads, changed, new: found };
    const day: DayFigures = {
      reads: reads - before.reads,
      changed: changed - before.changed,
      new: found - before.new,
      cpuSeconds: cpu,
      logReads: this.#logReads,
      heldBytes: heapUsed + external,
      residentBytes: rss,
      databaseBytes: databaseBytes(this.#task.dir),
    };
    process.stderr.write(`    day ${this.figures.length + 1}: ${JSON.stringify(day)}\n`);
    this.figures.push(day);
    this.#logReads = 0;
    this.#cpu = process.cpuUsage();
    this.#dayMs += DAY_MS;
  }

  #takeCpu(): number {
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#cpu = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

/** What is committed, wherever SQLite has it: in the file, or in the log that it writes ahead. */
export function databaseBytes(dir: string): number {
  const { database } = openDirectoryToLook(dir);
  const bytes = database.prepare("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").get()?.[0];
  database.close();
  return Number(bytes);
}
