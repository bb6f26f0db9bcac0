/** Metrics for Prometheus, read at each request. A crawl that is resumed continues to count. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { SurveySource } from "../../survey/index.ts";
import type { RunState } from "../../text/index.ts";
import type { Overviews } from "./overview.ts";

/** What is shown as it was earlier is run by nobody, whatever has become of it since. */
const AT_REST: ReadonlySet<RunState> = new Set(["ended", "earlier"]);

type Reading = readonly [name: string, help: string, read: () => number | undefined];

export class Metrics {
  readonly #registry = new Registry();

  constructor(overviews: Overviews, source: SurveySource) {
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
        overviews.status()[field];
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
    this.#process();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #counters(readings: readonly Reading[]): void {
    for (const [name, help, read] of readings) {
      const collect = () => {
        counter.reset();
        counter.inc(read() ?? 0);
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
