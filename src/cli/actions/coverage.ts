/** `tidemark coverage` */
import { existsSync, statSync } from "node:fs";
import { counted, formatCount, percent, percentAtLeast, UsageError } from "../../base/index.ts";
import {
  certify,
  ledgerOf,
  type MassLedger,
  type MissingShare,
  missingShares,
  RankIntervals,
} from "../../coverage/index.ts";
import type { Hosts } from "../../graph/index.ts";
import { renderTable } from "../../report/index.ts";
import { registrableDomain } from "../../web/index.ts";
import { type Answer, DEFAULT_DAMPING, type SurferOptions } from "../options/command.ts";
import { withFile } from "../terminal/endings.ts";
import { isCrawlDirectory, loadGraph, surfed } from "../input/graph-file.ts";
import { readPages, readTrust, type Trust, trustEntries } from "../input/page-list.ts";
import type { Terminal, TextStyle } from "../terminal/terminal.ts";

export interface CoverageOptions extends SurferOptions {
  readonly trust?: string;
  readonly pages?: string;
  readonly dead?: string;
  readonly dangling: "restart" | "none";
  readonly redirects: boolean;
}

export async function cover(path: string, options: CoverageOptions, terminal: Terminal): Promise<Answer> {
  if (await isCrawlDirectory(path)) return coverCrawl(path, options, terminal);
  const { progress, note } = terminal;
  if (options.trust === undefined || options.pages === undefined) expectFile(path);
  const files = { trust: required(options.trust, "--trust"), pages: required(options.pages, "--pages") };
  const loaded = await loadGraph(path, options, progress);
  const { graph } = surfed(loaded.graph, options.selfLinks);
  const context = { pages: graph.pages, urls: loaded.urls, progress };
  const trust = await readTrust(files.trust, { ...context, normalise: options.normaliseTrust ?? false });
  const downloaded = await readPages(files.pages, context);
  const dead = options.dead === undefined ? new Uint32Array(0) : await readPages(options.dead, context);
  checkDead(dead, { downloaded, trust }, { downloadedFile: files.pages, deadFile: options.dead ?? "" }, note);

  progress({ task: "certifying", done: 0, total: downloaded.length, unit: "pages" });
  const { damping } = options;
  const ledger = ledgerOf({ graph, trust: trustEntries(trust), downloaded, dead, damping });
  return certified(ledger, loaded.hosts, options, terminal, {
    graph: { pages: graph.pages, arcs: loaded.graph.arcs, hosts: loaded.hosts?.names.length ?? null },
    trust: { pages: trust.pages.length, total: trust.total },
  });
}

/** A crawl knows what is trusted, what was fetched and what became of the rest. */
async function coverCrawl(dir: string, options: CoverageOptions, terminal: Terminal): Promise<Answer> {
  for (const name of ["trust", "pages", "dead", "urls"] as const) {
    if (options[name] !== undefined) {
      throw new UsageError(`${dir} is a crawl, which knows what --${name} says; leave it out`);
    }
  }
  terminal.progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
  const { ledgerOfLog } = await import("../../crawl/index.ts");
  const { reading } = await import("../input/crawl-graph.ts");
  return reading(dir, (store) => {
    const { ledger, urls } = ledgerOfLog(store);
    const { damping } = ledger;
    if (options.damping !== DEFAULT_DAMPING && options.damping !== damping) {
      throw new UsageError(`${dir} was crawled with damping ${damping}; leave out --damping`);
    }
    const weights = Array.from(store.trust(), ({ weight }) => weight);
    const { starts, ends } = ledger.links;
    let arcs = 0;
    for (let url = 0; url < urls.urls; url++) arcs += Math.max(0, ends[url] - starts[url]);
    const grouped = options.by === "domain" ? byDomain(urls.hosts) : urls.hosts;
    return certified(ledger, grouped, { ...options, damping }, terminal, {
      graph: { pages: urls.urls, arcs, hosts: grouped.names.length },
      trust: { pages: weights.length, total: weights.reduce((sum, weight) => sum + weight, 0) },
    });
  });
}

function byDomain({ names, hostOf }: Hosts): Hosts {
  const ids = new Map<string, number>();
  const domainOf = names.map((name) => {
    const domain = registrableDomain(name);
    if (!ids.has(domain)) ids.set(domain, ids.size);
    return ids.get(domain)!;
  });
  return { names: [...ids.keys()], hostOf: hostOf.map((host) => domainOf[host]) };
}

/** Whoever leaves options out means a crawl: that there is none is the better answer. */
function expectFile(path: string): void {
  if (path === "-" || existsSync(`${path}.graph`)) return;
  const there = withFile(path, () => statSync(path, { throwIfNoEntry: false }));
  if (there === undefined) throw new UsageError(`${path}: no such file or directory`);
  if (there.isDirectory())
    throw new UsageError(`${path} is a folder, but no crawl; expected a crawl directory`);
}

function required(value: string | undefined, option: string): string {
  if (value !== undefined) return value;
  throw new UsageError(
    `required option '${option} <file>' not specified: only a crawl directory knows what it would say`,
  );
}

function certified(
  ledger: MassLedger,
  hosts: Hosts | undefined,
  { damping, dangling, redirects }: CoverageOptions,
  { progress }: Terminal,
  about: { readonly graph: object; readonly trust: object },
): Answer {
  const certificate = certify(ledger);
  const missing = missingShares(ledger, certificate, hosts);
  progress({ task: "putting in order", done: 0, total: certificate.downloaded, unit: "pages" });
  const intervals = new RankIntervals(ledger, certificate, { redirectsPossible: redirects });
  const ranking = intervals.ranking();
  const certainOrder = {
    pages: intervals.certainPrefix(ranking),
    pairs: intervals.certainPairs(ranking),
  };
  return {
    document: {
      ...certificate,
      missing,
      certainOrder,
      graph: about.graph,
      damping,
      dangling,
      trust: about.trust,
    },
    text: (style) =>
      `${certificate.downloaded === 1 ? "This page holds" : `These ${formatCount(certificate.downloaded)} pages hold`} ` +
      `at least ${percentAtLeast(certificate.coverage)} of all importance.\n` +
      describeMissing(missing, style) +
      `\nFor certain: ${counted(certainOrder.pages, "place")} at the head of the ranking, ` +
      `and the order of ${counted(certainOrder.pairs, "pair")} of pages.\n`,
  };
}

/** A page cannot be downloaded and dead; one that is trusted and dead takes its trust with it. */
function checkDead(
  dead: Uint32Array,
  { downloaded, trust }: { readonly downloaded: Uint32Array; readonly trust: Trust },
  { downloadedFile, deadFile }: { readonly downloadedFile: string; readonly deadFile: string },
  note: Terminal["note"],
): void {
  const isDead = new Uint8Array(trust.weights.length);
  for (const page of dead) isDead[page] = 1;
  const both = downloaded.find((page) => isDead[page] === 1);
  if (both !== undefined) {
    throw new UsageError(`page ${both} is in ${downloadedFile} and in ${deadFile}; a page is one of the two`);
  }
  const lost = dead.filter((page) => trust.weights[page] > 0).length;
  if (lost > 0) note(`dead, though trusted: ${counted(lost, "page")}; full coverage is out of reach`);
}

const HOSTS_SHOWN = 5;

function describeMissing(missing: readonly MissingShare[], { width, color }: TextStyle): string {
  const rows = missing.flatMap(({ reason, mass, hosts }) => [
    [reason, percent(mass), null, null],
    ...hosts.slice(0, HOSTS_SHOWN).map(({ host, mass, pages }) => ["", percent(mass), pages, host]),
  ]);
  if (rows.length === 0) return "";
  const table = renderTable(
    [
      { title: "missing", kind: "text" },
      { title: "share", kind: "text", importance: 3 },
      { title: "pages", kind: "count", importance: 1 },
      { title: "host", kind: "text", importance: 2 },
    ],
    rows,
    { width, color },
  );
  return `\n${table}`;
}
