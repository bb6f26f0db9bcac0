/** Packs pages of a crawl into one Markdown file: looks at them by importance, chooses, writes. */
import { assert, UsageError } from "../base/index.ts";
import { contentsLine, END_OF_CONTENTS, type PackedPage, section } from "./pack-file.ts";
import { PackChoice } from "./pack.ts";
import { type CountTokens, isCountable } from "./tokens.ts";

interface PackSource {
  /** For messages. */
  readonly name: string;
  /** The pages that may be packed, by importance, highest first. */
  readonly pages: Uint32Array;
  /** What is certain of the importance of a page; it falls along `pages`. */
  importanceOf(page: number): number;
  /** What these pages certainly have of all importance. */
  coverageOf(pages: readonly number[]): number;
  about(page: number): Omit<PackedPage, "markdown">;
  /** The Markdown of a page; undefined if it has none. */
  markdown(page: number, url: string): string | undefined;
}

/** What the head of the file says. */
interface PackFigures {
  readonly pages: number;
  readonly tokens: number;
  readonly coverage: number;
}

export interface PackTask {
  readonly tokensMax: number;
  readonly count: CountTokens;
  /** Begins with a sign and ends with a blank line. Greater figures never take fewer tokens. */
  head(figures: PackFigures): string;
  /** Called now and then while pages are looked at. */
  onStep(looked: number): Promise<void>;
}

export interface Pack extends PackFigures {
  /** The packed pages, by importance. */
  readonly ids: readonly number[];
  readonly text: string;
  /** Pages that alone are too long for the budget, and those without text; of the pages that were looked at. */
  readonly tooLong: number;
  readonly withoutText: number;
}

/** No page costs less, however short: its number, title and URL are written twice. */
const COST_MIN = 20;
/** So many pages in a row were of no use, although they were the most important ones left: the rest hardly is. */
const MISSES_MAX = 10_000;
/** The same where little of the budget is left, and little can be gained. */
const FILL_MISSES_MAX = 100;
const PAGES_PER_STEP = 16;
/** Figures that take as many tokens as those of any pack. */
const LARGEST = { tokens: 999_999_999, coverage: 0.9999 };

export async function packPages(source: PackSource, task: PackTask): Promise<Pack> {
  const packer = new Packer(source, task);
  const choice = new PackChoice(task.tokensMax - packer.headCost);
  await packer.offerTo(choice);
  const { pages, cost } = choice.chosen();
  if (pages.length === 0) return packer.alone();
  const others = packer.fitting(task.tokensMax - packer.headCost - cost, new Set(pages));
  const ids = new Set([...pages, ...others]);
  return packer.written(Array.from(source.pages).filter((page) => ids.has(page)));
}

class Packer {
  readonly headCost: number;
  readonly #source: PackSource;
  readonly #task: PackTask;
  #tooLong = 0;
  #withoutText = 0;

  constructor(source: PackSource, task: PackTask) {
    this.#source = source;
    this.#task = task;
    this.headCost = this.#tokens(task.head({ ...LARGEST, pages: source.pages.length }) + END_OF_CONTENTS);
  }

  async offerTo(choice: PackChoice): Promise<void> {
    const { pages, importanceOf } = this.#source;
    const budget = choice.costMax(Number.POSITIVE_INFINITY);
    let misses = 0;
    for (const [k, page] of pages.entries()) {
      if (k % PAGES_PER_STEP === 0) await this.#task.onStep(k);
      const importance = importanceOf(page);
      const costMax = choice.costMax(importance);
      if (costMax < COST_MIN || misses >= MISSES_MAX) return;
      const packed = this.#page(page);
      if (packed === undefined) {
        this.#withoutText++;
        continue;
      }
      const cost = this.#cost(packed, costMax);
      if (cost === undefined) {
        if (costMax === budget) this.#tooLong++;
        misses++;
      } else {
        choice.offer(page, importance, cost);
        misses = 0;
      }
    }
  }

  /** Pages for what is left of the budget, the most important first, that were not worth as much as others before. */
  *fitting(tokens: number, chosen: ReadonlySet<number>): Generator<number> {
    let left = tokens;
    let misses = 0;
    for (const page of this.#source.pages) {
      if (left < COST_MIN || misses >= FILL_MISSES_MAX) return;
      if (chosen.has(page)) continue;
      const packed = this.#page(page);
      const cost = packed && this.#cost(packed, left);
      misses = cost === undefined ? misses + 1 : 0;
      if (cost === undefined) continue;
      left -= cost;
      yield page;
    }
  }

  /**
   * The most important page that fits alone, although it does not with the greatest number and the longest head, by
   * which pages are chosen. Throws if there is none: why, and how many tokens would do.
   */
  alone(): Pack {
    const { tokensMax, head } = this.#task;
    let least = Number.POSITIVE_INFINITY;
    this.#tooLong = 0;
    this.#withoutText = 0;
    for (const page of this.#source.pages.subarray(0, MISSES_MAX)) {
      const packed = this.#page(page);
      if (packed === undefined) {
        this.#withoutText++;
        continue;
      }
      const cost = this.#cost(packed, least - 1, 1);
      // What the head takes at least: the share is known when the file is made, which takes long.
      const headCost = cost && this.#tokens(head({ pages: 1, tokens: cost, coverage: 0 }) + END_OF_CONTENTS);
      if (cost !== undefined && headCost !== undefined && cost + headCost < least) {
        const pack = this.#file([page]);
        if (pack.tokens <= tokensMax) return pack;
        least = Math.min(least, pack.tokens);
      }
      this.#tooLong++;
    }
    if (least === Number.POSITIVE_INFINITY) {
      throw new UsageError(
        `${this.#source.name} has no text of any page: expected a crawl that ran with --store markdown, or with --warc`,
      );
    }
    throw new UsageError(`--tokens ${this.#task.tokensMax} is too small for even one page: expected at least ${least}`);
  }

  written(chosen: readonly number[]): Pack {
    const pack = this.#file(chosen);
    assert(pack.tokens <= this.#task.tokensMax, "the pieces of a pack cost as much as the whole");
    return pack;
  }

  #file(chosen: readonly number[]): Pack {
    const { coverageOf } = this.#source;
    const { head } = this.#task;
    const packed = chosen.map((page) => this.#page(page)).filter((page) => page !== undefined);
    const contents = packed.map((page, k) => contentsLine(k + 1, page)).join("");
    const sections = packed.map((page, k) => section(k + 1, page)).join("");
    const rest = contents + END_OF_CONTENTS + sections;
    const restTokens = this.#tokens(rest);
    const figures = { pages: chosen.length, coverage: coverageOf(chosen) };
    // The head says how many tokens there are, its own included: from below, a few rounds find the number.
    let tokens = 0;
    for (let said = -1; said !== tokens; ) {
      said = tokens;
      tokens = restTokens + this.#tokens(head({ ...figures, tokens }));
    }
    const text = head({ ...figures, tokens }) + rest;
    return { ...figures, ids: chosen, tokens, text, tooLong: this.#tooLong, withoutText: this.#withoutText };
  }

  #page(page: number): PackedPage | undefined {
    const about = this.#source.about(page);
    const markdown = this.#source.markdown(page, about.url);
    if (markdown === undefined || markdown.trim() === "") return undefined;
    const packed = { ...about, markdown };
    return isCountable(section(0, packed)) ? packed : undefined;
  }

  /** As if it had the greatest number, where it is not known yet which it gets. */
  #cost(page: PackedPage, most: number, number = this.#source.pages.length): number | undefined {
    return this.#task.count(contentsLine(number, page) + section(number, page), most);
  }

  #tokens(text: string): number {
    const tokens = this.#task.count(text, Number.POSITIVE_INFINITY);
    assert(tokens !== undefined, "a text has tokens");
    return tokens;
  }
}
