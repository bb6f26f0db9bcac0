/**
 * What a localised search engine knows (Communities, section 4): the pages F that it has, the links among them, and the
 * frontier, pages that F links to but does not contain.
 *
 * Pages of F get new numbers, in the order in which they were added, the local domain L first, so the links of a page
 * into L are a prefix of its row. Candidates (pages of the frontier) are numbered in order of discovery. Self links are
 * dropped, parallel links count once. A page that was dismissed (dead, forbidden) is neither: links to it do not count.
 * A URL that redirects is no page: links to it lead to its target, and rows are rewritten when a view is made.
 *
 * A view is linear in the links of F. Memory: 4 bytes per known id and per link of F; 16 per link of F while a view is
 * made.
 */
import { assert, capacityFor, enlarged } from "../base/index.ts";
import { type Graph, sharedUint32, successors, transpose } from "../graph/index.ts";

export interface KnownWeb {
  /** The links inside F, by the numbers of F. */
  readonly graph: Graph;
  /** The pages 0 to `localPages - 1` of `graph` are L. */
  readonly localPages: number;
  /** In-links inside F of each page of F. */
  readonly inDegrees: Uint32Array;
  /** Pages of the whole web that F links to but does not contain. */
  readonly candidates: Uint32Array;
  /** The pages of F that link to candidate c, ascending, start at `sources[sourceOffsets[c]]`. */
  readonly sourceOffsets: Uint32Array;
  readonly sources: Uint32Array;
}

const UNKNOWN = -1;
const DISMISSED = -2;
/** Candidate c has the place `FIRST_CANDIDATE - c`. */
const FIRST_CANDIDATE = -3;

/** The pages whose links are known, and those links. Ids are those of the whole web, which need not be known. */
export class KnownPages {
  #pages = new Uint32Array(0);
  #count = 0;
  /** The links of the page with number i start at `#targets[#offsets[i]]`. */
  #offsets = new Uint32Array(1);
  #targets = new Uint32Array(0);
  /** By id: the number in F, or one of the constants above. Between two views no page is a candidate. */
  #place = new Int32Array(0);
  /** Where URLs lead that redirect. */
  readonly #targetOf = new Map<number, number>();
  /** Whether no row has a link to such a URL. */
  #areResolved = true;

  get count(): number {
    return this.#count;
  }

  /** The ids of the pages of F, in the order in which they were added. */
  get pages(): Uint32Array {
    return this.#pages.subarray(0, this.#count);
  }

  /** A page of F, with all of its links. */
  add(page: number, links: Uint32Array): void {
    this.#reserve(page, links);
    assert(this.#place[page] < 0, `page ${page} is added once`);
    this.#place[page] = this.#count;
    this.#pages[this.#count] = page;
    let end = this.#offsets[this.#count];
    for (const target of new Set(links)) if (target !== page) this.#targets[end++] = target;
    this.#offsets[++this.#count] = end;
    this.#areResolved = this.#targetOf.size === 0;
  }

  /** A URL that redirects, and is no page of F; redirects may follow each other, but not in a circle. */
  redirect(from: number, to: number): void {
    this.#reserve(Math.max(from, to), NO_LINKS);
    assert(this.#place[from] < 0, `page ${from} was not added`);
    this.#targetOf.set(from, to);
    this.#areResolved = false;
  }

  /** A page that cannot be had: it is no candidate, and links to it do not count. */
  dismiss(page: number): void {
    this.#reserve(page, NO_LINKS);
    assert(this.#place[page] < 0, `page ${page} was not added`);
    this.#place[page] = DISMISSED;
  }

  /** Where a link to a page leads. */
  endOf(page: number): number {
    let end = page;
    for (let next: number | undefined; (next = this.#targetOf.get(end)) !== undefined; ) end = next;
    return end;
  }

  /** The first `localPages` pages that were added are L. */
  view(localPages: number): KnownWeb {
    if (!this.#areResolved) this.#resolve();
    const { inDegrees, inside, candidates, sourceCounts } = this.#measure();
    const inOffsets = offsetsOf(inDegrees, sharedUint32(this.#count + 1));
    const sourceOffsets = offsetsOf(sourceCounts, new Uint32Array(candidates.length + 1));
    const inSources = sharedUint32(inside);
    const sources = new Uint32Array(sourceOffsets[candidates.length]);
    this.#scatter(inOffsets.slice(), inSources, sourceOffsets.slice(), sources);
    for (let c = 0; c < candidates.length; c++) this.#place[candidates[c]] = UNKNOWN;
    const turned = { pages: this.#count, arcs: inside, offsets: inOffsets, targets: inSources };
    return { graph: transpose(turned), localPages, inDegrees, candidates, sourceOffsets, sources };
  }

  /** Rows only become shorter. */
  #resolve(): void {
    let end = 0;
    for (let i = 0, start = 0; i < this.#count; i++) {
      const row = this.#targets.subarray(start, this.#offsets[i + 1]);
      start = this.#offsets[i + 1];
      for (const target of new Set(Array.from(row, (each) => this.endOf(each)))) {
        if (target !== this.#pages[i]) this.#targets[end++] = target;
      }
      this.#offsets[i + 1] = end;
    }
    this.#areResolved = true;
  }

  #reserve(page: number, links: Uint32Array): void {
    let greatest = page;
    for (let k = 0; k < links.length; k++) greatest = Math.max(greatest, links[k]);
    const known = this.#place.length;
    if (greatest >= known) {
      this.#place = enlarged(this.#place, capacityFor(greatest + 1, known)).fill(UNKNOWN, known);
    }
    if (this.#count === this.#pages.length) {
      const capacity = capacityFor(this.#count + 1, this.#count);
      this.#pages = enlarged(this.#pages, capacity);
      this.#offsets = enlarged(this.#offsets, capacity + 1);
    }
    const needed = this.#offsets[this.#count] + links.length;
    if (needed > this.#targets.length) {
      this.#targets = enlarged(this.#targets, capacityFor(needed, this.#targets.length));
    }
  }

  /** Numbers the candidates and counts how long the arrays must be. */
  #measure() {
    const place = this.#place;
    const most = Math.min(this.#offsets[this.#count], place.length);
    const candidates = new Uint32Array(most);
    const sourceCounts = new Uint32Array(most);
    const inDegrees = new Uint32Array(this.#count);
    let count = 0;
    let inside = 0;
    const links = this.#offsets[this.#count];
    for (let link = 0; link < links; link++) {
      const target = this.#targets[link];
      const at = place[target];
      if (at >= 0) {
        inDegrees[at]++;
        inside++;
      } else if (at === UNKNOWN) {
        place[target] = FIRST_CANDIDATE - count;
        candidates[count] = target;
        sourceCounts[count++] = 1;
      } else if (at !== DISMISSED) sourceCounts[FIRST_CANDIDATE - at]++;
    }
    return { inDegrees, inside, candidates: candidates.slice(0, count), sourceCounts: sourceCounts.subarray(0, count) };
  }

  /** Pages are visited in ascending order, so sources come out ascending. `next…` is where the next source goes. */
  #scatter(nextInside: Uint32Array, inSources: Uint32Array, nextOutside: Uint32Array, sources: Uint32Array): void {
    for (let i = 0; i < this.#count; i++) {
      const end = this.#offsets[i + 1];
      for (let link = this.#offsets[i]; link < end; link++) {
        const at = this.#place[this.#targets[link]];
        if (at >= 0) inSources[nextInside[at]++] = i;
        else if (at !== DISMISSED) sources[nextOutside[FIRST_CANDIDATE - at]++] = i;
      }
    }
  }
}

/** What is known if these pages of a web were crawled, the first `localPages` of them local. Reads their rows only. */
export function knownPart(web: Graph, pages: Uint32Array, localPages: number): KnownWeb {
  const known = new KnownPages();
  for (let i = 0; i < pages.length; i++) known.add(pages[i], successors(web, pages[i]));
  return known.view(localPages);
}

/**
 * The links inside F, and those to the frontier: candidate c is the page `graph.pages + c`, which has no known links.
 */
export function withFrontier({ graph, inDegrees, candidates, sourceOffsets, sources }: KnownWeb): Graph {
  const pages = graph.pages + candidates.length;
  const arcs = graph.arcs + sources.length;
  const offsets = sharedUint32(pages + 1);
  offsetsOf(inDegrees, offsets);
  for (let c = 1; c <= candidates.length; c++) offsets[graph.pages + c] = graph.arcs + sourceOffsets[c];
  const targets = sharedUint32(arcs);
  targets.set(transpose(graph).targets);
  targets.set(sources, graph.arcs);
  return transpose({ pages, arcs, offsets, targets });
}

const NO_LINKS = new Uint32Array(0);

function offsetsOf(counts: Uint32Array, offsets: Uint32Array): Uint32Array {
  for (let i = 0; i < counts.length; i++) offsets[i + 1] = offsets[i] + counts[i];
  return offsets;
}
