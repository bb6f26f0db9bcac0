/**
 * Computes surveys. It reads the log of a crawl into a ledger, a replica of the crawl's order and counters, and derives
 * the survey from them. It keeps what it has read, so the next survey of a running crawl costs only what is new, plus a
 * few passes over all pages and links.
 */
import type { ProgressStep } from "../base/index.ts";
import {
  type Certificate,
  certify,
  isDownloaded,
  ceilingOf,
  MassLedger,
  type MissingShare,
  missingScale,
  missingShares,
  outsideShares,
  type PageMasses,
  RankIntervals,
  sortByImportance,
} from "../coverage/index.ts";
import {
  countsOf,
  type CrawlSettings,
  hadSession,
  looksOfLog,
  markBeyondLimits,
  SampledTide,
  universeOf,
} from "../crawl/index.ts";
import { FindingsFacts, type FindingsSummary, summariseFindings } from "../findings/index.ts";
import { LogFeed, LoginPages, Tally, UrlView } from "../log/index.ts";
import { type CrawlOrder, createOrder } from "../order/index.ts";
import { distinct, linkCounts, linksInto, shareRoundedUp } from "./columns.ts";
import type { SurveyColumns, SurveyContents } from "./survey-file.ts";
import type { SurveyFacts, SurveyHost, SurveyMissing, TidePoint } from "./survey.ts";
import { SurveyTally } from "./tally.ts";
import { type RefreshedLog, RisenTide } from "./risen-tide.ts";
import { TideGauge, withSampled } from "./tide-gauge.ts";

/** URLs of the frontier in a survey. */
const FRONTIER_MAX = 1000;

export class Surveyor {
  readonly #settings: CrawlSettings;
  readonly #log: LogFeed;
  readonly #urls: UrlView;
  readonly #ledger: MassLedger;
  /**
   * A replica of the crawl's order, the same module that the crawl runs: for what it would fetch next, and its own
   * bound. An order that works in rounds may be in another round than in the crawl.
   */
  readonly #order: CrawlOrder;
  readonly #tally: SurveyTally;
  readonly #tide: TideGauge;
  /** Instead, where pages were read again. */
  #risen: RisenTide | undefined;
  readonly #logins: LoginPages;
  readonly #findingsFacts = new FindingsFacts();
  /** Left out where nobody has sampled. */
  #looks: ReturnType<typeof looksOfLog>;
  #sampled: SampledTide | undefined;
  #rounds = 0;

  /** With the order, damping and trust of every store that is read later. */
  constructor(settings: CrawlSettings) {
    this.#settings = settings;
    this.#log = new LogFeed((url) => this.#urls.hostOf(url), settings.web);
    this.#urls = new UrlView(this.#log.links);
    this.#logins = new LoginPages(this.#urls, hadSession(settings));
    const common = { links: this.#log.links, pages: 1024, damping: settings.damping };
    this.#ledger = new MassLedger({ ...common, universe: universeOf(settings) });
    this.#order = createOrder(settings.order, { ...common, hostOf: (url) => this.#urls.hostOf(url) });
    this.#tally = new SurveyTally(this.#urls);
    this.#tide = new TideGauge(this.#ledger, this.#order);
    this.#log.add(this.#urls, this.#ledger, this.#order, this.#tally, this.#logins, this.#findingsFacts);
  }

  /** Once pages were read again, the key of the survey changes, and everything is read again. */
  *read(store: RefreshedLog): Generator<ProgressStep, void> {
    const total = store.urlCount;
    if (this.#log.urls === 0) this.#follow(store);
    else this.#looks?.open(store, this.#log.visits);
    yield* this.#log.read(store);
    this.#risen?.read(store);
    this.#rounds = [...store.rounds()].length;
    this.#findingsFacts.sitemapUrls.read(store);
    yield { task: "certifying", done: total, total, unit: "URLs" };
  }

  /** Where the first looks come later, the key of the survey changes, and everything is read again. */
  #follow(store: RefreshedLog): void {
    if (store.generation > 0) this.#risen = new RisenTide(this.#ledger, (url) => this.#urls.targetOf(url));
    this.#log.add(this.#risen ?? this.#tide);
    this.#looks = looksOfLog(store, this.#log, this.#ledger);
    if (this.#looks === undefined) return;
    this.#sampled = new SampledTide(this.#looks);
    this.#log.add(this.#sampled);
  }

  survey(): SurveyContents {
    const { damping } = this.#settings;
    const certificate = certify(this.#ledger);
    const state = this.#ledger.state.slice(0, this.#log.urls);
    markBeyondLimits(state, this.#urls, this.#settings);
    const arrived = new Float64Array(state.length);
    for (let url = 0; url < state.length; url++) arrived[url] = this.#ledger.arrived(url);
    const { universe } = this.#ledger;
    const masses: PageMasses = { pages: state.length, damping, universe, state, arrived: (url) => arrived[url] };
    const intervals = new RankIntervals(this.#ledger, certificate);
    const byImportance = this.#byImportance(arrived);
    const columns: SurveyColumns = {
      state,
      arrived,
      highs: highsOf(intervals, state.length),
      byImportance,
      hostOf: this.#urls.hosts.hostOf,
      statusOf: this.#tally.statusOf.subarray(0, state.length),
      byVisit: this.#tally.closed.values,
      linkCounts: linkCounts(this.#log.links, state),
      attemptUrls: this.#tally.attemptUrls.values,
      attemptVisits: this.#tally.attemptVisits.values,
      ...linksInto(this.#log.links, state),
    };
    const certainPlaces = intervals.certainPrefix();
    const findings = this.#findings(columns);
    return {
      facts: { certainPlaces, findings, ...this.#facts(certificate, masses, intervals.wholeAtMost) },
      wholeAtMost: intervals.wholeAtMost,
      damping,
      missingScale: missingScale(masses, certificate),
      outsideScale: missingScale(
        { ...masses, universe: "everything" },
        { ...certificate, coverage: certificate.strict },
      ),
      columns,
    };
  }

  #findings({ state, byImportance, statusOf, inStarts, inSources }: SurveyColumns): FindingsSummary {
    const { links } = this.#log;
    return summariseFindings({
      site: { urls: state.length, state, links, targetOf: (url) => this.#urls.targetOf(url) },
      pages: byImportance.filter((url) => isDownloaded(state[url])),
      statusOf,
      linkedFrom: (url) => distinct(inSources.subarray(inStarts[url], inStarts[url + 1])),
      facts: this.#findingsFacts,
    });
  }

  #byImportance(arrived: Float64Array): Uint32Array {
    const { sinks } = this.#urls;
    const urls = new Uint32Array(arrived.length - sinks.size);
    for (let url = 0, k = 0; url < arrived.length; url++) if (!sinks.has(url)) urls[k++] = url;
    sortByImportance(urls, arrived);
    return urls;
  }

  #facts(
    certificate: Certificate,
    masses: PageMasses,
    wholeAtMost: number,
  ): Omit<SurveyFacts, "certainPlaces" | "findings"> {
    const { all, firstVisitMs, lastVisitMs } = this.#tally;
    const guaranteed = this.#order.guaranteed();
    const { coverage, strict, valued } = certificate;
    const claim = this.#sampled?.claim;
    const loginWall = this.#logins.wall;
    const missing = this.#named(missingShares(masses, certificate, this.#urls.hosts));
    const { coverage: ceiling } = ceilingOf(this.#ledger, (url) => masses.state[url] !== this.#ledger.state[url]);
    return {
      visits: this.#log.visits,
      urls: this.#log.urls,
      rounds: this.#rounds,
      status: {
        ...countsOf(all),
        known: this.#log.urls,
        frontier: all.waiting,
        hosts: this.#urls.hosts.names.length,
        coverage,
        strict,
        ...(valued === undefined ? {} : { valued }),
        ceiling,
        ...(claim === undefined ? {} : { sampled: claim }),
        ...(loginWall === undefined ? {} : { loginWall }),
        guaranteed,
      },
      certificate,
      guaranteed,
      tide: lastVisitMs === null ? [] : this.#tideUpTo(lastVisitMs, coverage),
      ...(this.#risen === undefined ? {} : { isTideOfNow: true }),
      missing,
      outside: this.#named(outsideShares(masses, certificate, this.#urls.hosts)),
      hosts: this.#hosts(masses, missing, wholeAtMost),
      firstVisitMs,
      lastVisitMs,
      frontier: nextOf(
        this.#order,
        FRONTIER_MAX,
        (url) => masses.state[url] !== this.#ledger.state[url] || this.#urls.sinks.has(url),
      ),
    };
  }

  #tideUpTo(atMs: number, coverage: number): TidePoint[] {
    const { downloadedCount } = this.#ledger;
    const points = this.#risen?.upTo([downloadedCount, atMs, coverage, null]) ?? this.#tide.upTo(atMs, coverage);
    return withSampled(points, this.#sampled?.steps ?? []);
  }

  /** With the numbers of hosts instead of their names. */
  #named(shares: readonly MissingShare[]): SurveyMissing[] {
    const ids = new Map(this.#urls.hosts.names.map((name, id) => [name, id]));
    return shares.map(({ reason, mass, hosts }) => ({
      reason,
      mass,
      pages: hosts.reduce((sum, { pages }) => sum + pages, 0),
      hosts: hosts.map(({ host, ...share }) => ({ host: ids.get(host)!, ...share })),
    }));
  }

  #hosts(masses: PageMasses, missing: readonly SurveyMissing[], wholeAtMost: number): SurveyHost[] {
    const { names, hostOf } = this.#urls.hosts;
    const held = new Float64Array(names.length);
    for (let url = 0; url < masses.pages; url++)
      if (isDownloaded(masses.state[url])) held[hostOf[url]] += masses.arrived(url);
    const lost = new Float64Array(names.length);
    for (const { hosts } of missing) for (const { host, mass } of hosts) lost[host] += mass;
    return names.map((host, id) => {
      // An origin may be known before any of its URLs.
      const tally = this.#tally.hosts[id] ?? new Tally();
      const { dead, refused, redirected } = tally.outcomes;
      return {
        host,
        known: tally.known,
        downloaded: tally.downloaded,
        waiting: tally.waiting,
        dead,
        refused,
        redirected,
        errors: tally.outcomes["try-again"] + tally.failed,
        bytes: tally.bytes,
        mass: held[id] / wholeAtMost,
        missing: lost[id],
        answerMs: tally.answers === 0 ? null : tally.answersMs / tally.answers,
      };
    });
  }
}

function highsOf(intervals: RankIntervals, urls: number): Float32Array {
  const highs = new Float32Array(urls);
  for (let url = 0; url < urls; url++) highs[url] = shareRoundedUp(intervals.of(url).high);
  return highs;
}

/** URLs that may be left out per URL that is wanted. */
const TRIES = 4;

/** The next `count` URLs of an order, without those that `isLeftOut` names. The order stays as it was. */
function nextOf(order: CrawlOrder, count: number, isLeftOut: (url: number) => boolean): number[] {
  const taken: number[] = [];
  const next: number[] = [];
  while (next.length < count && taken.length < TRIES * count) {
    const url = order.next();
    if (url < 0) break;
    taken.push(url);
    if (!isLeftOut(url)) next.push(url);
  }
  for (const url of taken) order.putBack(url);
  return next;
}
