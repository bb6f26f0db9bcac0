/** What the pages of many sites have in common: lists in pages, popular items, related items. */
import type { Random } from "../../base/index.ts";

/** Whole numbers from 0 up to, not including, `count`. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, k) => k);
}

/** The URLs of a list in pages, the first without a number, with the items of each. */
export function paginated(
  url: string,
  items: readonly string[],
  perPage: number,
): readonly { readonly url: string; readonly items: readonly string[]; readonly pager: readonly string[] }[] {
  const count = Math.max(1, Math.ceil(items.length / perPage));
  const urlOf = (page: number): string => (page === 0 ? url : `${url}?page=${page + 1}`);
  return range(count).map((page) => ({
    url: urlOf(page),
    items: items.slice(page * perPage, (page + 1) * perPage),
    // First, last, and two on either side, as most pagers have.
    pager: range(count)
      .filter((other) => other === 0 || other === count - 1 || Math.abs(other - page) <= 2)
      .filter((other) => other !== page)
      .map(urlOf),
  }));
}

/** A place below `count`; the k-th is drawn nearly in proportion to 1/k, as visitors choose. */
export function popularPlace(random: Random, count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** random.float()) - 1);
}

/** Distinct items, popular ones more often; fewer than `count` where draws repeat. */
export function popularOf<T>(random: Random, items: readonly T[], count: number): T[] {
  return [...new Set(range(count).map(() => items[popularPlace(random, items.length)]))];
}

/** Distinct items with equal chance; fewer than `count` where draws repeat. */
export function someOf<T>(random: Random, items: readonly T[], count: number): T[] {
  return [...new Set(range(count).map(() => items[random.below(items.length)]))];
}

/** The neighbours before and after a place in a list. */
export function neighbours<T>(items: readonly T[], place: number): T[] {
  return [place - 1, place + 1].filter((k) => k >= 0 && k < items.length).map((k) => items[k]);
}

/** Lists of the members of each group: `groupsOf(members, of).get(group)`. */
export function grouped<T, G>(
  members: readonly T[],
  groupsOf: (member: T, place: number) => readonly G[],
): Map<G, T[]> {
  const groups = new Map<G, T[]>();
  for (const [place, member] of members.entries()) {
    for (const group of groupsOf(member, place)) {
      const list = groups.get(group);
      if (list === undefined) groups.set(group, [member]);
      else list.push(member);
    }
  }
  return groups;
}
