import { beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import {
  ArcsDecoder,
  ArcsEncoder,
  encodeBv,
  GeneratedWeb,
  generateGraph,
  type Graph,
  graphInfo,
  type GraphInfo,
  type Hosts,
  hostsOf,
  successors,
  transpose,
} from "../../src/graph/index.ts";

const PAGES = 100_000;

/** Hill's estimate of a in P(X > x) ~ x^-a from the greatest values. */
function tailExponent(values: Iterable<number>, greatest: number): number {
  const sorted = Array.from(values).sort((a, b) => b - a);
  const threshold = sorted[greatest];
  let sum = 0;
  for (let i = 0; i < greatest; i++) sum += Math.log(sorted[i] / threshold);
  return greatest / sum;
}

function degrees({ pages, offsets }: Graph): number[] {
  return Array.from({ length: pages }, (_, page) => offsets[page + 1] - offsets[page]);
}

function reachable(graph: Graph, starts: readonly number[]): Uint8Array {
  const seen = new Uint8Array(graph.pages);
  const waiting = [...starts];
  for (const page of starts) seen[page] = 1;
  while (waiting.length > 0) {
    for (const target of successors(graph, waiting.pop()!)) {
      if (seen[target] === 1) continue;
      seen[target] = 1;
      waiting.push(target);
    }
  }
  return seen;
}

describe("a generated web of a hundred thousand pages", () => {
  let graph: Graph;
  let hosts: Hosts;
  let info: GraphInfo;
  let inDegrees: number[];
  const calendarPages = () =>
    [...hosts.hostOf.keys()].filter((page) => hosts.names[hosts.hostOf[page]] === "calendar.example");

  beforeAll(() => {
    ({ graph, hosts } = generateGraph({ pages: PAGES, seed: 1 }));
    info = graphInfo(graph, hosts);
    inDegrees = degrees(transpose(graph));
  });

  it("has the given average degree, 250 million links for 16 million pages", () => {
    expect(info.arcs / PAGES / (250 / 16)).toBeCloseTo(1, 1);
  });

  it("keeps rows ascending, distinct and without self links", () => {
    const isSound = (page: number): boolean =>
      successors(graph, page).every(
        (target, i, row) => target !== page && target < PAGES && (i === 0 || row[i - 1] < target),
      );
    expect([...hosts.hostOf.keys()].filter((page) => !isSound(page))).toEqual([]);
  });

  it("has about 5% of links between hosts and 20% of pages without links", () => {
    expect(info.interHostArcs! / info.arcs).toBeGreaterThan(0.03);
    expect(info.interHostArcs! / info.arcs).toBeLessThan(0.07);
    expect(info.dangling / PAGES).toBeGreaterThan(0.15);
    expect(info.dangling / PAGES).toBeLessThan(0.25);
  });

  it("has hosts of power-law size, the greatest far below half of the web", () => {
    const sizes = hosts.names.map(() => 0);
    for (const host of hosts.hostOf) sizes[host]++;
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThan(PAGES / 4);
    expect(tailExponent(sizes, 200)).toBeGreaterThan(0.8);
    expect(tailExponent(sizes, 200)).toBeLessThan(1.5);
  });

  it("has heavy tails of in- and out-degree", () => {
    expect(tailExponent(inDegrees, 1000)).toBeGreaterThan(0.9);
    expect(tailExponent(inDegrees, 1000)).toBeLessThan(2.2);
    expect(Math.max(...inDegrees)).toBeGreaterThan(100 * (info.arcs / PAGES));
    expect(tailExponent(degrees(graph), 1000)).toBeGreaterThan(1.2);
    expect(tailExponent(degrees(graph), 1000)).toBeLessThan(4);
  });

  it("can be crawled from its most linked pages, and its core is neither small nor everything", () => {
    const top = [...inDegrees.keys()].sort((a, b) => inDegrees[b] - inDegrees[a]).slice(0, 160);
    const reached = reachable(graph, top).reduce((sum, flag) => sum + flag, 0);
    expect(reached / PAGES).toBeGreaterThan(0.8);
    expect(info.largestScc / PAGES).toBeGreaterThan(0.3);
    expect(info.largestScc / PAGES).toBeLessThan(0.8);
  });

  it("has a calendar of one page in a hundred, linked from other hosts, whose days lead only to days and home", () => {
    const days = calendarPages();
    expect(days).toHaveLength(PAGES / 100);
    const home = days[0];
    const [middle] = days.slice(500);
    expect([...successors(graph, middle)]).toEqual([home, middle - 1, middle + 1]);
    const sources = [...successors(transpose(graph), home)];
    expect(sources.some((source) => hosts.hostOf[source] !== hosts.hostOf[home])).toBe(true);
    const reached = reachable(graph, [home]);
    expect(days.every((day) => reached[day] === 1)).toBe(true);
  });

  it("compresses in BV form like a real web, to a few bits a link", () => {
    expect((8 * encodeBv(graph).graph.length) / graph.arcs).toBeLessThan(8);
  });
});

describe("GeneratedWeb", () => {
  const rowsOf = (web: GeneratedWeb) => {
    const rows: number[][] = [];
    web.forEachRow((page, targets, count) => {
      expect(page).toBe(rows.length);
      rows.push([...targets.subarray(0, count)]);
    });
    return rows;
  };

  it("gives the same web for the same options, however often, and another for another seed", () => {
    const web = new GeneratedWeb({ pages: 2000, seed: 5 });
    const rows = rowsOf(web);
    expect(rowsOf(web)).toEqual(rows);
    expect(rowsOf(new GeneratedWeb({ pages: 2000, seed: 5 }))).toEqual(rows);
    expect(rowsOf(new GeneratedWeb({ pages: 2000, seed: 6 }))).not.toEqual(rows);
  });

  it("answers the number of links, and names every page by a URL of its host", () => {
    const web = new GeneratedWeb({ pages: 3000, seed: 3 });
    const rows = rowsOf(web);
    expect(web.forEachRow(() => {})).toBe(rows.flat().length);
    const urls = rows.map((_, page) => web.urlOf(page));
    expect(new Set(urls).size).toBe(3000);
    const hosts = web.hostsOfPages();
    expect(hostsOf(urls)).toEqual(hosts);
    expect(hosts.names).toContain("calendar.example");
  });

  it("can be written as text row by row", () => {
    const web = new GeneratedWeb({ pages: 3000, seed: 3 });
    const decoder = new ArcsDecoder();
    const encoder = new ArcsEncoder((chunk) => decoder.push(chunk), { pages: web.pages });
    web.forEachRow((page, targets, count) => encoder.add(page, targets, 0, count));
    encoder.finish();
    expect(decoder.finish()).toEqual(generateGraph({ pages: 3000, seed: 3 }).graph);
  });

  it.each([
    { pages: 1, seed: 0 },
    { pages: 2, seed: 0, hosts: 2 },
    { pages: 40, seed: 0 },
    { pages: 150, seed: 0, hosts: 150 },
    { pages: 150, seed: 0, hosts: 148 },
    { pages: 500, seed: 0, hosts: 1 },
    { pages: 500, seed: 4_294_967_295, averageDegree: 200 },
    { pages: 500, seed: 1, averageDegree: 4 },
  ])("makes a valid web of odd options: %j", (options) => {
    const { graph, hosts } = generateGraph(options);
    expect([graph.pages, hosts.hostOf.length]).toEqual([options.pages, options.pages]);
    expect(graphInfo(graph).selfLinks).toBe(0);
    expect(new Set(hosts.hostOf).size).toBe(hosts.names.length);
    if (options.hosts !== undefined) expect(hosts.names).toHaveLength(options.hosts);
  });

  it("follows the given average degree", () => {
    const { graph } = generateGraph({ pages: 20_000, seed: 1, averageDegree: 30 });
    expect(graph.arcs / 20_000 / 30).toBeCloseTo(1, 1);
  });

  it.each([
    { pages: 0, seed: 1 },
    { pages: 1.5, seed: 1 },
    { pages: 2 ** 32, seed: 1 },
    { pages: 10, seed: -1 },
    { pages: 10, seed: 2 ** 32 },
    { pages: 10, seed: 1, averageDegree: 3.9 },
    { pages: 10, seed: 1, averageDegree: Number.NaN },
    { pages: 10, seed: 1, hosts: 11 },
    { pages: 10, seed: 1, hosts: 0 },
  ])("refuses %j", (options) => {
    expect(() => new GeneratedWeb(options)).toThrow(UsageError);
    expect(() => new GeneratedWeb(options)).toThrow(/^got .* expected a (whole )?number from/);
  });
});
