import { describe, expect, test } from "vitest";
import type { Chart } from "../../src/lab/index.ts";
import { sharesSection } from "../../src/report/crawl/missing.ts";
import { heroSection } from "../../src/report/crawl/summary.ts";
import { renderChartSvg } from "../../src/report/pieces/figure.ts";
import { drawInterval, drawPage } from "../../src/report/pieces/sections.ts";
import { formatExactly, formatMark, formatOnAxis, linearScale, yScale } from "../../src/report/pieces/chart.ts";
import { areaPath, drawPlot } from "../../src/report/pieces/plot.ts";
import { shortened } from "../../src/text/index.ts";

const CHART: Chart = {
  title: "Tide",
  description: "rises",
  groupLabel: "Order",
  x: { label: "Pages", kind: "count", scale: "linear" },
  y: { label: "Share", kind: "percent", scale: "linear" },
  series: [
    {
      group: "rankmass",
      measure: "certified",
      line: "solid",
      steps: true,
      area: true,
      points: [
        [2, 0.5],
        [4, 0.75],
      ],
    },
  ],
  target: { value: 0.95, label: "goal 95%" },
};
const SCALES = { x: linearScale(4, "exact"), y: linearScale(1, "exact") };

describe("a chart in percent", () => {
  test("writes marks short, values cut, and numbers to copy as shares", () => {
    expect([0, 0.2, 0.995, 1].map((value) => formatMark(value, "percent"))).toEqual(["0%", "20%", "99.5%", "100%"]);
    expect(formatOnAxis(0.95029, "percent")).toBe("95.02%");
    expect(formatExactly(0.9502999, "percent")).toBe("0.950299");
  });

  test("fills the area below a curve down to its ground", () => {
    // From 2 of 4 on 4000 units, at half of 2000: on to the end, up a quarter, then down and back.
    expect(areaPath(CHART.series[0], SCALES)).toBe("M2000 1000h2000v-500V2000H2000z");
  });

  test("draws the target as a line across with its label, in a picture of its own too", () => {
    const { source } = drawPlot(CHART, SCALES);
    expect(source).toContain('<line x2="100%" y1="5%" y2="5%"/>');
    expect(source).toContain(">goal 95%</text>");
    expect(renderChartSvg(CHART)).toContain(">goal 95%</text>");
    expect(drawPlot({ ...CHART, series: [] }, SCALES).source).not.toContain("area");
  });

  test("has room for a target above all curves where the tail is shown", () => {
    expect(yScale({ ...CHART, target: { value: 0.995, label: "" } }, "log").max).toBe(0.999);
  });
});

describe("a hero", () => {
  const hero = {
    figure: "95.02%",
    whole: "what may be fetched",
    level: 0.9502,
    verdict: { tone: "good", word: "Goal reached" },
    sentences: ["One."],
    facts: [["Pages", "3"]],
  } as const;
  const source = (change: object = {}): string => heroSection({ ...hero, ...change }).render("id").source;

  test("fills its tank to the level, with the mean of the wave there", () => {
    expect(source()).toContain('<g transform="translate(0 -10)">');
    expect(source()).toContain('class="wave" x="0" y="4.98%"');
    expect(source({ level: 0 })).not.toContain("wave");
    expect(source({ level: 1 })).toContain('class="wave" x="0" y="0%"');
  });

  test("leaves out marks that would stand in the way of the goal", () => {
    const marks = (html: string): string[] => [...html.matchAll(/dy="\.34em">([^<]*)</g)].map((match) => match[1]);
    expect(marks(source())).toEqual(["0%", "25%", "50%", "75%", "100%"]);
    expect(marks(source({ target: { value: 0.95, label: "goal 95%" } }))).toEqual([
      "0%",
      "25%",
      "50%",
      "75%",
      "goal 95%",
    ]);
  });
});

describe("pages in lists", () => {
  test("are links only where that is the web and short enough", () => {
    expect(drawPage({ url: "http://a.test/" }).source).toContain('href="http://a.test/"');
    expect(drawPage({ url: "javascript:alert(1)" }).source).not.toContain("href");
    expect(drawPage({ url: ` http://a.test/` }).source).not.toContain("href");
    expect(drawPage({ url: `http://a.test/${"x".repeat(236)}` }).source).toContain("href");
    expect(drawPage({ url: `http://a.test/${"x".repeat(237)}` }).source).not.toContain("href");
  });

  test("are shown in isolation, and without a title that says nothing", () => {
    expect(drawPage({ url: "http://a.test/", title: "\u202Eevil" }).source).toContain(
      '<bdi class="title">\u202Eevil</bdi>',
    );
    expect(drawPage({ url: "http://a.test/", title: "  " }).source).not.toContain("title");
  });

  test("are shortened in the middle, and never in the middle of a character", () => {
    expect(shortened("abcdefghij", 10)).toBe("abcdefghij");
    expect(shortened("abcdefghijk", 10)).toBe("abcdefg…jk");
    expect(shortened("🌊".repeat(11), 10)).toBe(`${"🌊".repeat(7)}…${"🌊".repeat(2)}`);
    expect(Array.from(shortened("x".repeat(1e6), 10))).toHaveLength(10);
  });
});

test("an interval is full up to its lower bound and faint up to its upper one", () => {
  const { source } = drawInterval({ low: 0.1, high: 0.3 }, 0.4);
  expect(source).toMatch(/class="may" y="3" width="75%"/);
  expect(source).toMatch(/class="must" y="1" width="25%"/);
  expect(drawInterval({ low: 0, high: 0 }, 0).source).not.toContain("NaN");
});

test("shares stand side by side in one bar, and each in relation to the largest", () => {
  const group = (name: string, share: number) => ({
    name,
    fill: `fill-${name}`,
    share,
    figure: `${share}`,
    words: "",
    parts: [],
  });
  const { source } = sharesSection("Missing", "", {
    covered: { name: "Covered", share: 0.7, figure: "70%" },
    groups: [group("a", 0.2), group("b", 0.1)],
  }).render("id");
  expect(source).toContain('<rect class="covered" x="0%" width="70%"');
  expect(source).toContain('<rect class="piece fill-a" x="70%" width="20%"');
  expect(source).toContain('<rect class="piece fill-b" x="90%" width="10%"');
  expect([...source.matchAll(/class="fill" width="([^"]*)"/g)].map((match) => match[1])).toEqual(["100%", "50%"]);
});
