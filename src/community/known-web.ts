/**
 * What a localised search engine knows (Communities, section 4): the pages F that it has, the links among them, and the
 * frontier, pages that F links to but does not contain. Of the whole web only the rows of F are read.
 *
 * Pages of F get new numbers, in the order given, the local domain L first, so the links of a page into L are a prefix
 * of its row. Candidates (pages of the frontier) are numbered in order of discovery. Self links are dropped.
 *
 * Linear in the links of F. Memory: 4 bytes per page of the whole web, kept from round to round; 16 per link of F while
 * it runs.
 */
import { assert } from "../base/index.ts";
import { type Graph, sharedUint32, transpose } from "../graph/index.ts";

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
/** Candidate c has the place `FIRST_CANDIDATE - c`. */
const FIRST_CANDIDATE = -2;

/** Reads the known part of a web, again and again as it grows. */
export class KnownWebReader {
  readonly #web: Graph;
  /** The number in F, or one of the constants above. Between two calls no page is a candidate. */
  readonly #place: Int32Array;

  constructor(web: Graph) {
    this.#web = web;
    this.#place = new Int32Array(web.pages).fill(UNKNOWN);
  }

  /** `members` are the pages of F, those of L first; later calls must begin with the same pages. */
  read(members: Uint32Array, localPages: number): KnownWeb {
    const place = this.#place;
    for (let i = 0; i < members.length; i++) place[members[i]] = i;
    const { inDegrees, inside, candidates, sourceCounts } = this.#count(members);
    const inOffsets = offsetsOf(inDegrees, sharedUint32(members.length + 1));
    const sourceOffsets = offsetsOf(sourceCounts, new Uint32Array(candidates.length + 1));
    const inSources = sharedUint32(inside);
    const sources = new Uint32Array(sourceOffsets[candidates.length]);
    this.#scatter(members, inOffsets.slice(), inSources, sourceOffsets.slice(), sources);
    for (let c = 0; c < candidates.length; c++) place[candidates[c]] = UNKNOWN;
    const turned = { pages: members.length, arcs: inside, offsets: inOffsets, targets: inSources };
    return { graph: transpose(turned), localPages, inDegrees, candidates, sourceOffsets, sources };
  }

  /** Numbers the candidates and counts how long the arrays must be. */
  #count(members: Uint32Array) {
    const { offsets, targets } = this.#web;
    const place = this.#place;
    let links = 0;
    for (let i = 0; i < members.length; i++) links += offsets[members[i] + 1] - offsets[members[i]];
    const most = Math.min(links, place.length - members.length);
    const candidates = new Uint32Array(most);
    const sourceCounts = new Uint32Array(most);
    const inDegrees = new Uint32Array(members.length);
    let count = 0;
    let inside = 0;
    for (let i = 0; i < members.length; i++) {
      assert(place[members[i]] === i, "a page is in F once");
      const end = offsets[members[i] + 1];
      for (let arc = offsets[members[i]]; arc < end; arc++) {
        const target = targets[arc];
        const at = place[target];
        if (at >= 0) {
          if (at === i) continue;
          inDegrees[at]++;
          inside++;
        } else if (at === UNKNOWN) {
          place[target] = FIRST_CANDIDATE - count;
          candidates[count] = target;
          sourceCounts[count++] = 1;
        } else sourceCounts[FIRST_CANDIDATE - at]++;
      }
    }
    return { inDegrees, inside, candidates: candidates.slice(0, count), sourceCounts: sourceCounts.subarray(0, count) };
  }

  /** Members are visited in ascending order, so sources come out ascending. `next…` is where the next source goes. */
  #scatter(
    members: Uint32Array,
    nextInside: Uint32Array,
    inSources: Uint32Array,
    nextOutside: Uint32Array,
    sources: Uint32Array,
  ): void {
    const { offsets, targets } = this.#web;
    const place = this.#place;
    for (let i = 0; i < members.length; i++) {
      const end = offsets[members[i] + 1];
      for (let arc = offsets[members[i]]; arc < end; arc++) {
        const at = place[targets[arc]];
        if (at >= 0) {
          if (at !== i) inSources[nextInside[at]++] = i;
        } else sources[nextOutside[FIRST_CANDIDATE - at]++] = i;
      }
    }
  }
}

function offsetsOf(counts: Uint32Array, offsets: Uint32Array): Uint32Array {
  for (let i = 0; i < counts.length; i++) offsets[i + 1] = offsets[i] + counts[i];
  return offsets;
}
