export * from "./pagerank.ts";
export { Opic, type OpicOptions } from "./opic.ts";
export { OPIC_CHOICES, type OpicChoice } from "./opic-choice.ts";
export { isLiteral, type OpicMemory } from "./opic-memory.ts";
export type { Norm } from "./push.ts";
export { createSystem } from "./solver.ts";
export { solo, type Team, workTogether } from "./team.ts";
export { kendallTau, l1Distance, lInfinityDistance, spearman, topOverlap, topPages } from "./rankings.ts";
