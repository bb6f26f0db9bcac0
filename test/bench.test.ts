/** Benchmarks never rot: each runs on a tiny web, beside its peers, and must give figures. */
import { describe, expect, it } from "vitest";
import { benchArcs } from "../bench/arcs.bench.ts";
import { benchBv } from "../bench/bv.bench.ts";
import { benchGenerate } from "../bench/generate.bench.ts";
import { benchOrders } from "../bench/orders.bench.ts";
import { benchPagerank } from "../bench/pagerank.bench.ts";
import { benchWeb } from "../bench/web.ts";

const web = benchWeb({ tiny: true });

/** Every number in a result, however deep. */
function numbers(figures: unknown): number[] {
  if (typeof figures === "number") return [figures];
  return typeof figures === "object" && figures !== null ? Object.values(figures).flatMap(numbers) : [];
}

describe("benchmarks on a tiny web", () => {
  it.each([
    ["orders", () => benchOrders(web.graph, web.trust, 1)],
    ["pagerank", () => benchPagerank(web.graph, { runs: 1 })],
    ["bv", () => benchBv(web.bv, 1)],
    ["arcs", () => benchArcs(web.arcsText, 1)],
    ["generate", () => benchGenerate([2000])],
  ])("%s gives figures", async (_, bench) => {
    const figures = numbers(await bench());
    expect(figures.length).toBeGreaterThan(3);
    for (const figure of figures) expect(Number.isFinite(figure)).toBe(true);
  });

  it("finds that rankmass is certified after fewer downloads than the paper's algorithm guarantees the same", () => {
    const { rankmass, plainLiteral, literal } = benchOrders(web.graph, web.trust, 1);
    expect(rankmass.downloads).toBeLessThan(literal.downloads);
    // The same algorithm twice, with another heap: ties apart, the same crawl.
    expect(Math.abs(plainLiteral.downloads - literal.downloads)).toBeLessThan(0.02 * literal.downloads);
  });
});
