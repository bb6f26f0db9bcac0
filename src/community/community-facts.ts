/**
 * What a crawl around a community learns, as FINDGLOBALPR needs it: which pages are local (those that are trusted),
 * which were had, which cannot be had, which redirect, and which may be chosen at all. The estimator begins once every
 * local page has an outcome; what is known of the outside by then counts from the start.
 *
 * Only facts come in, in the order of the log, so a crawl that is resumed begins where it was left.
 */
import { copiedRow, type LinkTable } from "../graph/index.ts";
import { type EstimatorOptions, GlobalRankEstimator } from "./global-pagerank.ts";

export interface CommunityFactsOptions {
  readonly links: LinkTable;
  /** Whether a page that is known only as a link is no page of the community. */
  readonly isOutside: (page: number) => boolean;
  readonly estimator: EstimatorOptions;
}

export class CommunityFacts {
  readonly #options: CommunityFactsOptions;
  readonly #trusted: number[] = [];
  /** In the order in which they were had. */
  readonly #had = new Set<number>();
  readonly #lost = new Set<number>();
  readonly #targetOf = new Map<number, number>();
  /** Targets of links that were judged: each once. */
  readonly #judged = new Set<number>();
  #local = new Uint32Array(0);
  #localRanks: Float64Array = new Float64Array(0);
  #estimator: GlobalRankEstimator | undefined;

  constructor(options: CommunityFactsOptions) {
    this.#options = options;
  }

  /** The local pages that were had, ascending; none before `begin`. */
  get local(): Uint32Array {
    return this.#local;
  }

  /** Their PageRank without any other page, 1 in sum. */
  get localRanks(): Float64Array {
    return this.#localRanks;
  }

  /** Undefined before `begin`, and if no local page was had. */
  get estimator(): GlobalRankEstimator | undefined {
    return this.#estimator;
  }

  trusted(page: number): void {
    this.#trusted.push(page);
  }

  had(page: number): void {
    if (this.#had.has(page)) return;
    this.#had.add(page);
    if (this.#estimator !== undefined) this.#learn(page);
  }

  lost(page: number): void {
    if (this.#had.has(page)) return;
    this.#lost.add(page);
    this.#estimator?.dismiss(page);
  }

  /** A circle leads nowhere. */
  redirected(from: number, to: number): void {
    if (this.endOf(to) === from) return this.lost(from);
    this.#targetOf.set(from, to);
    this.#estimator?.redirect(from, to);
    if (this.#estimator !== undefined) this.#judge(this.endOf(to));
  }

  endOf(page: number): number {
    let end = page;
    for (let next: number | undefined; (next = this.#targetOf.get(end)) !== undefined; ) end = next;
    return end;
  }

  isHad(page: number): boolean {
    return this.#had.has(page);
  }

  /** Whether nothing is known of a page but links to it. */
  isOpen(page: number): boolean {
    return !this.#had.has(page) && !this.#lost.has(page) && !this.#targetOf.has(page);
  }

  /** Whether a page may be chosen, and whether it may be fetched where a chosen one leads. */
  isCandidate(page: number): boolean {
    return this.isOpen(page) && this.#options.isOutside(page);
  }

  /** Local pages without an outcome: they are fetched before anything is chosen. */
  openLocal(): number[] {
    return [...new Set(this.#trusted.map((page) => this.endOf(page)))].filter((page) => this.isOpen(page));
  }

  /** No local page is open. `recall` is called before anything is learnt. */
  begin(recall: (estimator: GlobalRankEstimator) => void): void {
    const ends = new Set(this.#trusted.map((page) => this.endOf(page)));
    this.#local = Uint32Array.from([...ends].filter((page) => this.#had.has(page))).sort();
    if (this.#local.length === 0) return;
    const { estimator: options } = this.#options;
    const linksOf = (page: number): Uint32Array => this.#linksOf(page);
    const alone = new GlobalRankEstimator(this.#local, linksOf, { ...options, select: "leak", fullDegrees: false });
    for (const [from, to] of this.#targetOf) alone.redirect(from, to);
    this.#localRanks = alone.estimate().ranks;
    const estimator = new GlobalRankEstimator(this.#local, linksOf, options);
    this.#estimator = estimator;
    recall(estimator);
    for (const [from, to] of this.#targetOf) estimator.redirect(from, to);
    for (const page of this.#lost) estimator.dismiss(page);
    const isLocal = new Set(this.#local);
    for (const page of this.#had) {
      if (isLocal.has(page)) this.#judgeLinks(page);
      else this.#learn(page);
    }
  }

  #learn(page: number): void {
    this.#estimator?.learn(page, this.#linksOf(page));
    this.#judgeLinks(page);
  }

  #judgeLinks(page: number): void {
    const { targets, start, end } = this.#options.links.row(page);
    for (let link = start; link < end; link++) this.#judge(this.endOf(targets[link]));
  }

  /** Pages of the community that were not had are no candidates. */
  #judge(page: number): void {
    if (this.#judged.has(page)) return;
    this.#judged.add(page);
    if (this.isOpen(page) && !this.#options.isOutside(page)) this.#estimator?.dismiss(page);
  }

  /** A page that was had has a row. */
  #linksOf(page: number): Uint32Array {
    return copiedRow(this.#options.links, page);
  }
}
