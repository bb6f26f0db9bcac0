/** Random webs of a few dozen URLs, crawled in part: what a sampled certificate looks at. */
import { Random } from "../../src/base/index.ts";
import type { World, WorldUrl } from "./truth.ts";

export interface CrawledWeb {
  readonly world: World;
  /** URLs whose fate is known: fetched, dead, redirected or forbidden. */
  readonly learnt: readonly number[];
}

export interface WebOptions {
  readonly strange?: boolean;
  readonly damping?: number;
  readonly pagesMin?: number;
}

const DAMPINGS = [0.5, 0.85, 0.85, 0.95];

/** The same web for the same seed. `strange` webs also have pages whose links are not all known, and forbidden ones. */
export function crawledWeb(
  seed: number,
  { strange = true, damping: fixed, pagesMin = 5 }: WebOptions = {},
): CrawledWeb {
  const random = new Random(seed, 77);
  const pages = pagesMin + random.below(40);
  const links = 1 + random.below(6);
  const urls = Array.from({ length: pages }, (_, url) => urlOf(url, pages, links, random, strange));
  const damping = fixed ?? DAMPINGS[random.below(DAMPINGS.length)];
  return { world: { damping, known: pages, urls }, learnt: breadthFirst(urls, 1 + random.below(pages)) };
}

/**
 * A root whose leaves either lead to a downloaded page without links, or into pages without end. So a walk comes out as
 * well or as badly as it can and is never cut, and claims are false as often as they can be.
 */
export function crawledStar(seed: number): CrawledWeb {
  const random = new Random(seed, 78);
  const leaves = 20 + random.below(60);
  const share = 0.1 + 0.8 * random.float();
  const [root, end, endless, back] = [0, 1, 2, 3];
  const first = 4;
  const page = (links: readonly number[]): WorldUrl => ({
    kind: "page",
    links,
    seenLinks: [],
    trust: 0,
  });
  const all = Array.from({ length: leaves }, (_, k) => first + k);
  const urls = [
    { ...page([end, ...all]), trust: 1 },
    page([]),
    page([back]),
    page([endless]),
    ...all.map(() => page([random.float() < share ? end : endless])),
  ];
  const damping = DAMPINGS[random.below(DAMPINGS.length)];
  return { world: { damping, known: urls.length, urls }, learnt: [root, end, ...all.slice(0, random.below(leaves))] };
}

function urlOf(url: number, pages: number, links: number, random: Random, strange: boolean): WorldUrl {
  const targets = Array.from({ length: random.below(2 * links + 1) }, () => random.below(pages));
  const row = [...new Set(targets)].filter((target) => target !== url);
  const kind = url === 0 ? "page" : kindOf(random, strange);
  return {
    kind,
    links: kind === "redirect" ? [(url + 1 + random.below(pages - 1)) % pages] : row,
    seenLinks: row.slice(0, row.length >> 1),
    trust: url === 0 ? 1 : 0,
  };
}

function kindOf(random: Random, strange: boolean): WorldUrl["kind"] {
  const die = random.float();
  if (die < 0.06) return "dead";
  if (die < 0.14) return "redirect";
  if (strange && die < 0.18) return "forbidden";
  if (strange && die < 0.21) return "partly";
  return "page";
}

function breadthFirst(urls: readonly WorldUrl[], count: number): number[] {
  const found = [0];
  for (let k = 0; k < found.length && k < count; k++) {
    const { kind, links, seenLinks } = urls[found[k]];
    if (kind === "dead" || kind === "forbidden") continue;
    for (const link of kind === "partly" ? seenLinks : links) if (!found.includes(link)) found.push(link);
  }
  return found.slice(0, count);
}
