/** Benchmarks never rot: the whole run, growth too, on a tiny web together with its peers, must give figures. */
import { execFile } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { cppRankMass } from "../bench/cpp-rankmass.ts";
import { benchIntervals } from "../bench/intervals.bench.ts";
import { benchOrders } from "../bench/orders.bench.ts";
import { sourceText } from "../bench/text/sources.ts";
import { scoreOf, wordsOf } from "../bench/text/words.ts";
import { benchWeb } from "../bench/web.ts";
import { Folder } from "./cli/run.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Every number in a result, however deep. JSON writes null for what is no number. */
function numbers(figures: unknown): (number | null)[] {
  if (typeof figures === "number" || figures === null) return [figures];
  return typeof figures === "object" ? Object.values(figures).flatMap(numbers) : [];
}

describe("benchmarks on a tiny web", () => {
  // Its peers are installed on the way, where they are not yet.
  it("run as their command runs them, and give figures", { timeout: 3_600_000 }, async () => {
    const command = ["run", "--silent", "bench", "--", "--tiny"];
    const { stdout: output } = await promisify(execFile)("npm", command, { cwd: root });
    const { machine, web, ...benches } = JSON.parse(output) as Record<string, unknown>;
    expect(machine).toMatch(/Node v\d+/);
    expect(web).toMatch(/generated web/);
    expect(Object.keys(benches)).toEqual([
      "orders",
      "intervals",
      "survey",
      "earlier",
      "earlier-large",
      "values",
      "sampled",
      "pagerank",
      "pagerank-large",
      "community",
      "seeds",
      "bv",
      "arcs",
      "generate",
      "links",
      "growth",
      "opic",
      "sites",
      "refresh",
      "refresh-forever",
      "crawl",
      "crawl-scale",
      "crawlee",
      "fact-log",
      "workers",
      "targets",
      "names",
      "text",
      "pack",
      "import",
      "render",
      "dashboard",
    ]);
    for (const figures of Object.values(benches).map(numbers)) {
      expect(figures.length).toBeGreaterThan(3);
      expect(figures).not.toContain(null);
    }
    const [text] = benches["text"] as { tidemark: object }[];
    expect(text.tidemark).toMatchObject({ precision: 1, recall: 1, f: 1 });
  });

  it("compares texts by their words, each as often as it occurs, and sources without their markup", () => {
    const { precision, recall, f } = scoreOf("Tide, tide! x moon", "the tide and the moon");
    expect([precision, recall, f]).toEqual([2 / 3, 2 / 5, 4 / 8]);
    const rst = ".. note::\n\n   See :func:`tide <moon.tide>` and :ref:`ebb`.\n\n.. _flood:\n\n.. toctree::\n   a/b\n";
    expect(wordsOf(sourceText(rst, "rst") ?? "")).toEqual(["see", "tide", "and", "ebb"]);
    expect(wordsOf(sourceText("[verse]\nlinkgit:tide[1], link:moon.html[ebb]\n", "asciidoc") ?? "")).toEqual([
      "tide",
      "ebb",
    ]);
    expect(
      wordsOf(sourceText("<!-- YAML\nadded: now -->\n[tide](moon.md)\n\n[ebb]: flood.md\n", "markdown") ?? ""),
    ).toEqual(["tide"]);
    // Its text is not all there.
    expect(sourceText("include::config.txt[]\n", "asciidoc")).toBeUndefined();
    expect(sourceText(".. automodule:: tide\n", "rst")).toBeUndefined();
  });

  it("finds that rankmass is certified after fewer downloads than the paper's algorithm guarantees the same", () => {
    const web = benchWeb({ tiny: true });
    const { rankmass, plainLiteral, literal, cpp } = benchOrders(web.graph, web.trust, 1);
    expect(rankmass.downloads).toBeLessThan(literal.downloads);
    // The same algorithm, with other heaps: ties apart, the same crawl.
    for (const peer of cpp === undefined ? [plainLiteral] : [plainLiteral, cpp]) {
      expect(Math.abs(peer.downloads - literal.downloads)).toBeLessThan(0.02 * literal.downloads);
    }
  });

  it("leaves out the C++ program only where there is no compiler", ({ onTestFinished }) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const { graph } = benchWeb({ tiny: true });
    const { path } = new Folder({ "g++": "#!/bin/sh\nexit 1\n" });
    vi.stubEnv("PATH", join(path, "nothing"));
    expect(cppRankMass(graph, [0])).toBeUndefined();
    vi.stubEnv("PATH", path);
    chmodSync(join(path, "g++"), 0o755);
    expect(() => cppRankMass(graph, [0])).toThrow("g++");
  });

  it("finds intervals that are narrower than those of (C2), prove more, and hold", () => {
    const web = benchWeb({ tiny: true });
    const { figures } = benchIntervals(web.graph, web.trust, { checks: 20_000 });
    for (const { before, now, violations } of figures) {
      expect(now.medianWidth).toBeLessThan(before.medianWidth);
      expect(now.pairsOfTop).toBeGreaterThan(before.pairsOfTop);
      expect(violations).toBe(0);
    }
  });
});
