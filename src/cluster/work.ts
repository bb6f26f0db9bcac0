/** One worker of a job, from opening what it fetches with to closing it. */
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemTimers, UsageError } from "../base/index.ts";
import { InlineReader, mostConnections, openFetcher, openRenderer, type StoredSettings } from "../crawl/index.ts";
import type { ProxySettings, SessionOptions } from "../fetch/index.ts";
import { type FactLog, ScratchFile } from "../store/index.ts";
import { jobOf } from "./job.ts";
import { lacksSecrets } from "./secret-hosts.ts";
import type { Sharding } from "./sharding.ts";
import { TextsInFile } from "./url-texts.ts";
import { Worker, type WorkerEnd, type WorkerOptions } from "./worker.ts";
import { type WarcSource, WorkerArchive } from "./worker-archive.ts";

export interface WorkOptions extends Pick<WorkerOptions, "name" | "place" | "onEvent" | "onProgress" | "onConnection"> {
  readonly log: FactLog;
  /** Secrets are the worker's own: they are no part of the job. */
  readonly proxy: ProxySettings;
  readonly session: SessionOptions;
  /** An existing directory for the WARC files of a job that wants them (default: none, which such a job refuses). */
  readonly warcDir?: string | undefined;
  /** It is about to work; from now on it can be controlled. */
  readonly onJoined?: (worker: Worker) => void;
}

/** Works until the job ends, or until the worker is told to leave. The log stays open. */
export async function work({ log, proxy, session, warcDir, onJoined, ...options }: WorkOptions): Promise<WorkerEnd> {
  const { settings, sharding } = jobOf(await log.job());
  const { network, politeness, hosts } = settings.crawl;
  const { name: worker, place } = options;
  const archive = network.warc ? archiveIn(warcDir, { worker, place }, settings.crawl, sharding) : undefined;
  const fetcher = openFetcher(network, mostConnections(politeness.perHost, hosts), proxy, session);
  const renderer = await openRenderer(settings.crawl);
  const reader = await InlineReader.create(settings.crawl);
  try {
    const worker = await Worker.join({
      ...options,
      log,
      fetcher,
      reader,
      renderer,
      archive,
      timers: systemTimers,
      textsOf: (group) => new TextsInFile(join(tmpdir(), `tidemark-${process.pid}-${group}`)),
      scratchOf: (group) => new ScratchFile(join(tmpdir(), `tidemark-${process.pid}-${group}-links`)),
      lacks: lacksSecrets(settings.secretHosts, session, sharding),
    });
    onJoined?.(worker);
    return await worker.run();
  } finally {
    archive?.close();
    await reader.close();
    await renderer?.close();
    await fetcher.close();
  }
}

function archiveIn(
  dir: string | undefined,
  by: Omit<WarcSource, "dir">,
  { network }: StoredSettings,
  { shards }: Sharding,
): WorkerArchive {
  if (dir === undefined)
    throw new UsageError("this job stores WARC files: expected a directory for those of this worker");
  return new WorkerArchive({ source: { ...by, dir: resolve(dir) }, shards, network });
}
