/** A report with one of every section, and with `name` wherever a report takes text. */
import { type Chart, coverageChart, type Series, simulationTable } from "../../src/lab/index.ts";
import { renderReport } from "../../src/report/pieces/html.ts";
import { chartSection, factsSection, tableSection, textSection } from "../../src/report/pieces/sections.ts";
import type { Simulation } from "../../src/lab/simulation.ts";

export function sampleReport(simulation: Simulation, name: string): string {
  const { columns, rows } = simulationTable(simulation);
  return renderReport({
    title: name,
    subtitle: name,
    sections: [
      chartSection(namedChart(simulation, name), [name]),
      tableSection(
        { heading: name, paragraphs: [name] },
        {
          columns: [...columns, { title: name, kind: "text", group: name }],
          rows: Array.from(rows, (row) => [...row, name]),
        },
      ),
      textSection({ heading: name, paragraphs: [name] }, [
        { verdict: "agrees", claim: name, measured: name },
        { verdict: "differs", claim: name, measured: name },
        { verdict: "untested", claim: name, measured: name },
      ]),
      factsSection({ heading: name }, [[name, name]], name),
    ],
  });
}

/** The coverage chart of a simulation whose last order, title, labels and a measure are called `name`. */
export function namedChart(simulation: Simulation, name: string): Chart {
  const orders = simulation.runs.map((run) => run.order);
  const chart = coverageChart(simulation.runs, { title: name, names: [...orders.slice(0, -1), name] });
  const extra: Series = {
    group: name,
    measure: name,
    line: "solid",
    points: [
      [1, 0.5],
      [simulation.runs[0].downloads, 0.6],
    ],
  };
  return { ...chart, description: name, groupLabel: name, series: [...chart.series, extra] };
}
