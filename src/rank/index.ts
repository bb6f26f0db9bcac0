export { DANGLING_RULES, type DanglingRule } from "./pagerank.ts";
export { Opic, type OpicOptions } from "./opic.ts";
export { OPIC_CHOICES, type OpicChoice } from "./opic-choice.ts";
export type { OpicMemory } from "./opic-memory.ts";
export { pagerank, type PagerankOptions, type Ranking, type Stopping } from "./pagerank.ts";
export type { Norm } from "./push.ts";
export { createSystem } from "./solver.ts";
export { solo, type Team, workTogether } from "./solver.ts";
export { kendallTau, l1Distance, lInfinityDistance, topOverlap, topPages } from "./rankings.ts";
