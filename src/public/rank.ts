/**
 * `tidemark/rank`: how important each page is (PageRank, OPIC), and how far two rankings are apart.
 *
 * @example
 * ```js
 * import { GraphBuilder } from "tidemark/graph";
 * import { pagerank, topPages } from "tidemark/rank";
 *
 * const builder = new GraphBuilder();
 * for (const [source, target] of [[0, 1], [0, 2], [1, 2], [2, 0]]) builder.add(source, target);
 * const { ranks } = pagerank(builder.finish(), { damping: 0.85 });
 * for (const page of topPages(ranks, 3)) console.log(page, ranks[page].toFixed(4));
 * ```
 *
 * It prints:
 *
 * ```text
 * 2 0.3974
 * 0 0.3878
 * 1 0.2148
 * ```
 * @packageDocumentation
 */
export {
  type DanglingRule,
  kendallTau,
  l1Distance,
  lInfinityDistance,
  type Norm,
  Opic,
  type OpicChoice,
  type OpicMemory,
  type OpicOptions,
  pagerank,
  type PagerankOptions,
  type Ranking,
  type Stopping,
  type Team,
  topOverlap,
  topPages,
} from "../rank/index.ts";
