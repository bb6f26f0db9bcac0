/** `tidemark coverage` */
import { UsageError } from "../../base/index.ts";
import { certify, ledgerOf, type MissingShare, missingShares, RankIntervals } from "../../coverage/index.ts";
import { formatCount, renderTable } from "../../lab/index.ts";
import type { Answer, SurferOptions } from "../command.ts";
import { loadGraph, surfed } from "../input/graph-file.ts";
import { readPages, readTrust, type Trust, trustEntries } from "../input/page-list.ts";
import type { Terminal, TextStyle } from "../terminal.ts";
import { counted, percent, percentAtLeast } from "../words.ts";

export interface CoverageOptions extends SurferOptions {
  readonly trust: string;
  readonly pages: string;
  readonly dead?: string;
  readonly dangling: "restart" | "none";
  readonly redirects: boolean;
}

export async function cover(
  path: string,
  options: CoverageOptions,
  { progress, note }: Terminal,
): Promise<Answer> {
  const { urls, damping, dangling } = options;
  const loaded = await loadGraph(path, options, progress);
  const { graph } = surfed(loaded.graph, options.selfLinks);
  const context = { pages: graph.pages, urls, progress };
  const trust = await readTrust(options.trust, { ...context, normalise: options.normaliseTrust ?? false });
  const downloaded = await readPages(options.pages, context);
  const dead = options.dead === undefined ? new Uint32Array(0) : await readPages(options.dead, context);
  checkDead(dead, { downloaded, trust }, options, note);

  progress({ task: "certifying", done: 0, total: downloaded.length, unit: "pages" });
  const ledger = ledgerOf({ graph, trust: trustEntries(trust), downloaded, dead, damping });
  const certificate = certify(ledger);
  const missing = missingShares(ledger, certificate, loaded.hosts);
  progress({ task: "putting in order", done: 0, total: downloaded.length, unit: "pages" });
  const intervals = new RankIntervals(ledger, certificate, { redirectsPossible: options.redirects });
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
      graph: { pages: graph.pages, arcs: loaded.graph.arcs, hosts: loaded.hosts?.names.length ?? null },
      damping,
      dangling,
      trust: { pages: trust.pages.length, total: trust.total },
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
  { pages: downloadedFile, dead: deadFile }: CoverageOptions,
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
