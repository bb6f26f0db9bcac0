/**
 * A web of any size that takes no memory: the URL and the links of a page are computed from its number, and the number
 * from the URL. So a benchmark measures the crawl alone.
 *
 * The sizes of hosts follow a power law, the largest first; pages of a host have consecutive numbers. Half of the links
 * of a page lead to its own host, half to other hosts (or another share of them); large hosts and the first pages of a
 * host are linked more often.
 * URLs are as long as on the real web (77 characters on average in the archives of Common Crawl).
 */
import { Random } from "../../src/base/index.ts";
import type { ServedWeb } from "../../src/fetch/index.ts";

export interface ComputedWebOptions {
  readonly pages: number;
  readonly hosts: number;
  /** Before duplicates are dropped. */
  readonly linksPerPage: number;
  readonly seed: number;
  /** Of all links, the share that leads to other hosts (default: every second one does). */
  readonly crossing?: number;
}

const HOST_SIZE_EXPONENT = 0.8;
const WORDS = `
  about archive article blog category company contact data document events forum guide help history
  images index library list manual market media members music network news notes office online people
  photos press product program project public reference report research reviews school science search
  section service shop society sports stories support system team technology topics travel university
  users video weather world
`
  .trim()
  .split(/\s+/);

export class ComputedWeb implements ServedWeb {
  readonly #options: ComputedWebOptions;
  /** The first page of each host, and the number of pages at the end. */
  readonly #starts: Uint32Array;

  constructor(options: ComputedWebOptions) {
    const { pages, hosts } = options;
    this.#options = options;
    this.#starts = new Uint32Array(hosts + 1);
    const weights = new Float64Array(hosts + 1);
    for (let h = 0; h < hosts; h++) weights[h + 1] = weights[h] + (h + 1) ** -HOST_SIZE_EXPONENT;
    // Every host has one page, and its share of the rest.
    for (let h = 0; h <= hosts; h++) {
      this.#starts[h] = h + Math.floor(((pages - hosts) * weights[h]) / weights[hosts]);
    }
  }

  urlOf(page: number): string {
    const host = this.#hostOf(page);
    const random = new Random(this.#options.seed, 2 * page);
    const word = (): string => WORDS[random.below(WORDS.length)];
    return `https://www.host${host}.example/${word()}/${word()}/${word()}-${word()}-${word()}-${page}.html`;
  }

  pageOf(url: string): number {
    const digits = /-(\d+)\.html$/.exec(url)?.[1];
    const page = digits === undefined ? -1 : Number(digits);
    return page < this.#options.pages ? page : -1;
  }

  rowOf(page: number): number[] {
    const { hosts, linksPerPage, seed, crossing } = this.#options;
    const random = new Random(seed, 2 * page + 1);
    const own = this.#hostOf(page);
    const row = new Set<number>();
    for (let k = 0; k < linksPerPage; k++) {
      const isInside = crossing === undefined ? k % 2 === 0 : random.float() >= crossing;
      const host = isInside ? own : Math.floor(hosts * random.float() ** 2);
      const start = this.#starts[host];
      const size = this.#starts[host + 1] - start;
      row.add(start + Math.floor(size * random.float() ** 2));
    }
    return [...row];
  }

  #hostOf(page: number): number {
    let low = 0;
    let high = this.#options.hosts;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle] <= page) low = middle;
      else high = middle;
    }
    return low;
  }
}
