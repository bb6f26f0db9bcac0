/** Links that come in any order, collected by the page that they stand on: four bytes per link, each URL once. */
import { type Graph, GraphBuilder } from "../graph/index.ts";
import { canonicalUrl } from "../web/index.ts";

interface Rows {
  readonly follow: Graph;
  readonly nofollow: Graph;
  readonly hyperlinks: Graph;
}

export class LinkRows {
  readonly #urls: string[] = [];
  readonly #ids = new Map<string, number>();
  readonly #follow = new GraphBuilder();
  readonly #nofollow = new GraphBuilder();
  readonly #hyperlinks = new GraphBuilder();
  #rows: Rows | undefined;

  add(source: string, target: string, nofollow: boolean): void {
    (nofollow ? this.#nofollow : this.#follow).add(this.#idOf(source), this.#idOf(target));
  }

  /** Notes that a link is one of those which `hyperlinksOf` yields; it is added apart from that. */
  markHyperlink(source: string, target: string): void {
    this.#hyperlinks.add(this.#idOf(source), this.#idOf(target));
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
    const id = this.#ids.get(keyOf(url));
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
  *hyperlinksOf(url: string): Generator<string> {
    const id = this.#ids.get(keyOf(url));
    if (id === undefined) return;
    const { offsets, targets } = this.#finished.hyperlinks;
    for (let k = offsets[id]; k < offsets[id + 1]; k++) yield this.#urls[targets[k]];
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

  #idOf(url: string): number {
    const key = keyOf(url);
    let id = this.#ids.get(key);
    if (id === undefined) {
      this.#ids.set(key, (id = this.#urls.length));
      this.#urls.push(key);
    }
    return id;
  }
}

/** Two tables may spell a URL in two ways. */
function keyOf(url: string): string {
  return canonicalUrl(url) ?? url;
}
