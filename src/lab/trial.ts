/** Runs one order on a graph whose true ranks are known, and scores it at every download. */
import { noProgress, Random } from "../base/index.ts";
import { linksOf } from "../graph/index.ts";
import { type CrawlOrder, createOrder } from "../order/index.ts";
import { CertifiedCurve } from "./certified-curve.ts";
import { CoveredValue, Milestones, trueShare } from "./milestones.ts";
import { firstClaimed } from "./sampled-levels.ts";
import {
  type CostPoint,
  type CurvePoint,
  type Level,
  LEVELS,
  type Reached,
  type SimulationInput,
  type SimulationRun,
} from "./simulation.ts";

/** Points of the curve for each factor of ten. */
const POINTS_PER_DECADE = 30;

export class Trial {
  readonly #name: string;
  readonly #input: SimulationInput;
  readonly #truth: Float64Array;
  readonly #order: CrawlOrder;
  readonly #certified: CertifiedCurve;
  readonly #valued: CertifiedCurve | undefined;
  readonly #crawl: Uint32Array;
  readonly #curve: CurvePoint[] = [];
  readonly #cost: CostPoint[] = [];
  readonly #actualAt = new Milestones();
  readonly #guaranteedAt = new Milestones();
  /** Left out where all pages count the same. */
  readonly #worth: CoveredValue | undefined;
  #count = 0;
  #actual = 0;
  #guaranteed: number | null = null;
  #upcoming = -1;
  #seconds = 0;
  /** The values after each download since the last point of the curve, so that a run can end between two points. */
  #since = emptyStretch();

  constructor(name: string, input: SimulationInput, truth: Float64Array) {
    const { graph, damping, trust, coverage, hosts, values } = input;
    this.#name = name;
    this.#input = input;
    this.#truth = truth;
    const web = { links: linksOf(graph), pages: graph.pages, damping };
    const hostOf = hosts === undefined ? {} : { hostOf: (page: number) => hosts.hostOf[page] };
    this.#order = createOrder(name, { ...web, ...hostOf, trueRanks: truth });
    // A run ends once its goal is certified, so no higher level is searched.
    const levels = coverage === undefined ? LEVELS : [...LEVELS.filter((level) => level < coverage), coverage];
    this.#certified = new CertifiedCurve({ ...web, trust, levels });
    if (values !== undefined) {
      this.#valued = new CertifiedCurve({ ...web, trust, levels: LEVELS, values });
      this.#worth = new CoveredValue(values, truth);
    }
    this.#crawl = new Uint32Array(Math.min(graph.pages, input.maxPages ?? graph.pages));
    this.#timed(() => {
      for (const [page, weight] of trust) this.#order.trusted(page, weight);
      this.#advance();
    });
  }

  run(): SimulationRun {
    const { coverage: goal, progress = noProgress } = this.#input;
    for (let point = 1; ; point = nextPoint(point)) {
      const from = this.#count;
      const secondsBefore = this.#seconds;
      const upTo = Math.min(point, this.#crawl.length);
      this.#since = emptyStretch();
      this.#timed(() => this.#downloadUpTo(upTo));
      if (this.#count > from) {
        const certified = this.#certified.advance(this.#crawl, this.#count);
        this.#curve.push([this.#count, this.#actual, this.#guaranteed, certified]);
        this.#cost.push([this.#count, this.#seconds, this.#order.pushes]);
      }
      const end = goal === undefined ? undefined : this.#certified.reached.get(goal);
      this.#valued?.advance(this.#crawl, end ?? this.#count);
      if (end !== undefined) return this.#endAt(end, { from, secondsBefore });
      if (this.#isDone()) return this.#endAt(this.#count, { from, secondsBefore });
      progress({ task: this.#name, done: this.#count, total: this.#crawl.length, unit: "pages" });
    }
  }

  #isDone(): boolean {
    const { guarantee } = this.#input;
    if (guarantee !== undefined && this.#guaranteed !== null && this.#guaranteed >= guarantee) return true;
    return this.#upcoming < 0 || this.#count === this.#crawl.length;
  }

  #downloadUpTo(count: number): void {
    const { values } = this.#input;
    while (this.#count < count && !this.#isDone()) {
      const page = this.#upcoming;
      if (values !== undefined) this.#order.valued?.(page, values[page]);
      this.#order.downloaded(page);
      this.#crawl[this.#count++] = page;
      this.#actual = trueShare(this.#actual + this.#truth[page]);
      this.#advance();
      this.#actualAt.note(this.#actual, this.#count);
      this.#since.actual.push(this.#actual);
      this.#since.guaranteed.push(this.#guaranteed);
      this.#since.pushes.push(this.#order.pushes);
      if (this.#worth !== undefined) this.#since.worth.push(this.#worth.downloaded(page, this.#count));
    }
  }

  /** The guarantee of an order for the pages downloaded so far is read after it has chosen the next page. */
  #advance(): void {
    this.#upcoming = this.#order.next();
    this.#guaranteed = this.#order.guaranteed();
    if (this.#guaranteed !== null) this.#guaranteedAt.note(this.#guaranteed, this.#count);
  }

  #endAt(downloads: number, last: { from: number; secondsBefore: number }): SimulationRun {
    const index = downloads - last.from - 1;
    const actual = this.#since.actual[index];
    const guaranteed = this.#since.guaranteed[index];
    const pushes = this.#since.pushes[index];
    const certified = this.#certified.exactAt(this.#crawl, downloads);
    const share = this.#count === last.from ? 1 : (downloads - last.from) / (this.#count - last.from);
    const seconds = last.secondsBefore + share * (this.#seconds - last.secondsBefore);
    const upTo = (reached: Reached): Reached =>
      Object.fromEntries(Object.entries(reached).filter(([, at]) => at !== undefined && at <= downloads));
    const upToEnd = (curve: CertifiedCurve): Reached =>
      upTo(Object.fromEntries(LEVELS.map((level) => [level, curve.reached.get(level)])));
    const valued = this.#valued?.exactAt(this.#crawl, downloads);
    const actualValued = this.#since.worth[index];
    const isBefore = ([count]: CurvePoint | CostPoint): boolean => count < downloads;
    return {
      order: this.#name,
      downloads,
      seconds,
      pushes,
      actual: upTo(this.#actualAt.reached),
      guaranteed: upTo(this.#guaranteedAt.reached),
      certified: upToEnd(this.#certified),
      ...(this.#valued === undefined ? {} : { valued: upToEnd(this.#valued) }),
      ...(this.#worth === undefined ? {} : { actualValued: upTo(this.#worth.reached) }),
      ...this.#sampled(downloads),
      final: { actual, guaranteed, certified, ...(valued === undefined ? {} : { valued, actualValued }) },
      curve: [...this.#curve.filter(isBefore), [downloads, actual, guaranteed, certified]],
      cost: [...this.#cost.filter(isBefore), [downloads, seconds, pushes]],
      rounds: this.#order.rounds ?? null,
    };
  }

  /** The levels up to the goal of the run that sampling claims within its downloads. */
  #sampled(downloads: number): { readonly sampled?: Reached } {
    const { sampling, coverage = 1, progress = noProgress } = this.#input;
    if (sampling === undefined) return {};
    const task = `${this.#name}, sampled`;
    const levels = LEVELS.filter((level) => level <= coverage);
    const sampled: { [level in Level]?: number } = {};
    for (const [k, level] of levels.entries()) {
      progress({ task, done: k, total: levels.length, unit: "levels" });
      const claimedAt = firstClaimed(this.#input, {
        level,
        alpha: 1 - sampling.confidence,
        seed: new Random(sampling.seed, k).uint32(),
        crawl: this.#crawl.subarray(0, downloads),
        provenAt: this.#certified.reached.get(level),
      });
      if (claimedAt !== undefined && claimedAt <= this.#crawl.length) sampled[`${level}`] = claimedAt;
    }
    return { sampled };
  }

  #timed(work: () => void): void {
    const start = this.#input.clock.nowMs();
    work();
    this.#seconds += (this.#input.clock.nowMs() - start) / 1000;
  }
}

/** The values after each download of a stretch of the crawl. */
function emptyStretch(): { actual: number[]; guaranteed: (number | null)[]; pushes: number[]; worth: number[] } {
  return { actual: [], guaranteed: [], pushes: [], worth: [] };
}

function nextPoint(point: number): number {
  return Math.max(point + 1, Math.round(point * 10 ** (1 / POINTS_PER_DECADE)));
}
