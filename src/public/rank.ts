/** `tidemark/rank`: how important each page is (PageRank, OPIC), and how far two rankings are apart. */
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
