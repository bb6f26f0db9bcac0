/**
 * FINDGLOBALPR on the live web: a crawl around a community, in a directory of its own, whose order is the choice of
 * pages (community-order.ts). Politeness, robots.txt, store and resuming are those of any crawl.
 */
import { counted, systemClock, UsageError } from "../../base/index.ts";
import { CommunityOrder } from "../../community/index.ts";
import type { OwnOrderContext, StoredSettings } from "../../crawl/index.ts";
import { startAround } from "../../import/index.ts";
import { isCrawl } from "../../store/index.ts";
import { Scope, type ScopeOptions } from "../../web/index.ts";
import { planCrawl, settingsOf } from "../crawl/plan.ts";
import { runPlan } from "../crawl/run.ts";
import { urlsOfPages } from "../input/urls.ts";
import type { Output } from "../options/command.ts";
import { Interruption, onInterrupt } from "../terminal/interrupts.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { liveOutput, type LiveRun } from "./live-output.ts";
import { FIXED_CHOICES, type LiveChoice, type LiveRounds, readRounds, writeRounds } from "./rounds-file.ts";
import { type CommunityOptions, hostNamed, loadWorld } from "./world.ts";

/** Rounds, without `--rounds`. */
const ROUNDS = 10;

export interface LiveOptions extends CommunityOptions {
  /** Names of options that the user has given. */
  readonly given: ReadonlySet<string>;
}

export async function liveCommunity(path: string, options: LiveOptions, terminal: Terminal): Promise<Output> {
  const dir = options.dir ?? `${path.replace(/[\\/]+$/, "")}-community`;
  if (!isCrawl(dir)) await begin(path, dir, options, terminal);
  const stored = await resumable(path, dir, options);
  return liveOutput(await run(dir, stored, options, terminal), options);
}

/** Makes the directory of the live crawl. */
async function begin(path: string, dir: string, options: LiveOptions, { progress, note }: Terminal): Promise<void> {
  const settings = await settingsOf(path);
  const { crawl, local: named, urls } = await loadWorld(path, options, progress);
  const isNamed = new Set(named);
  const local = (crawl?.downloaded ?? named).filter((page) => isNamed.has(page));
  if (local.length === 0)
    throw new UsageError(`${path} has downloaded no page of the community; expected at least one`);
  if (options.local !== undefined && local.length < named.length) {
    note(`only ${local.length} of ${counted(named.length, "local page")} were downloaded; only these count`);
  }
  const texts = await urlsOfPages(urls, options.local === undefined ? local : named);
  const localUrls = Array.from(local, (page) => texts.get(page) ?? "");
  const rounds: LiveRounds = {
    choice: choiceOf(options, local.length),
    inside: insideOf(options, settings, { local: localUrls, named: [...texts.values()] }),
    roundsWanted: options.rounds ?? ROUNDS,
    rounds: [],
  };
  const interrupted = new AbortController();
  const unmade = new Interruption(`interrupted: ${dir} was not made`, { leavesNothing: true });
  const forget = onInterrupt(() => interrupted.abort(unmade));
  try {
    const { notStored } = await startAround({
      dir: path,
      out: dir,
      settings,
      local: localUrls,
      damping: rounds.choice.damping,
      again: options.again ?? false,
      finish: (made) => writeRounds(made, rounds),
      progress,
      signal: interrupted.signal,
    });
    if (notStored > 0) {
      note(`${counted(notStored, "page")} of ${path} were not stored: their links to other sites are unknown`);
    }
  } finally {
    forget();
  }
}

function choiceOf(options: LiveOptions, localPages: number): LiveChoice {
  const { local = null, select = "auto", levels = null, fullDegrees = false, seed, damping, rounds = ROUNDS } = options;
  if (fullDegrees && select === "auto") {
    throw new UsageError("auto chooses how links count by itself: leave out --full-degrees, or give another --select");
  }
  const pages = options.pages ?? Math.ceil(localPages / rounds);
  return { local, select, pages, levels, fullDegrees, seed, damping };
}

/** Which URLs belong to the community, downloaded or not. */
function insideOf(
  { local, by }: LiveOptions,
  { web: { scope } }: StoredSettings,
  urls: { readonly local: readonly string[]; readonly named: readonly string[] },
): ScopeOptions {
  if (hostNamed(local) !== undefined) return { kind: by, seeds: urls.local.slice(0, 1) };
  if (local !== undefined) return { kind: "page", seeds: urls.named };
  return scope.kind === "any" ? { kind: "page", seeds: [] } : { kind: scope.kind, seeds: scope.seeds };
}

/** What earlier runs have decided; throws a `UsageError` if the user now wants something else. */
async function resumable(path: string, dir: string, options: LiveOptions): Promise<LiveRounds> {
  const stored = readRounds(dir);
  const [of, around] = await Promise.all([settingsOf(path), settingsOf(dir)]);
  if (of.web.hashSeed !== around.web.hashSeed) {
    throw new UsageError(`${dir} was made from another crawl than ${path}; give another --dir`);
  }
  const { given } = options;
  for (const name of FIXED_CHOICES) {
    const had = stored.choice[name];
    const wanted = options[name] ?? null;
    if (!given.has(name) || wanted === had) continue;
    const flag = name === "fullDegrees" ? "--full-degrees" : `--${name}`;
    throw new UsageError(
      `${dir} was begun with ${flag} ${String(had ?? "left out")}, which cannot be changed to ${String(wanted)}; ` +
        `leave out ${flag}, or give another --dir`,
    );
  }
  return stored;
}

async function run(dir: string, stored: LiveRounds, options: LiveOptions, terminal: Terminal): Promise<LiveRun> {
  const { choice, inside } = stored;
  const { rounds = stored.roundsWanted } = options;
  const { select, pages: pagesPerRound, seed, fullDegrees, damping } = choice;
  const wanted = rounds * pagesPerRound;
  const scope = new Scope(inside);
  let order: CommunityOrder | undefined;
  const makeOrder = ({ links, urlOf, pageOf }: OwnOrderContext): CommunityOrder =>
    (order = new CommunityOrder({
      links,
      urlOf,
      pageOf,
      rounds,
      pagesPerRound,
      seed,
      fullDegrees,
      damping,
      select,
      levels: choice.levels ?? undefined,
      isOutside: (url) => !scope.contains(url),
      earlier: stored.rounds,
      onRound: (made) => writeRounds(dir, { ...stored, roundsWanted: rounds, rounds: made }),
    }));
  const startMs = systemClock.nowMs();
  const { end } = await runPlan(await planCrawl({ dir }, { keepsCrawl: true }), {
    readers: 0,
    makeOrder,
    progress: terminal.progress,
    onStatus: () => terminal.progress(stepOf(order!, wanted)),
    onNote: terminal.note,
  });
  if (end.error !== undefined) throw end.error;
  return { dir, order: order!, choice, wanted, reason: end.reason, seconds: (systemClock.nowMs() - startMs) / 1000 };
}

function stepOf({ rounds, crawled }: CommunityOrder, total: number) {
  if (rounds === 0) return { task: "fetching the pages of the community", done: 0, unit: "pages" };
  return { task: `round ${rounds}`, done: crawled, total, unit: "pages" };
}
