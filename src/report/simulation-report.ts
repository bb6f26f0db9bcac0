/** Reports of the laboratory: a simulation, or an experiment of a paper, as one self-contained HTML page. */
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
  /** The command that gives this report again. */
  readonly command: string;
}

/** A simulation as one self-contained HTML page. */
export function simulationReport(simulation: Simulation, options: SimulationReportOptions): string {
  const { title, subtitle, command } = options;
  return renderReport({
    title,
    subtitle,
    sections: [
      chartSection(coverageChart(simulation.runs), [
        "Actual is the true share of all importance, which only a simulation knows. Guaranteed is what the order " +
          "itself can promise while it runs. Certified is the exact proof that the downloaded pages allow.",
      ]),
      chartSection(coverageChart(simulation.runs, { against: "seconds", measures: ["certified"] }), [
        "What choosing costs. Fetching is not counted, nor are true ranks and certificates.",
      ]),
      chartSection(coverageChart(simulation.runs, { against: "pushes", measures: ["certified"] })),
      tableSection(
        {
          heading: "Downloads needed",
          paragraphs: ["How many pages each order downloads until a level of coverage is reached."],
        },
        simulationTable(simulation),
      ),
      factsSection({ heading: "How this was made" }, simulationFacts(simulation), command),
    ],
  });
}

/** The result of an experiment as one self-contained HTML page. */
export function experimentReport(
  result: ExperimentResult,
  options: { subtitle: string; command: string },
): string {
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
