/** Metrics for Prometheus, read at each request. A crawl that is resumed continues to count. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { Freshness, ReadCounts, RefreshStatus } from "../../crawl/index.ts";
import type { SurveySource } from "../../survey/index.ts";
import type { RunState } from "../../text/index.ts";
import type { Overviews } from "./overview.ts";

/** What is shown as it was earlier is run by nobody, whatever has become of it since. */
const AT_REST: ReadonlySet<RunState> = new Set(["ended", "earlier"]);

const READS: readonly (keyof ReadCounts)[] = [
  "unchanged",
  "changed",
  "new",
  "gone",
  "moved",
  "doubted",
  "failed",
  "left",
];
const AGES: readonly (keyof Freshness)[] = ["hour", "day", "week", "month", "current"];

type Reading = readonly [name: string, help: string, read: () => number | undefined];

export class Metrics {
  readonly #registry = new Registry();

  /** `refresh`: what a refresh in this process has last reported, if there is one. */
  constructor(overviews: Overviews, source: SurveySource, refresh?: () => RefreshStatus | null | undefined) {
    const status =
      (
        field:
          | "pages"
          | "bytes"
          | "failed"
          | "retries"
          | "known"
          | "frontier"
          | "hosts"
          | "coverage"
          | "strict"
          | "valued"
          | "ceiling",
      ) =>
      () =>
        overviews.isCounted || field === "known" ? overviews.status()[field] : undefined;
    const guaranteed = () => overviews.guaranteed() ?? undefined;
    this.#counters([
      ["tidemark_pages_total", "Pages downloaded and stored, all runs together.", status("pages")],
      ["tidemark_bytes_total", "Bytes of bodies over the wire, all runs together.", status("bytes")],
      ["tidemark_failed_total", "URLs that are dead or failed for good.", status("failed")],
      ["tidemark_retries_total", "Attempts that failed and were or will be retried.", status("retries")],
    ]);
    this.#gauges([
      ["tidemark_coverage_ratio", "Share of the universe that is certainly covered.", status("coverage")],
      [
        "tidemark_strict_ratio",
        "The same if everything counts, what is forbidden or dead as the worst.",
        status("strict"),
      ],
      [
        "tidemark_valued_ratio",
        "Share of all value that is certainly covered; only where pages have values.",
        status("valued"),
      ],
      ["tidemark_ceiling_ratio", "The most coverage that can still be reached.", status("ceiling")],
      [
        "tidemark_sampled_ratio",
        "Share of the universe that sampling shows, with the confidence that the user chose.",
        () => overviews.status().sampled?.coverage,
      ],
      ["tidemark_guaranteed_ratio", "Share of all importance that the order itself guarantees.", guaranteed],
      ["tidemark_target_ratio", "The target of coverage.", () => overviews.limits().coverage],
      ["tidemark_known_urls", "URLs discovered.", status("known")],
      ["tidemark_frontier_urls", "URLs waiting to be fetched.", status("frontier")],
      ["tidemark_hosts", "Hosts discovered.", status("hosts")],
      ["tidemark_running", "1 while a process runs the crawl, else 0.", () => (AT_REST.has(overviews.state()) ? 0 : 1)],
    ]);
    this.#missing(source);
    if (refresh !== undefined) this.#refresh(() => refresh() ?? undefined);
    this.#process();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #refresh(refresh: () => RefreshStatus | undefined): void {
    this.#gauges([
      ["tidemark_read_budget", "Pages that a refresh may read per day.", () => refresh()?.budget],
      ["tidemark_reads_today", "Pages that were read in the last 24 hours.", () => refresh()?.readsToday],
    ]);
    const reads: Counter<"outcome"> = new Counter({
      name: "tidemark_reads_total",
      help: "Reads of a refresh since it began, by what they found.",
      labelNames: ["outcome"],
      registers: [this.#registry],
      collect: () => {
        const status = refresh();
        reads.reset();
        if (status !== undefined) for (const outcome of READS) reads.inc({ outcome }, status[outcome]);
      },
    });
    const fresh: Gauge<"age"> = new Gauge({
      name: "tidemark_fresh_ratio",
      help: "Share of importance whose copies are certainly no older than this, or expected to be current.",
      labelNames: ["age"],
      registers: [this.#registry],
      collect: () => {
        const status = refresh();
        if (status !== undefined) for (const age of AGES) fresh.set({ age }, status.freshness[age]);
      },
    });
  }

  /** One whose value is unknown is left out: it would look as if it began anew. */
  #counters(readings: readonly Reading[]): void {
    for (const [name, help, read] of readings) {
      const collect = () => {
        counter.reset();
        const value = read();
        if (value === undefined) counter.remove();
        else counter.inc(value);
      };
      const counter: Counter = new Counter({ name, help, registers: [this.#registry], collect });
    }
  }

  /** An unknown value is left out: it is not zero. */
  #gauges(readings: readonly Reading[]): void {
    for (const [name, help, read] of readings) {
      const collect = () => {
        const value = read();
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      };
      const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect });
    }
  }

  /** The library counts processor time from its own start; Prometheus expects it from that of the process. */
  #process(): void {
    collectDefaultMetrics({ register: this.#registry });
    const seconds = (part: (usage: NodeJS.CpuUsage) => number) => () => part(process.cpuUsage()) / 1e6;
    const times: readonly Reading[] = [
      ["process_cpu_user_seconds_total", "User CPU time of the process in seconds.", seconds(({ user }) => user)],
      [
        "process_cpu_system_seconds_total",
        "System CPU time of the process in seconds.",
        seconds(({ system }) => system),
      ],
      [
        "process_cpu_seconds_total",
        "User and system CPU time of the process in seconds.",
        seconds(({ user, system }) => user + system),
      ],
    ];
    for (const [name] of times) this.#registry.removeSingleMetric(name);
    this.#counters(times);
  }

  #missing(source: SurveySource): void {
    const collect = () => {
      gauge.reset();
      for (const { reason, mass } of source.current()?.survey.facts.missing ?? []) gauge.set({ reason }, mass);
    };
    const gauge: Gauge<"reason"> = new Gauge({
      name: "tidemark_missing_ratio",
      help: "Share of all importance that is missing, by reason.",
      labelNames: ["reason"],
      registers: [this.#registry],
      collect,
    });
  }
}
