/** Other worlds that agree with everything a crawler has learnt: what it has not seen is made to favour one page. */
import fc from "fast-check";
import type { World, WorldUrl } from "./truth.ts";
import type { FactEmitter } from "./worlds.ts";

/** Where whatever the crawler knows nothing of may lead. */
const ways = ["nowhere", "to the favourite", "round outside"] as const;
type Way = (typeof ways)[number] | "by redirect to the favourite" | "not a page";

export interface Completion {
  readonly favourite: number;
  /** One for each URL of the world, and one for trust that was not seeded. */
  readonly ways: readonly Way[];
}

/** Half of the time everything goes one way: extremes are reached at corners. */
export function completionOf(
  { urls, known }: World,
  options: { readonly redirectsPossible: boolean; readonly pagesMayBeForbidden?: boolean },
): fc.Arbitrary<Completion> {
  const way = fc.constantFrom<Way>(
    ...ways,
    ...(options.redirectsPossible ? (["by redirect to the favourite"] as const) : []),
    ...(options.pagesMayBeForbidden === true ? (["not a page"] as const) : []),
  );
  const size = { minLength: urls.length + 1, maxLength: urls.length + 1 };
  return fc.record({
    favourite: fc.nat(known - 1),
    ways: fc.oneof(
      fc.array(way, size),
      way.map((each) => Array.from({ length: urls.length + 1 }, () => each)),
    ),
  });
}

/**
 * The world with every URL of unknown fate, every unknown link and all unseeded trust led the way that the completion
 * says. A URL of unknown fate is a page, a redirect, or forbidden; one that `isForbidden` names is forbidden. Trust that
 * leads to the favourite lies there, unless its trust was told.
 */
export function completed(
  world: World,
  told: FactEmitter,
  { favourite, ways }: Completion,
  isForbidden: (url: number) => boolean = () => false,
): World {
  const { urls, known } = world;
  const [shortcut, outside, further, nothing] = [known, known + 1, known + 2, known + 3];
  const targetOf: Record<Way, readonly number[]> = {
    nowhere: [],
    "to the favourite": [favourite],
    "round outside": [outside],
    "by redirect to the favourite": [shortcut],
    "not a page": [nothing],
  };
  const seen = urls.slice(0, known).map((url, id): WorldUrl => {
    const trust = told.trusted.has(id) ? url.trust : 0;
    if (told.learnt.has(id)) return { ...url, trust, links: url.kind === "partly" ? linksOf(id) : url.links };
    if (isForbidden(id) || (ways[id] === "not a page" && id !== favourite)) {
      return { ...url, trust, kind: "forbidden", links: [] };
    }
    const isRedirect = ways[id] === "by redirect to the favourite" && id !== favourite;
    return {
      ...url,
      trust,
      kind: isRedirect ? "redirect" : "page",
      links: isRedirect ? [favourite] : linksOf(id),
    };
  });
  function linksOf(id: number): number[] {
    return targetOf[ways[id]].filter((target) => target !== id);
  }
  const delta = 1 - seen.reduce((sum, { trust }) => sum + trust, 0);
  const page = (links: readonly number[]): WorldUrl => ({ kind: "page", links, seenLinks: [], trust: 0 });
  const redirect: WorldUrl = { ...page([favourite]), kind: "redirect" };
  const isShort = ways.includes("by redirect to the favourite");
  const start = ways[urls.length];
  const trustOnFavourite = start === "to the favourite" && !told.trusted.has(favourite);
  const all = [
    ...seen,
    isShort ? redirect : page([]),
    page([further]),
    page([outside]),
    { ...page([]), kind: "forbidden" as const },
    start === "by redirect to the favourite" ? redirect : page(targetOf[start]),
  ];
  const trusted = trustOnFavourite ? favourite : all.length - 1;
  return {
    ...world,
    urls: all.map((url, id) => (id === trusted ? { ...url, trust: url.trust + delta } : url)),
  };
}
