import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { markup, Markup } from "../../src/report/pieces/markup.ts";
import { coverageChart } from "../../src/lab/index.ts";
import { renderChartSvg, simulationReport } from "../../src/report/index.ts";
import type { CostPoint, CurvePoint } from "../../src/lab/simulation.ts";
import { namedChart, sampleReport } from "../support/sample-report.ts";
import { sampleSimulation } from "../support/sample-simulation.ts";

const OPTIONS = { title: "Orders", subtitle: "On a sample", command: "tidemark simulate sample.arcs" };

describe("markup", () => {
  test("escapes every character that could end a text or an attribute", () => {
    expect(markup`<a b="${`<&>"'`}">${1}</a>`.source).toBe(`<a b="&lt;&amp;&gt;&quot;&#39;">1</a>`);
  });

  test("leaves markup as it is, alone or in a list", () => {
    const item = markup`<i>${"<"}</i>`;
    expect(markup`${item}|${[item, new Markup("<br>")]}`.source).toBe("<i>&lt;</i>|<i>&lt;</i><br>");
  });

  test("replaces what XML cannot hold", () => {
    expect(markup`${"a\u0000\u001B\u0085\uD800\uFFFEb\n\tc🌊"}`.source).toBe("a\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDb\n\tc🌊");
  });
});

describe("report", () => {
  const html = simulationReport(sampleSimulation(), OPTIONS);

  test("refers to nothing outside itself", () => {
    expect(html).not.toMatch(/(src|href)="(?!#|data:)/);
    expect(html).not.toMatch(/url\(|@import|<link(?! rel="icon" href="data:,")/);
    expect(html.match(/https?:[^"\s]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
  });

  test("allows exactly its own style and script by their hashes", () => {
    const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)![1].replaceAll("&#39;", "'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    for (const name of ["style", "script"]) {
      const contents = [...html.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, "g"))].map((match) => match[1]);
      expect(contents.length, name).toBe(1);
      const hash = createHash("sha256").update(contents[0]).digest("base64");
      expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
    }
    expect(html).not.toMatch(/ style="| on[a-z]+="/);
  });

  test("names graph, damping and trust, and the command that gives it again", () => {
    for (const text of ["325,557", "3,216,152", "722", "0.85", "160", OPTIONS.command]) expect(html).toContain(text);
  });

  test("leaves hosts out where the graph has none", () => {
    const simulation = sampleSimulation(1, 5);
    const without = simulationReport({ ...simulation, graph: { ...simulation.graph, hosts: null } }, OPTIONS);
    expect(html).toContain("<dt>Hosts</dt>");
    expect(without).not.toContain("<dt>Hosts</dt>");
  });

  test("holds every point of every curve as numbers, cut to six digits", () => {
    const simulation = sampleSimulation(2, 40);
    const report = simulationReport(simulation, OPTIONS);
    for (const run of simulation.runs) {
      for (const [downloads, ...values] of run.curve) {
        const cells = values.map((value) => `<td>${(Math.floor(value! * 1e6) / 1e6).toFixed(6)}`);
        expect(report).toContain(`<th>${downloads.toLocaleString("en-US")}${cells.join("")}`);
      }
    }
  });

  test("of twelve orders with five curves of 150 points each stays under 600 KB", () => {
    const simulation = sampleSimulation(12);
    const runs = Array.from(simulation.runs, (run, order) => {
      const curve = Array.from({ length: 150 }, (_, i): CurvePoint => {
        const downloads = Math.round(100 * 3000 ** (i / 149));
        const missing = 1 / (1 + downloads / (100 * (order + 1)));
        return [downloads, 1 - missing, 1 - missing ** 0.8, 1 - missing ** 0.9];
      });
      const cost = curve.map(([downloads]): CostPoint => [downloads, 1e-6 * downloads, 300 * downloads]);
      return { ...run, curve, cost };
    });
    expect(runs.every(({ curve }) => new Set(curve.map(([downloads]) => downloads)).size === 150)).toBe(true);
    expect(Buffer.byteLength(simulationReport({ ...simulation, runs }, OPTIONS))).toBeLessThan(600_000);
  });

  test("of a run without any point is still a report", () => {
    const simulation = sampleSimulation(1, 5);
    const empty = { ...simulation, runs: [{ ...simulation.runs[0], curve: [] }] };
    expect(simulationReport(empty, OPTIONS)).not.toMatch(/NaN|Infinity(?!,)|undefined/);
  });
});

describe("hostile text", () => {
  const hostile = `</script></style></title><img src=x onerror=alert(1)>"'\`&amp;`;

  test("adds no element and no attribute to a report", () => {
    const tags = (html: string): string[] => html.match(/<\/?[a-z][^\s>]*/gi)!;
    const simulation = sampleSimulation(3, 5);
    expect(tags(sampleReport(simulation, hostile))).toEqual(tags(sampleReport(simulation, "harmless")));
  });

  test("adds no element to a picture", () => {
    const tags = (svg: string): string[] => svg.match(/<\/?[a-z][^\s>]*/gi)!;
    const simulation = sampleSimulation(3, 5);
    expect(tags(renderChartSvg(namedChart(simulation, hostile)))).toEqual(
      tags(renderChartSvg(namedChart(simulation, "harmless"))),
    );
  });
});

test("a picture names its orders, and its lines where there is more than one kind", () => {
  const simulation = sampleSimulation(2, 10);
  const both = renderChartSvg(coverageChart(simulation.runs, { measures: ["actual", "certified"] }));
  for (const text of ["rankmass", "rankmass:literal", "actual", "certified"]) expect(both).toContain(`>${text}</text>`);
  expect(both).not.toContain(">guaranteed</text>");
  expect(renderChartSvg(coverageChart(simulation.runs, { measures: ["certified"] }))).not.toContain(
    ">certified</text>",
  );
});
