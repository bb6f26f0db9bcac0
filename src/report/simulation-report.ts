/** A simulation, or an experiment of a paper, as one self-contained HTML page. */
import {
  coverageChart,
  type ExperimentResult,
  type Simulation,
  simulationFacts,
  simulationTable,
} from "../lab/index.ts";
import { renderReport } from "./pieces/html.ts";
import { chartSection, factsSection, tableSection, textSection } from "./pieces/sections.ts";

/** Options of `simulationReport`. */
export interface SimulationReportOptions {
  readonly title: string;
  readonly subtitle: string;
  /** The command that reproduces this report. */
  readonly command: string;
}

/** A simulation as one self-contained HTML page. */
export function simulationReport(simulation: Simulation, options: SimulationReportOptions): string {
  const { title, subtitle, command } = options;
  const { runs, sampling } = simulation;
  const isSampled = sampling !== undefined;
  return renderReport({
    title,
    subtitle,
    sections: [
      chartSection(coverageChart(runs, isSampled ? { measures: ["actual", "sampled", "certified"] } : {}), [
        "Actual: the true share of all importance, which only a simulation knows." +
          (isSampled ? "" : " Guaranteed: what the order itself can guarantee while it runs.") +
          " Certified: the exact proof that the downloaded pages allow.",
        ...(isSampled ? [sampledText(sampling.confidence)] : []),
      ]),
      chartSection(coverageChart(simulation.runs, { against: "seconds", measures: ["certified"] }), [
        "The cost of choosing the next page, without fetching, true ranks and certificates.",
      ]),
      chartSection(coverageChart(simulation.runs, { against: "pushes", measures: ["certified"] })),
      tableSection(
        {
          heading: "Downloads needed",
          paragraphs: ["The number of pages that each order downloads to reach a level of coverage."],
        },
        simulationTable(simulation),
      ),
      factsSection({ heading: "How this was made" }, simulationFacts(simulation), command),
    ],
  });
}

function sampledText(confidence: number): string {
  return (
    `Sampled: what a crawl may claim with confidence ${confidence}, by the pages that crawl and walks have fetched ` +
    "in all. Each level is a crawl of its own with this target. It is not a proof."
  );
}

/** The result of an experiment as one self-contained HTML page. */
export function experimentReport(result: ExperimentResult, options: { subtitle: string; command: string }): string {
  const { title, paragraphs, charts, tables, verdicts } = result;
  return renderReport({
    title,
    subtitle: options.subtitle,
    sections: [
      textSection({ heading: "What the paper says, what we see", paragraphs }, verdicts),
      ...charts.map((chart) => chartSection(chart)),
      ...tables.map(({ heading, table }) => tableSection({ heading }, table)),
      factsSection({ heading: "How this was made" }, simulationFacts(result), options.command),
    ],
  });
}
