/** `tidemark coverage` */
import { existsSync, statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { counted, formatCount, percentAtLeast, UsageError } from "../../base/index.ts";
import type { MassLedger, MissingShare } from "../../coverage/index.ts";
import type { LedgerOfLog, SampledClaim } from "../../crawl/index.ts";
import type { Hosts } from "../../graph/index.ts";
import type { LoginWall } from "../../log/index.ts";
import {
  ceilingInWords,
  hundredthsAtMost,
  loginWallInWords,
  REASONS,
  sampledBeyond,
  sampleInWords,
  type SampleTaken,
  strictInWords,
  targetInWords,
  valuedInWords,
  wholeInWords,
} from "../../text/index.ts";
import { isCrawlDirectory, loadSurferGraph } from "../input/graph-file.ts";
import type { SessionFlags } from "../crawl/session.ts";
import { readPages, readTrust, type Trust, trustEntries } from "../input/page-list.ts";
import {
  type Output,
  answerWith,
  examples,
  isGiven,
  PAGES_HELP,
  integer,
  properFraction,
  type SurferOptions,
  surferOptions,
  TRUST_HELP,
} from "../options/command.ts";
import { expectNoSession, sessionOptions } from "../options/settings.ts";
import { withFile } from "../terminal/endings.ts";
import { column, renderTable, type TextStyle } from "../terminal/layout.ts";
import type { SqliteStore } from "../../store/index.ts";
import { atOption, checkMoment } from "../input/moment.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface CoverageOptions extends SurferOptions, SessionFlags {
  readonly trust?: string;
  readonly pages?: string;
  readonly dead?: string;
  readonly dangling: "restart" | "none";
  readonly redirects: boolean;
  readonly universe?: "allowed" | "scope" | "web";
  readonly confidence?: number;
  readonly budget?: number;
  readonly seed?: number;
  readonly duplicatesCountNothing?: boolean;
}

export function declare(command: Command): void {
  surferOptions(command)
    .option("--trust <file>", `${TRUST_HELP} (required for a graph, not for a crawl)`)
    .option("--pages <file>", `downloaded pages, ${PAGES_HELP} (required for a graph, not for a crawl)`)
    .option("--dead <file>", `pages known to be dead, ${PAGES_HELP}`)
    .option(
      "--dangling <rule>",
      "where the surfer goes from a page without links: restart or none",
      certifiableRule,
      "restart",
    )
    .addOption(
      new Option(
        "--universe <what>",
        "what coverage is measured against: allowed (without dead pages), scope or web (a crawl has its own)",
      ).choices(["allowed", "scope", "web"]),
    )
    .option("--confidence <p>", "also say what sampling shows, with this confidence (of a crawl)", properFraction)
    .option("--budget <n>", "with --confidence: fetch at most this many pages to sample now", integer(1))
    .option("--seed <n>", "with --budget: random seed (default: random)", integer(0, 2 ** 32 - 1))
    .option(
      "--duplicates-count-nothing",
      "also say how much is covered if copies of a page on the same host count nothing (of a crawl)",
    )
    .option("--no-redirects", "assume that no page is a redirect, which proves more of the ranking");
  sessionOptions(command, "with --budget");
  atOption(command);
  answerWith(command, coverage);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "seq 0 4999 > downloaded.txt",
    "echo http://host0.example/ > trust.txt",
    "tidemark coverage web.arcs --urls web.urls --trust trust.txt --pages downloaded.txt",
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark coverage demo --confidence 0.999",
  ]);
}

function certifiableRule(text: string): "restart" | "none" {
  if (text === "restart" || text === "none") return text;
  throw new InvalidArgumentError(
    text === "uniform"
      ? "Nothing can be proven if the surfer may go from there to any page. Expected restart or none."
      : "Expected restart or none.",
  );
}

async function coverage(path: string, options: CoverageOptions, terminal: Terminal, command: Command): Promise<Output> {
  expectSampling(options);
  if (options.at !== undefined && options.budget !== undefined) {
    throw new UsageError("--budget fetches pages now, and --at is about an earlier time: leave one out");
  }
  await checkMoment(path, options, terminal);
  if (await isCrawlDirectory(path)) return coverageOfCrawl(path, options, terminal, isGiven(command, "damping"));
  if (options.confidence !== undefined) {
    throw new UsageError(`${path} is not a crawl: only a crawl can be sampled. Use tidemark simulate --confidence`);
  }
  if (options.duplicatesCountNothing === true) {
    throw new UsageError(`${path} is not a crawl: only a crawl knows copies; leave out --duplicates-count-nothing`);
  }
  const { progress, note } = terminal;
  if (options.trust === undefined || options.pages === undefined) expectGraph(path);
  const files = { trust: required(options.trust, "--trust"), pages: required(options.pages, "--pages") };
  const { graph, arcsInFile, hosts, urls } = await loadSurferGraph(path, options, progress);
  const context = { pages: graph.pages, urls, progress };
  const trust = await readTrust(files.trust, { ...context, normalise: options.normaliseTrust });
  const downloaded = await readPages(files.pages, context);
  const dead = options.dead === undefined ? new Uint32Array(0) : await readPages(options.dead, context);
  checkDead(dead, { downloaded, trust }, { downloadedFile: files.pages, deadFile: options.dead ?? "" }, note);

  progress({ task: "certifying", done: 0, total: downloaded.length, unit: "pages" });
  const { ledgerOf } = await import("../../coverage/index.ts");
  const { damping } = options;
  const { universe = "allowed" } = options;
  const measured = universe === "allowed" ? universe : "everything";
  const ledger = ledgerOf({ graph, trust: trustEntries(trust), downloaded, dead, damping, universe: measured });
  return certified(ledger, hosts, { ...options, universe }, terminal, {
    graph: { pages: graph.pages, arcs: arcsInFile, hosts: hosts?.names.length ?? null },
    trust: { pages: trust.pages.length, total: trust.total },
  });
}

/** An option that would be ignored is a mistake. */
function expectSampling(options: CoverageOptions): void {
  const { confidence, budget, seed } = options;
  if (budget !== undefined && confidence === undefined) {
    throw new UsageError("--budget is for sampling: give --confidence as well, such as --confidence 0.999");
  }
  if (seed !== undefined && budget === undefined) {
    throw new UsageError("--seed is for a new sample: give --confidence and --budget as well");
  }
  if (budget === undefined) expectNoSession(options, "--budget fetches pages: give it as well");
}

/** What a crawl has, so that no option may say it. */
const OWN = { trust: "seeds", pages: "pages", dead: "dead pages", urls: "URLs" } as const;

/** A crawl knows what is trusted, what was fetched and what became of every other URL. */
async function coverageOfCrawl(
  dir: string,
  options: CoverageOptions,
  terminal: Terminal,
  isDampingGiven: boolean,
): Promise<Output> {
  for (const name of Object.keys(OWN) as (keyof typeof OWN)[]) {
    if (options[name] !== undefined) {
      throw new UsageError(`${dir} is a crawl with its own ${OWN[name]}; leave out --${name}`);
    }
  }
  const { confidence, budget, seed } = options;
  let sample: SampleTaken | undefined;
  if (confidence !== undefined && budget !== undefined) {
    const { sampleCrawl } = await import("../crawl/sample.ts");
    const { sessionFlags } = await import("../crawl/session.ts");
    sample = await sampleCrawl(dir, { confidence, budget, seed }, sessionFlags(options), terminal);
  }
  terminal.progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
  const { hadSession, ledgerOfLog, parseSettings } = await import("../../crawl/index.ts");
  const { LoginPages } = await import("../../log/index.ts");
  const { reading } = await import("../../store/index.ts");
  const { registrableDomain } = await import("../../web/index.ts");
  const read = (store: SqliteStore): Output | Promise<Output> => {
    const settings = parseSettings(store.settings());
    const known = {
      originText: (origin: number): string => urls.originText(origin),
      endOf: (url: number): number => urls.endOf(url),
    };
    const logins = new LoginPages(known, hadSession(settings));
    const { ledger, urls, looks }: LedgerOfLog = ledgerOfLog(store, logins, { ...options, followsLooks: true });
    const { wall: loginWall } = logins;
    const sampled = looks?.claim(confidence);
    const { damping } = ledger;
    if (isDampingGiven && options.damping !== damping) {
      throw new UsageError(`${dir} was crawled with damping ${damping}: leave out --damping`);
    }
    const { universe } = settings.web;
    if (options.universe !== undefined && options.universe !== universe) {
      throw new UsageError(`${dir} was crawled with --universe ${universe}: leave out --universe`);
    }
    const weights = Array.from(store.trust(), ({ weight }) => weight);
    let arcs = 0;
    for (let url = 0; url < urls.urls; url++) arcs += Math.max(0, ledger.links.count(url));
    const grouped = options.by === "domain" ? merged(urls.hosts, registrableDomain) : urls.hosts;
    return certified(ledger, grouped, { ...options, damping, universe }, terminal, {
      ...(sampled === undefined ? {} : { sampled }),
      ...(sample === undefined ? {} : { sample }),
      ...(loginWall === undefined ? {} : { loginWall }),
      graph: { pages: urls.urls, arcs, hosts: grouped.names.length },
      trust: { pages: weights.length, total: weights.reduce((sum, weight) => sum + weight, 0) },
    });
  };
  return reading(dir, read, { atMs: options.at });
}

/** Hosts with the same group count as one. */
function merged({ names, hostOf }: Hosts, groupOf: (host: string) => string): Hosts {
  const ids = new Map<string, number>();
  const groups = names.map((name) => {
    const group = groupOf(name);
    const id = ids.get(group) ?? ids.size;
    ids.set(group, id);
    return id;
  });
  return { names: [...ids.keys()], hostOf: hostOf.map((host) => groups[host]) };
}

/** Without the options of a graph, the user probably means a crawl: the error says that there is none. */
function expectGraph(path: string): void {
  if (path === "-" || existsSync(`${path}.graph`)) return;
  const found = withFile(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) throw new UsageError(`${path}: no such file or directory`);
  if (found.isDirectory()) {
    throw new UsageError(`${path} is not a crawl directory: it has no crawl.sqlite`);
  }
}

function required(value: string | undefined, option: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`a graph needs ${option} FILE; only a crawl directory can do without it`);
}

interface About {
  readonly graph: object;
  readonly trust: object;
  readonly sampled?: SampledClaim;
  /** The sample that was taken now. */
  readonly sample?: SampleTaken;
  readonly loginWall?: LoginWall;
}

async function certified(
  ledger: MassLedger,
  hosts: Hosts | undefined,
  { damping, dangling, redirects, universe = "allowed", confidence }: CoverageOptions,
  { progress }: Terminal,
  about: About,
): Promise<Output> {
  const { ceilingOf, certify, missingShares, outsideShares, RankIntervals } = await import("../../coverage/index.ts");
  const certificate = certify(ledger);
  const missing = missingShares(ledger, certificate, hosts);
  const outside = outsideShares(ledger, certificate, hosts);
  const { coverage: ceiling } = ceilingOf(ledger);
  progress({ task: "ranking", done: 0, total: certificate.downloaded, unit: "pages" });
  const intervals = new RankIntervals(ledger, certificate, { redirectsPossible: redirects });
  const certainOrder = { pages: intervals.certainPrefix(), pairs: intervals.certainPairs() };
  const { downloaded } = certificate;
  const strict = strictInWords(certificate);
  const most = ceilingInWords(ceiling);
  return {
    document: { ...certificate, universe, ceiling, missing, outside, certainOrder, damping, dangling, ...about },
    text: (style) =>
      `${downloaded === 1 ? "This page holds" : `These ${formatCount(downloaded)} pages hold`} ` +
      `at least ${percentAtLeast(certificate.coverage)} of ${wholeInWords(universe)}` +
      `${strict === undefined ? "" : ` (${strict})`}.\n` +
      (about.loginWall === undefined ? "" : `${loginWallInWords(about.loginWall)}\n`) +
      (certificate.valued === undefined ? "" : `${valuedInWords(certificate.valued)}\n`) +
      sampledText(certificate.coverage, about, confidence) +
      (most === undefined ? "" : `Of the rest, some is out of reach: ${most}.\n`) +
      missingTable("missing", missing, style) +
      missingTable("left out", outside, style) +
      (hosts === undefined && missing.length > 0 ? "Give --urls to see hosts.\n" : "") +
      `\nRanking: ${rankingInWords(certainOrder)}.\n`,
  };
}

function rankingInWords({ pages, pairs }: { readonly pages: number; readonly pairs: number }): string {
  const order = `the order of ${counted(pairs, "pair")} of pages`;
  if (pages === 0) return `no place is certain yet${pairs === 0 ? "" : `, but ${order} is`}`;
  return `the first ${pages === 1 ? "place is" : `${formatCount(pages)} places are`} certain, and ${order}`;
}

function sampledText(coverage: number, { sampled, sample }: About, confidence: number | undefined): string {
  const taken = sample === undefined ? "" : `${sampleInWords(sample)}\n`;
  const shown = sampledBeyond({ coverage, ...(sampled === undefined ? {} : { sampled }) });
  if (shown !== undefined) return `${shown}\n${taken}`;
  if (confidence === undefined) return "";
  const sure = `confidence ${targetInWords(confidence)}`;
  const more = sample === undefined ? " To sample more, give --budget N." : "";
  return `Sampling shows no more than the proof with ${sure}.${more}\n${taken}`;
}

/** A page cannot be both downloaded and dead; the trust of a dead page is lost. */
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
    throw new UsageError(
      `page ${both} is in ${downloadedFile} and in ${deadFile}; a page cannot be both downloaded and dead`,
    );
  }
  const lost = dead.filter((page) => trust.weights[page] > 0).length;
  if (lost > 0)
    note(`${counted(lost, "trusted page")} ${lost === 1 ? "is" : "are"} dead: full coverage is unreachable`);
}

const HOSTS_SHOWN = 5;

/** Shares are upper bounds. */
function missingTable(heading: string, missing: readonly MissingShare[], style: TextStyle): string {
  const rows = missing.flatMap(({ reason, mass, hosts }) => [
    [REASONS[reason].name, hundredthsAtMost(mass), null, null],
    ...hosts.slice(0, HOSTS_SHOWN).map(({ host, mass, pages }) => ["", hundredthsAtMost(mass), pages, host]),
    ...otherHosts(hosts.slice(HOSTS_SHOWN)),
  ]);
  if (rows.length === 0) return "";
  const columns = [column(heading), column("at most", 3, "number"), column("pages", 1, "count"), column("host", 2)];
  return `\n${renderTable(columns, rows, style)}`;
}

function otherHosts(hosts: MissingShare["hosts"]): [string, string, number, string][] {
  if (hosts.length === 0) return [];
  const sum = (key: "mass" | "pages"): number => hosts.reduce((total, host) => total + host[key], 0);
  return [["", hundredthsAtMost(sum("mass")), sum("pages"), counted(hosts.length, "more host")]];
}
