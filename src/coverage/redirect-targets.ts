/** Where redirecting URLs end. No chain comes back to itself: a redirect that would close a loop is rejected. */
export class Redirects {
  readonly #targets = new Map<number, number>();

  get size(): number {
    return this.#targets.size;
  }

  /** Adds a redirect. Returns false if it would close a loop: then the URL leads nowhere. */
  add(page: number, target: number): boolean {
    if (this.resolve(target) === page) return false;
    this.#targets.set(page, target);
    return true;
  }

  copyFrom(other: Redirects): void {
    this.#targets.clear();
    for (const [page, target] of other.#targets) this.#targets.set(page, target);
  }

  resolve(page: number): number {
    let end = page;
    for (let next = this.#targets.get(page); next !== undefined; next = this.#targets.get(end)) end = next;
    for (let each = page; each !== end; ) {
      const next = this.#targets.get(each)!;
      if (next !== end) this.#targets.set(each, end);
      each = next;
    }
    return end;
  }
}
