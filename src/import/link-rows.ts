/** Links that come in any order, collected by the page that they stand on: four bytes per link, each URL once. */
import { type Graph, GraphBuilder } from "../graph/index.ts";
import { canonicalUrl, hostOfUrl } from "../web/index.ts";

interface Rows {
  readonly follow: Graph;
  readonly nofollow: Graph;
  readonly hyperlinks: Graph;
}

export class LinkRows {
  readonly #urls: string[] = [];
  readonly #ids = new Map<string, number>();
  /** Those that are no web address. */
  readonly #others = new Set<number>();
  readonly #follow = new GraphBuilder();
  readonly #nofollow = new GraphBuilder();
  readonly #hyperlinks = new GraphBuilder();
  #rows: Rows | undefined;

  /** The number of a URL, which is new or known, however it is spelt. */
  idOf(url: string): number {
    const canonical = canonicalUrl(url);
    const key = canonical ?? url;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#urls.push(key) - 1;
    this.#ids.set(key, id);
    if (canonical === null) this.#others.add(id);
    return id;
  }

  /** Undefined for a URL that was never named. */
  find(url: string): number | undefined {
    return this.#ids.get(canonicalUrl(url) ?? url);
  }

  /** Undefined if it is no web address. */
  hostOf(id: number): string | undefined {
    return this.#others.has(id) ? undefined : hostOfUrl(this.#urls[id]);
  }

  add(source: number, target: number, nofollow: boolean): void {
    (nofollow ? this.#nofollow : this.#follow).add(source, target);
  }

  /** Notes that a link is one of those which `hyperlinksOf` yields; it is added apart from that. */
  markHyperlink(source: number, target: number): void {
    this.#hyperlinks.add(source, target);
  }

  /** Pages that have links, in the order in which they were first named. To be called after the last `add`. */
  *sources(): Generator<string> {
    const { follow, nofollow } = this.#finished;
    for (const [id, url] of this.#urls.entries()) {
      if ([follow, nofollow].some(({ offsets }) => offsets[id] < offsets[id + 1])) yield url;
    }
  }

  /** The links of a page. To be called after the last `add`. */
  *of(url: string): Generator<{ readonly href: string; readonly nofollow: boolean }> {
    const id = this.find(url);
    if (id === undefined) return;
    const { follow, nofollow } = this.#finished;
    for (let k = follow.offsets[id]; k < follow.offsets[id + 1]; k++) {
      yield { href: this.#urls[follow.targets[k]], nofollow: false };
    }
    for (let k = nofollow.offsets[id]; k < nofollow.offsets[id + 1]; k++) {
      yield { href: this.#urls[nofollow.targets[k]], nofollow: true };
    }
  }

  /** The different targets of the links of a page that were marked. To be called after the last mark. */
  hyperlinksOf(id: number): Uint32Array {
    const { offsets, targets } = this.#finished.hyperlinks;
    return targets.subarray(offsets[id], offsets[id + 1]);
  }

  get #finished(): Rows {
    const pages = this.#urls.length;
    this.#rows ??= {
      follow: this.#follow.finish({ pages }),
      nofollow: this.#nofollow.finish({ pages }),
      hyperlinks: this.#hyperlinks.finish({ pages }),
    };
    return this.#rows;
  }
}
