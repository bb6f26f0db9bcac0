/**
 * The truth that a crawler cannot see, computed by another method than anything in `src`: the full web, hidden pages
 * and real links included, as a dense linear system solved by Gaussian elimination.
 */

/** Every URL there is, known to a crawler or not. Ids below `known` are those that a crawler can come to know. */
export interface World {
  readonly damping: number;
  readonly known: number;
  readonly urls: readonly WorldUrl[];
}

export interface WorldUrl {
  /** `dead` leads nowhere; `redirect` is no page; all others are pages with the links in `links`. */
  readonly kind: "page" | "partly" | "forbidden" | "dead" | "redirect";
  /** The real links, one entry a link; for a redirect its only target. */
  readonly links: readonly number[];
  /** What a crawler reads on a page whose links are not all known to it; anything, for the rest of its kind. */
  readonly seenLinks: readonly number[];
  /** Trust; that of URLs not known is trust unseeded. */
  readonly trust: number;
}

/**
 * Unnormalised ranks of all URLs (0 for redirects), and their sum, to which visits of redirect loops belong as well.
 */
export interface Truth {
  readonly ranks: readonly number[];
  readonly sum: number;
}

export function truthOf(world: World): Truth {
  const { damping, urls } = world;
  const nowhere = urls.length;
  const end = urls.map((_, url) => endOfRedirects(urls, url) ?? nowhere);
  const system = identity(urls.length + 1);
  const right = new Float64Array(urls.length + 1);
  for (const [from, { kind, links, trust }] of urls.entries()) {
    right[end[from]] += (1 - damping) * trust;
    if (kind === "dead" || kind === "redirect") continue;
    for (const to of links) system[end[to]][from] -= damping / links.length;
  }
  const ranks = Array.from(solveDense(system, right));
  return { ranks: ranks.slice(0, urls.length), sum: ranks.reduce((a, b) => a + b, 0) };
}

/**
 * The truth in the universe of what may be fetched: forbidden and dead URLs are no pages, and a life that steps onto one
 * ends there.
 */
export function truthAllowed(world: World): Truth {
  const isPage = ({ kind }: WorldUrl) => kind === "page" || kind === "partly";
  const { ranks } = truthOf({
    ...world,
    urls: world.urls.map((url) => (url.kind === "forbidden" ? { ...url, kind: "dead" as const, links: [] } : url)),
  });
  const counted = ranks.map((rank, url) => (isPage(world.urls[url]) ? rank : 0));
  return { ranks: counted, sum: counted.reduce((a, b) => a + b, 0) };
}

/** What (C1) is made of: the exact solution on the pages in `had`, and where the rest flows. */
export interface Inside {
  readonly x: readonly number[];
  readonly rankInside: number;
  readonly flowOpen: number;
  readonly flowDead: number;
  readonly coverage: number;
}

/** What is known of a world: the URLs of which a crawler learnt the fate, and the trust it knows. */
export interface Knowledge {
  /** Fate of a URL by id: of dead, redirects, pages had. All others are open. */
  readonly learnt: ReadonlySet<number>;
  readonly trusted: ReadonlySet<number>;
}

/** The certificate (C1) by its definition: x = (1-d) t|D + d W_D x solved densely, then the flows out of D. */
export function insideOf(world: World, { learnt, trusted }: Knowledge): Inside {
  const { damping, urls } = world;
  const nowhere = urls.length;
  const size = nowhere + 1;
  const known = urls.map((url, id) => (learnt.has(id) ? url : { ...url, kind: "open" as const }));
  const end = known.map((_, id) => endOfRedirects(known, id) ?? nowhere);
  const isHad = (id: number) => id !== nowhere && (known[id].kind === "page" || known[id].kind === "partly");
  const isDead = (id: number) => id === nowhere || known[id].kind === "dead";

  const system = identity(size);
  const right = new Float64Array(size);
  let delta = 1;
  for (const id of trusted) {
    right[end[id]] += (1 - damping) * urls[id].trust;
    delta -= urls[id].trust;
  }
  for (const [from, { kind, links }] of known.entries()) {
    if (kind !== "page") continue;
    for (const to of links) system[end[to]][from] -= damping / links.length;
  }
  // Pages outside D hand nothing on, so their entry of the solution is the flow that reaches them.
  const x = Array.from(solveDense(system, right));
  const total = (test: (id: number) => boolean) => x.reduce((sum, mass, id) => sum + (test(id) ? mass : 0), 0);
  const rankInside = total(isHad);
  const flowDead = total(isDead);
  const unknown = damping * total((id) => id !== nowhere && known[id].kind === "partly");
  const flowOpen = total((id) => !isHad(id) && !isDead(id)) + unknown + (1 - damping) * delta;
  const coverage = rankInside / (rankInside + flowOpen / (1 - damping) + flowDead);
  return { x: x.slice(0, nowhere), rankInside, flowOpen, flowDead, coverage };
}

/** The URL at which a chain of redirects ends; undefined for one that ends in a loop. */
function endOfRedirects(
  urls: readonly { readonly kind: string; readonly links: readonly number[] }[],
  start: number,
): number | undefined {
  const visited = new Set<number>();
  let url = start;
  while (urls[url].kind === "redirect") {
    if (visited.has(url)) return undefined;
    visited.add(url);
    url = urls[url].links[0];
  }
  return url;
}

function identity(size: number): Float64Array[] {
  return Array.from({ length: size }, (_, row) => new Float64Array(size).fill(1, row, row + 1));
}

/** Gaussian elimination with partial pivoting; destroys its arguments. */
function solveDense(rows: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    [right[column], right[pivot]] = [right[pivot], right[column]];
    for (let row = column + 1; row < size; row++) {
      const factor = rows[row][column] / rows[column][column];
      if (factor === 0) continue;
      for (let k = column; k < size; k++) rows[row][k] -= factor * rows[column][k];
      right[row] -= factor * right[column];
    }
  }
  const solution = new Float64Array(size);
  for (let row = size - 1; row >= 0; row--) {
    let rest = right[row];
    for (let k = row + 1; k < size; k++) rest -= rows[row][k] * solution[k];
    solution[row] = rest / rows[row][row];
  }
  return solution;
}
