/** Where redirecting URLs lead. No chain comes back to itself: a redirect that would close a loop is rejected. */
export class Redirects {
  readonly #targets = new Map<number, number>();
  /** For chains of several redirects: how far they are known to lead. */
  readonly #ends = new Map<number, number>();

  get size(): number {
    return this.#targets.size;
  }

  /** Adds a redirect. Returns false if it would close a loop: then the URL leads nowhere. */
  add(page: number, target: number): boolean {
    if (this.resolve(target) === page) return false;
    this.#targets.set(page, target);
    return true;
  }

  /** Visits every URL that redirects. */
  forEach(visit: (page: number) => void): void {
    for (const page of this.#targets.keys()) visit(page);
  }

  copyFrom(other: Redirects): void {
    this.#targets.clear();
    this.#ends.clear();
    for (const [page, target] of other.#targets) this.#targets.set(page, target);
    for (const [page, end] of other.#ends) this.#ends.set(page, end);
  }

  /** The URL to which a page redirects itself; undefined for one that does not. */
  target(page: number): number | undefined {
    return this.#targets.get(page);
  }

  /** The URL at which all redirects from a page end. */
  resolve(page: number): number {
    if (!this.#targets.has(page)) return page;
    let end = page;
    for (let next = this.#next(page); next !== undefined; next = this.#next(end)) end = next;
    for (let each = page; each !== end; ) {
      const next = this.#next(each) ?? end;
      if (next !== end) this.#ends.set(each, end);
      each = next;
    }
    return end;
  }

  #next(page: number): number | undefined {
    return this.#ends.get(page) ?? this.#targets.get(page);
  }
}
