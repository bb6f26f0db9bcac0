/** The visits of a store in memory: which count, which were replaced or deleted, and what undoes all since a commit. */
import { assert } from "../base/index.ts";
import {
  DeletedFirstReads,
  isFinal,
  NO_PAGE_METADATA,
  noSuchOutcome,
  type PageTexts,
  type ReplacedVisit,
  secondOutcome,
  type Visit,
} from "../log/index.ts";
import type { KeptVisits } from "./contract.ts";

/** What a visit has of its own. */
interface Contents {
  readonly visit: Visit;
  readonly anchors: string | undefined;
  readonly texts: PageTexts | undefined;
}

export class MemoryVisits {
  readonly #visits: Visit[] = [];
  readonly #anchors = new Map<number, string>();
  readonly #texts = new Map<number, PageTexts>();
  /** The final visit of each URL that counts, and by which visits others were replaced. */
  readonly #finals = new Map<number, number>();
  readonly #replacedBy = new Map<number, number>();
  /** Visits that replaced others, with what they replaced, in their order. */
  readonly #replacements: { readonly by: number; readonly replaced: number }[] = [];
  readonly #deleted = new Set<number>();
  /** Deleted ones of which no more is known than that. */
  readonly #forgotten = new Set<number>();
  #forgottenSince: number[] = [];
  /** What was deleted since the last commit. */
  readonly #undeletable = new Map<number, Contents>();

  get count(): number {
    return this.#visits.length;
  }

  /** Throws what the log of a careless writer deserves. */
  expect(visit: Visit, replaces: number | undefined): void {
    const before = this.#finals.get(visit.url);
    if (replaces !== undefined && replaces !== before) throw noSuchOutcome(visit, replaces);
    if (isFinal(visit.outcome) && before !== replaces) throw secondOutcome(visit);
  }

  add(visit: Visit, replaces: number | undefined): void {
    const { number, url } = visit;
    this.#visits.push(visit);
    if (isFinal(visit.outcome)) this.#finals.set(url, number);
    if (replaces === undefined) return;
    this.#replacedBy.set(replaces, number);
    this.#replacements.push({ by: number, replaced: replaces });
  }

  addAnchors(visit: number, texts: string): void {
    this.#anchors.set(visit, texts);
  }

  addTexts(visit: number, texts: PageTexts): void {
    this.#texts.set(visit, texts);
  }

  anchorsOf(url: number): string | undefined {
    return this.#anchors.get(this.#finals.get(url) ?? 0);
  }

  textsOf(url: number): PageTexts | undefined {
    return this.#texts.get(this.#finals.get(url) ?? 0);
  }

  /** Those that count as of a visit. */
  counted(first: number, asOf = Number.POSITIVE_INFINITY): Visit[] {
    const visits = this.#visits.slice(first - 1, asOf);
    if (this.#replacements.length === 0) return visits;
    return visits.filter(({ number }) => {
      const by = this.#replacedBy.get(number);
      return by === undefined || by > asOf;
    });
  }

  /** The last visit up to this one that has replaced another; 0 if none has. */
  generation(asOf = Number.POSITIVE_INFINITY): number {
    return this.#replacements.findLast(({ by }) => by <= asOf)?.by ?? 0;
  }

  replaced(): ReplacedVisit[] {
    return this.#replacements
      .filter(({ replaced }) => !this.#forgotten.has(replaced))
      .map(({ by, replaced }) => {
        const { number, url, atMs, outcome } = this.#visits[replaced - 1];
        return { number, url, atMs, outcome, by };
      });
  }

  atMs(number: number): number {
    return this.#visits[number - 1].atMs;
  }

  *deletable(kept: KeptVisits): Iterable<readonly number[]> {
    const last = "sinceMs" in kept ? this.#visits.findLast(({ atMs }) => atMs <= kept.sinceMs)?.number : undefined;
    // How many visits of each URL are as new or newer; the first of them is the one that counts.
    const left = new Map<number, number>();
    const replaced = this.replaced();
    for (const { url } of replaced) left.set(url, (left.get(url) ?? 1) + 1);
    for (const { number, url, by } of replaced) {
      const visits = left.get(url)!;
      left.set(url, visits - 1);
      const isKept = "newest" in kept ? visits <= kept.newest : by > (last ?? 0);
      yield isKept || this.#deleted.has(number) ? [] : [number];
    }
  }

  /** The visits that replaced these. Throws if one of them counts, or is deleted before an earlier one of its URL. */
  expectDeletable(numbers: readonly number[]): number[] {
    const earlier = new Map(this.#replacements.map(({ by, replaced }) => [by, replaced]));
    return numbers.map((number) => {
      const by = this.#deleted.has(number) ? undefined : this.#replacedBy.get(number);
      assert(by !== undefined, notReplaced(number));
      const before = earlier.get(number);
      const isFirst = before === undefined || this.#deleted.has(before) || numbers.includes(before);
      assert(isFirst, notFirst(number));
      return by;
    });
  }

  /** What `replaced` says of them stays. */
  delete(numbers: readonly number[]): void {
    for (const number of numbers) {
      const visit = this.#visits[number - 1];
      this.#undeletable.set(number, { visit, anchors: this.#anchors.get(number), texts: this.#texts.get(number) });
      this.#visits[number - 1] = { ...visit, ...NO_PAGE_METADATA, links: null };
      this.#deleted.add(number);
      this.#anchors.delete(number);
      this.#texts.delete(number);
    }
  }

  /** Deleted ones that tell nothing which an earlier one of their URL does not tell, up to a time. */
  forgettable(untilMs: number): number[] {
    const first = new DeletedFirstReads();
    return this.replaced()
      .filter(({ number }) => this.#deleted.has(number))
      .sort((a, b) => a.number - b.number)
      .filter((visit) => first.isKnown(visit) && visit.atMs <= untilMs)
      .map(({ number }) => number);
  }

  forget(numbers: readonly number[]): void {
    for (const number of numbers) this.#forgotten.add(number);
    this.#forgottenSince.push(...numbers);
  }

  commit(): void {
    this.#undeletable.clear();
    this.#forgottenSince = [];
  }

  /** Undoes all since the commit that left so many visits. */
  undo(count: number): void {
    for (const [number, { visit, anchors, texts }] of this.#undeletable) {
      this.#visits[number - 1] = visit;
      this.#deleted.delete(number);
      if (anchors !== undefined) this.#anchors.set(number, anchors);
      if (texts !== undefined) this.#texts.set(number, texts);
    }
    this.#undeletable.clear();
    for (const number of this.#forgottenSince) this.#forgotten.delete(number);
    this.#forgottenSince = [];
    while (this.generation() > count) this.#undoReplacement();
    for (const visit of this.#visits.splice(count)) {
      if ((this.#finals.get(visit.url) ?? 0) > count) this.#finals.delete(visit.url);
      this.#anchors.delete(visit.number);
      this.#texts.delete(visit.number);
    }
  }

  #undoReplacement(): void {
    const { replaced } = this.#replacements.pop()!;
    this.#replacedBy.delete(replaced);
    this.#finals.set(this.#visits[replaced - 1].url, replaced);
  }
}

/** Said by all stores. */
export function notReplaced(visit: number): string {
  return `visit ${visit} was not replaced or is gone, and cannot be deleted`;
}

export function notFirst(visit: number): string {
  return `visit ${visit} cannot be deleted before the one that it replaced`;
}
