export * from "./pagerank.ts";
export { Opic, type OpicOptions } from "./opic.ts";
export { OPIC_CHOICES, type OpicChoice } from "./opic-choice.ts";
export type { OpicMemory } from "./opic-memory.ts";
export type { Norm } from "./push.ts";
export { createSystem, solo, type Team, workTogether } from "./solver.ts";
export { kendallTau, l1Distance, lInfinityDistance, topOverlap, topPages } from "./rankings.ts";
