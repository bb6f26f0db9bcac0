/**
 * The definitions of the paper, literally, on full matrices: the PageRank matrix of F with one page more, its
 * stochastic complement, one multiplication. Nothing in common with the kernel but the arithmetic.
 */
import { type Graph, outDegree, successors } from "../../src/graph/index.ts";

export type Matrix = number[][];

/**
 * `adjacency[to][from]` is 1 for a link; zero columns are replaced by uniform ones. Equation (1) with a uniform surfer.
 */
export function pagerankMatrix(adjacency: Matrix, alpha: number): Matrix {
  const size = adjacency.length;
  const columnSum = (from: number) => adjacency.reduce((sum, row) => sum + row[from], 0);
  const sums = adjacency.map((_, from) => columnSum(from));
  return adjacency.map((row) =>
    row.map((value, from) => alpha * (sums[from] === 0 ? 1 / size : value / sums[from]) + (1 - alpha) / size),
  );
}

/** The links among some pages of a web, without self links. */
export function adjacencyOf(web: Graph, members: readonly number[]): Matrix {
  return members.map((to) => members.map((from) => (from !== to && successors(web, from).includes(to) ? 1 : 0)));
}

/** The stationary distribution of a column-stochastic matrix: by elimination, with one equation replaced by the sum. */
export function stationary(matrix: Matrix): number[] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row.map((value, j) => value - (i === j ? 1 : 0)), 0]);
  rows[size - 1] = Array.from({ length: size + 1 }, () => 1);
  for (let pivot = 0; pivot < size; pivot++) {
    let best = pivot;
    for (let i = pivot; i < size; i++) if (Math.abs(rows[i][pivot]) > Math.abs(rows[best][pivot])) best = i;
    [rows[pivot], rows[best]] = [rows[best], rows[pivot]];
    for (let i = 0; i < size; i++) {
      if (i === pivot) continue;
      const factor = rows[i][pivot] / rows[pivot][pivot];
      for (let j = pivot; j <= size; j++) rows[i][j] -= factor * rows[pivot][j];
    }
  }
  return rows.map((row, i) => row[size] / row[i]);
}

/**
 * `|E_L (S f - f)|_1` for page j: S = F~ + s~ u~^T / (1 - w), from the PageRank matrix of the graph of equation (4) in
 * which the column of j is the estimate s by in-links.
 */
export function denseScore(
  web: Graph,
  members: readonly number[],
  localPages: number,
  j: number,
  alpha: number,
): number {
  const size = members.length;
  const inside = adjacencyOf(web, members);
  const f = stationary(pagerankMatrix(inside, alpha));
  const inLinks = inside.map((row) => row.reduce((a, b) => a + b, 0));
  const total = inLinks.reduce((a, b) => a + b, 0);
  const s = inLinks.map((count) => (total === 0 ? 1 / size : count / total));
  const u = members.map((from) => (successors(web, from).includes(j) ? 1 : 0));
  // Column j is s, which sums to 1 already; it has no self link.
  const expanded = [...inside.map((row, i) => [...row, s[i]]), [...u, 0]];
  const p = pagerankMatrix(expanded, alpha);
  const w = p[size][size];
  let score = 0;
  for (let i = 0; i < localPages; i++) {
    let next = 0;
    for (let k = 0; k < size; k++) next += (p[i][k] + (p[i][size] * p[size][k]) / (1 - w)) * f[k];
    score += Math.abs(next - f[i]);
  }
  return score;
}

/** Pages outside `members` that they link to, in the order of discovery. */
export function denseFrontier(web: Graph, members: readonly number[]): number[] {
  const found = new Set<number>();
  for (const page of members) {
    if (outDegree(web, page) > 0)
      for (const target of successors(web, page)) if (!members.includes(target)) found.add(target);
  }
  return [...found];
}

/**
 * The rank of the first `localPages` members, 1 in sum, in a web of the members and all pages that they link to. A page
 * that is no member leads where the sample leads on average (three pages that lead everywhere are added to it), or
 * everywhere if there is no sample.
 */
export function denseFrontierRank(
  web: Graph,
  members: readonly number[],
  { localPages, sample, alpha }: { localPages: number; sample?: readonly number[] | undefined; alpha: number },
): number[] {
  const all = [...members, ...denseFrontier(web, members)];
  const size = all.length;
  const rowOf = (page: number): number[] => {
    const links = [...successors(web, page)].filter((to) => to !== page);
    return all.map((to) => (links.length === 0 ? 1 / size : links.includes(to) ? 1 / links.length : 0));
  };
  const everywhere = all.map(() => 1 / size);
  const rows = sample === undefined ? [everywhere] : [...sample.map(rowOf), everywhere, everywhere, everywhere];
  const assumed = everywhere.map((_, to) => rows.reduce((sum, row) => sum + row[to], 0) / rows.length);
  const columns = all.map((page, i) => (i < members.length ? rowOf(page) : assumed));
  const ranks = stationary(all.map((_, to) => columns.map((column) => alpha * column[to] + (1 - alpha) / size)));
  return denseShares(ranks.slice(0, localPages));
}

export function denseShares(values: readonly number[]): number[] {
  const sum = values.reduce((a, b) => a + b, 0);
  return values.map((value) => value / sum);
}

/** The sum of absolute differences. */
export function denseL1(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0);
}
