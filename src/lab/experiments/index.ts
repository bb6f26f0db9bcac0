/** The experiments of the papers by name, for any graph. */
import { didYouMean, UsageError } from "../../base/index.ts";
import { describe } from "../simulate.ts";
import type { Simulation } from "../simulation.ts";
import { communitiesFigure1, communitiesFigure2 } from "./communities-figures.ts";
import { communitiesTable1, communitiesTable2 } from "./communities-tables.ts";
import type { Experiment, ExperimentInput, Findings } from "./experiment.ts";
import { figure3, figure4 } from "./fpr.ts";
import { opicVariants, opicWindows } from "./opic-change.ts";
import { opicConvergence } from "./opic-convergence.ts";
import { opicFrequency } from "./opic-frequency.ts";
import { figure7, figure8, table2, table3 } from "./rankmass-orders.ts";
import { figure10, figure9 } from "./rankmass-seeds.ts";
import { spam } from "./rankmass-spam.ts";
import { theorems } from "./rankmass-theorems.ts";
import { refreshFreshness } from "./refresh-freshness.ts";
import { refreshYear } from "./refresh-year.ts";
import { seedsFigure2, seedsFigure3, seedsFigure4, seedsFigure5 } from "./seeds-figures.ts";

const experiments: readonly Experiment[] = [
  table2,
  figure7,
  figure8,
  table3,
  figure9,
  figure10,
  theorems,
  spam,
  figure3,
  figure4,
  communitiesFigure1,
  communitiesTable1,
  communitiesTable2,
  communitiesFigure2,
  seedsFigure2,
  seedsFigure3,
  seedsFigure4,
  seedsFigure5,
  opicConvergence,
  opicFrequency,
  opicWindows,
  opicVariants,
  refreshFreshness,
  refreshYear,
];

/** All experiments: their names and titles, and whether they choose the trusted pages themselves. */
export const experimentNames: readonly Pick<Experiment, "name" | "title" | "ownTrust">[] = experiments;

/** The result of an experiment: what was run, charts, tables, and whether the claims of the paper hold. */
export interface ExperimentResult extends Findings, Simulation {
  readonly name: string;
  readonly title: string;
}

/** Runs an experiment of a paper on a graph. */
export function runExperiment(name: string, input: ExperimentInput): ExperimentResult {
  const { title, ownTrust, run } = experimentOf(name, { hasHosts: input.hosts !== undefined });
  const given = describe(input);
  // An experiment that chooses the trust itself trusts all pages.
  const trust = ownTrust ? { pages: input.graph.pages, total: 1 } : given.trust;
  return { name, title, ...given, trust, charts: [], tables: [], runs: [], ...run(input) };
}

/** Throws the `UsageError` that `runExperiment` would throw: unknown experiment, or a graph without what it needs. */
export function checkExperiment(
  name: string,
  options: { readonly hasHosts: boolean; readonly hasTrust: boolean },
): void {
  const { title, ownTrust } = experimentOf(name, options);
  if (ownTrust && options.hasTrust) {
    throw new UsageError(`${title}: this experiment derives trust from PageRank; leave out the trust.`);
  }
}

function experimentOf(name: string, { hasHosts }: { readonly hasHosts: boolean }): Experiment {
  const experiment = experiments.find((each) => each.name === name);
  if (experiment === undefined) {
    const names = experiments.map((each) => each.name);
    const hint = didYouMean(name, names);
    throw new UsageError(`unknown experiment "${name}".${hint} Experiments are: ${names.join(", ")}.`);
  }
  if (experiment.needsHosts && !hasHosts) {
    throw new UsageError(`${experiment.name} needs the host of every page, which comes from its URL.`);
  }
  return experiment;
}

export type { ExperimentInput } from "./experiment.ts";
