/**
 * Generates webs of any size that resemble the real one, from a seed, row by row in page order. Hosts come from
 * web-layout.ts, rows from web-rows.ts. Memory: 8 bytes per host and a few rows, for any number of pages; time is
 * linear in links.
 */
import { Random, UsageError } from "../base/index.ts";
import { GraphBuilder, PAGE_ID_MAX } from "./builder.ts";
import { type Graph, sharedUint32 } from "./graph.ts";
import type { Hosts } from "./hosts.ts";
import { WebLayout } from "./web-layout.ts";
import { RowMaker } from "./web-rows.ts";

/** Options of `generateGraph`. */
export interface GeneratorOptions {
  readonly pages: number;
  readonly seed: number;
  /** Links per page, pages without links included (default: 15.6). Webs of a few thousand pages stay below it. */
  readonly averageDegree?: number;
  /** Default: one for every fifty pages. */
  readonly hosts?: number;
}

const PAGES_PER_HOST = 50;
/** The tree alone takes about three links per page. */
const AVERAGE_DEGREE_MIN = 4;
const AVERAGE_DEGREE_MAX = 200;

export class GeneratedWeb {
  readonly pages: number;
  readonly hosts: number;
  readonly #options: Required<GeneratorOptions>;
  readonly #layout: WebLayout;

  constructor(options: GeneratorOptions) {
    this.#options = checked(options);
    const { pages, hosts, seed } = this.#options;
    this.pages = pages;
    this.hosts = hosts;
    this.#layout = new WebLayout(pages, hosts, seed);
  }

  /**
   * Calls back for every page in order, pages without links included. Its links, ascending and distinct, are the first
   * `count` of `targets`, valid during the call. Returns the number of links.
   */
  forEachRow(visit: (page: number, targets: Uint32Array, count: number) => void): number {
    const { starts } = this.#layout;
    const rows = new RowMaker(this.#layout, new Random(this.#options.seed, 1), this.#options.averageDegree);
    for (let host = 0; host < this.hosts; host++) {
      rows.enterHost(host);
      for (let page = starts[host]; page < starts[host + 1]; page++) {
        const count = rows.make(page);
        visit(page, rows.targets, count);
      }
    }
    return rows.arcs;
  }

  urlOf(page: number): string {
    return this.#layout.urlOf(page);
  }

  /** The host of every page, for a web that fits in memory. */
  hostsOfPages(): Hosts {
    const { starts } = this.#layout;
    const hostOf = sharedUint32(this.pages);
    for (let host = 0; host < this.hosts; host++) hostOf.fill(host, starts[host], starts[host + 1]);
    return { names: Array.from({ length: this.hosts }, (_, host) => this.#layout.hostName(host)), hostOf };
  }
}

/** Generates a web in memory: its links and the host of every page. */
export function generateGraph(options: GeneratorOptions): { graph: Graph; hosts: Hosts } {
  const web = new GeneratedWeb(options);
  const builder = new GraphBuilder();
  web.forEachRow((page, targets, count) => {
    for (let i = 0; i < count; i++) builder.add(page, targets[i]);
  });
  return { graph: builder.finish({ pages: web.pages }), hosts: web.hostsOfPages() };
}

function checked({ pages, seed, averageDegree = 15.6, hosts }: GeneratorOptions): Required<GeneratorOptions> {
  requireWhole("pages", pages, 1, PAGE_ID_MAX);
  requireWhole("seed", seed, 0, 2 ** 32 - 1);
  if (!(averageDegree >= AVERAGE_DEGREE_MIN && averageDegree <= AVERAGE_DEGREE_MAX)) {
    throw new UsageError(
      `got average degree ${averageDegree}; expected a number from ${AVERAGE_DEGREE_MIN} to ${AVERAGE_DEGREE_MAX}`,
    );
  }
  const hostCount = hosts ?? Math.max(1, Math.round(pages / PAGES_PER_HOST));
  requireWhole("hosts", hostCount, 1, pages);
  return { pages, seed, averageDegree, hosts: hostCount };
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new UsageError(`got ${name} ${value}; expected a whole number from ${min} to ${max}`);
}
