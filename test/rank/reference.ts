/**
 * PageRank from its definition by Gaussian elimination on the full matrix: slow, and nothing in common with the solver.
 */
import { outDegree, successors, type Graph } from "../../src/graph/index.ts";
import type { DanglingRule } from "../../src/rank/index.ts";

export interface Question {
  readonly damping: number;
  readonly trust: ArrayLike<number>;
  readonly dangling: DanglingRule;
}

export const uniformTrust = (pages: number) => new Float64Array(pages).fill(1 / pages);

/** The probability that the surfer who follows a link of `from` comes to `to`. */
function transitions(graph: Graph, { trust, dangling }: Question, from: number): number[] {
  const row = Array.from({ length: graph.pages }, () => 0);
  for (const target of successors(graph, from)) row[target] = 1 / outDegree(graph, from);
  if (outDegree(graph, from) > 0 || dangling === "none") return row;
  return row.map((_, page) => (dangling === "uniform" ? 1 / graph.pages : trust[page]));
}

export function densePagerank(graph: Graph, question: Question): number[] {
  const { pages } = graph;
  const { damping, trust } = question;
  const matrix = Array.from({ length: pages }, (_, to) => {
    const row = new Float64Array(pages + 1);
    row[to] = 1;
    row[pages] = (1 - damping) * trust[to];
    return row;
  });
  for (let from = 0; from < pages; from++) {
    for (const [to, probability] of transitions(graph, question, from).entries()) {
      matrix[to][from] -= damping * probability;
    }
  }
  return eliminate(matrix);
}

/** How far x is from satisfying the equation of its rule, page by page. */
export function residuals(graph: Graph, question: Question, x: ArrayLike<number>): number[] {
  const next = Array.from(question.trust, (weight) => (1 - question.damping) * weight);
  for (let from = 0; from < graph.pages; from++) {
    for (const [to, probability] of transitions(graph, question, from).entries()) {
      next[to] += question.damping * x[from] * probability;
    }
  }
  return next.map((value, page) => value - x[page]);
}

/** Solves the system whose right-hand side is the last column. The matrix is diagonally dominant: no pivoting. */
function eliminate(matrix: Float64Array[]): number[] {
  const n = matrix.length;
  for (let pivot = 0; pivot < n; pivot++) {
    for (let row = pivot + 1; row < n; row++) {
      const factor = matrix[row][pivot] / matrix[pivot][pivot];
      if (factor === 0) continue;
      for (let column = pivot; column <= n; column++) matrix[row][column] -= factor * matrix[pivot][column];
    }
  }
  const x = Array.from({ length: n }, () => 0);
  for (let row = n - 1; row >= 0; row--) {
    let rest = matrix[row][n];
    for (let column = row + 1; column < n; column++) rest -= matrix[row][column] * x[column];
    x[row] = rest / matrix[row][row];
  }
  return x;
}
