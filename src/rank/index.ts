export { kendallTau, l1Distance, lInfinityDistance, topOverlap } from "./compare.ts";
export { DANGLING_RULES, type DanglingRule } from "./dangling.ts";
export { pagerank, type PagerankOptions, type Ranking, type Stopping } from "./pagerank.ts";
export type { Norm } from "./push.ts";
export { createSystem, type Outcome, type System, type Task } from "./solver.ts";
export { type Assignment, solo, type Team, workTogether } from "./team.ts";
export { topPages } from "./top.ts";
export { trustTotal } from "./trust.ts";
