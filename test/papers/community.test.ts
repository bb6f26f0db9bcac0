/** A real web: the required speed, and that the estimate comes near the truth. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  distancesBetween,
  findGlobalPagerank,
  frontierOf,
  pagesOfHost,
  restrictedTo,
  SELECTIONS,
} from "../../src/community/index.ts";
import { ArcsDecoder, hostsOf, withoutSelfLinks } from "../../src/graph/index.ts";
import { pagerank } from "../../src/rank/index.ts";
import { sharedPath } from "../support/shared.ts";
import { denseScore } from "../community/dense.ts";

const arcs = sharedPath("data/uci-ics.arcs.gz");
const urls = sharedPath("data/uci-ics.urls.gz");

describe.skipIf(arcs === undefined || urls === undefined)("on uci-ics", () => {
  const load = () => {
    const lines = gunzipSync(readFileSync(urls!)).toString().trimEnd().split("\n");
    const decoder = new ArcsDecoder({ pages: lines.length });
    decoder.push(gunzipSync(readFileSync(arcs!)));
    return { web: withoutSelfLinks(decoder.finish()), hosts: hostsOf(lines) };
  };

  it("50 rounds on the host of 7,909 pages take less than a minute and find the truth to 0.001", () => {
    const { web, hosts } = load();
    const local = pagesOfHost(hosts, "grape.ics.uci.edu");
    const truth = restrictedTo(local, pagerank(web, { dangling: "uniform" }).ranks);
    const before = process.cpuUsage();
    const estimates = [...findGlobalPagerank({ web, local, select: "sc", rounds: 50, pagesPerRound: 317 })];
    expect(process.cpuUsage(before).user).toBeLessThan(60e6);
    expect(local.length).toBe(7909);
    expect(estimates.length).toBe(51);
    const [first, last] = [estimates[0], estimates.at(-1)!].map(({ ranks }) => distancesBetween(ranks, truth));
    expect(first.l1).toBeGreaterThan(0.4);
    expect(last.l1).toBeLessThan(0.001);
    expect(last.kendall).toBeGreaterThan(first.kendall);
  });

  it("every selection method gets closer to the truth on the host of 1,281 pages", () => {
    const { web, hosts } = load();
    const local = pagesOfHost(hosts, "archive.ics.uci.edu");
    const truth = restrictedTo(local, pagerank(web, { dangling: "uniform" }).ranks);
    for (const select of SELECTIONS) {
      const estimates = [...findGlobalPagerank({ web, local, select, rounds: 10, pagesPerRound: 256 })];
      const [first, last] = [estimates[0], estimates.at(-1)!].map(({ ranks }) => distancesBetween(ranks, truth).l1);
      expect(last).toBeLessThan(first / 10);
    }
  });

  it("scores of a small host are those of the stochastic complement to 1e-9", () => {
    const { web, hosts } = load();
    const local = pagesOfHost(hosts, "www.stat.uci.edu");
    const { pages, sc } = frontierOf({ web, local });
    expect(pages.length).toBeGreaterThan(30);
    for (const [c, page] of pages.subarray(0, 40).entries()) {
      const expected = denseScore(web, [...local], local.length, page, 0.85);
      expect(Math.abs(sc[c] - expected)).toBeLessThan(1e-9 * expected);
    }
  });
});
