/**
 * One process of the benchmark of workers. The web is computed, so what is measured is the crawler: reading pages,
 * links, the order, the certificate, the log. Pages are read inline, by the plain crawler too.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemTimers } from "../../src/base/index.ts";
import { Gathering, TextsInFile, Worker } from "../../src/cluster/index.ts";
import { Fingerprinter, InlineReader, launchCrawl } from "../../src/crawl/index.ts";
import { GraphFetcher } from "../../src/fetch/index.ts";
import { createCrawl, type FactLog, openCrawlOfWorkers, openSqliteJob } from "../../src/store/index.ts";
import { ComputedWeb } from "../crawl/computed-web.ts";
import type { PartFigures, WorkersTask } from "./figures.ts";
import { settingsFor } from "./settings.ts";

const task = JSON.parse(process.argv[2]) as WorkersTask;
const web = new ComputedWeb(task.web);
const settings = settingsFor(web, task.pages);
/** A worker of several has a part of the pages. */
const pagesUntilWarm = Math.min(5000, Math.floor(task.pages / 10));
const served = { pages: 0 };
const fetcher = new GraphFetcher({
  urlOf: (page) => web.urlOf(page),
  pageOf: (url) => web.pageOf(url),
  rowOf: (page) => {
    if (served.pages++ === pagesUntilWarm) warmCpu = process.cpuUsage();
    return web.rowOf(page);
  },
});
const traffic = { messages: 0, messageBytes: 0, factBytes: 0 };
const baselineBytes = process.memoryUsage.rss();
const startMs = performance.now();
const startCpu = process.cpuUsage();
let warmCpu: NodeJS.CpuUsage | undefined;
const { pages, known } = await { plain, worker, gather }[task.part]();
const figures: PartFigures = {
  cpuSeconds: cpuSecondsSince(startCpu),
  warmCpuSeconds: warmCpu === undefined ? 0 : cpuSecondsSince(warmCpu),
  warmPages: warmCpu === undefined ? 0 : served.pages - pagesUntilWarm,
  seconds: (performance.now() - startMs) / 1000,
  pages,
  memoryBytes: 1024 * process.resourceUsage().maxRSS - baselineBytes,
  known,
  ...traffic,
};
process.stdout.write(JSON.stringify(figures));
process.exit(0);

function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

type Counts = Pick<PartFigures, "pages" | "known">;

async function plain(): Promise<Counts> {
  const store = createCrawl(task.dir, JSON.stringify(settings));
  const crawl = await launchCrawl({ settings, store, fetcher, readers: 0 });
  const { status } = await crawl.run();
  store.close();
  return status;
}

async function worker(): Promise<Counts> {
  const log = openSqliteJob(task.dir);
  count(log);
  const working = await Worker.join({
    log,
    name: task.name,
    place: "here",
    fetcher,
    reader: await InlineReader.create(settings),
    timers: systemTimers,
    textsOf: (group) => new TextsInFile(join(tmpdir(), `tidemark-bench-${process.pid}-${group}`)),
  });
  await working.run();
  await log.close();
  const { counts, known = 0 } = working.progress ?? {};
  return { pages: counts?.pages ?? 0, known };
}

async function gather(): Promise<Counts> {
  const store = openCrawlOfWorkers(task.dir);
  const log = openSqliteJob(task.dir);
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const gathering = await Gathering.open({ log, store, settings, fingerprinter });
  while (await gathering.step());
  const counts = { pages: store.nextVisit - 1, known: store.urlCount };
  store.close();
  return counts;
}

/** Counts what goes to the log. */
function count(log: FactLog): void {
  const append = log.append.bind(log);
  log.append = (appends) => {
    for (const { batch } of appends) traffic.factBytes += batch.byteLength;
    return append(appends);
  };
  const send = log.send.bind(log);
  log.send = (messages) => {
    traffic.messages += messages.length;
    for (const { payload } of messages) traffic.messageBytes += payload.byteLength;
    return send(messages);
  };
}
