/** Pages with the same content, byte by byte: groups of them, found by the digests of their bodies. */
import { FingerprintTable } from "../base/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import type { LogListener, Visit } from "../log/index.ts";
import { groupsOf, HashColumn } from "./hash-column.ts";

/** Collects the digests of a log. */
export class ContentDigests implements LogListener {
  readonly #digests = new HashColumn();

  visited({ url, outcome, digest }: Visit): void {
    if (digest === null || !isDownloaded(outcome)) return;
    this.#digests.set(url, digest);
  }

  /**
   * The groups of pages that have their content in common with another, of the pages given. Groups come in the order of
   * their first pages, and their pages in the order given.
   */
  *groups(pages: Uint32Array): Generator<Uint32Array> {
    const { high, low } = this.#digests;
    const contents = new FingerprintTable(pages.length);
    // A page that says nothing about its content is alone.
    const known = pages.filter((page) => this.#digests.has(page));
    const contentOf = known.map((page) => numberOf(contents, high[page], low[page]));
    yield* groupsOf(known, contentOf, contents.size);
  }

  /** The pages given, without those whose content is that of a page before them. */
  distinct(pages: Uint32Array): Uint32Array {
    const { high, low } = this.#digests;
    const contents = new FingerprintTable(pages.length);
    return pages.filter((page) => {
      const before = contents.size;
      return !this.#digests.has(page) || numberOf(contents, high[page], low[page]) === before;
    });
  }
}

function numberOf(contents: FingerprintTable, high: number, low: number): number {
  const known = contents.find(high, low);
  return known < 0 ? contents.add(high, low) : known;
}
