import { describe, expect, it } from "vitest";
import { impacts, pagesBeside, pagesOfHost, pagesWithin, surveyCommunity } from "../../src/community/index.ts";
import { hostsOf } from "../../src/graph/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { adjacencyOf, denseScore, pagerankMatrix, stationary } from "./dense.ts";

/** Local 0, 1; also crawled: 2, 3; discovered only: 4 (from 1) and 5 (from 3). */
const WEB = graphOf([
  [0, 1],
  [1, 0],
  [1, 4],
  [0, 2],
  [2, 0],
  [2, 1],
  [2, 3],
  [3, 1],
  [3, 5],
]);
const LOCAL = Uint32Array.of(0, 1);

describe("a survey of a community", () => {
  const survey = surveyCommunity({ web: WEB, local: LOCAL, crawled: Uint32Array.of(2, 3) });
  const f = stationary(pagerankMatrix(adjacencyOf(WEB, [0, 1, 2, 3]), 0.85));

  it("compares the local rank with the global one estimated from all crawled pages", () => {
    expect([...survey.localRanks]).toEqual([expect.closeTo(0.5, 12), expect.closeTo(0.5, 12)]);
    const share = f[0] / (f[0] + f[1]);
    expect([...survey.globalRanks]).toEqual([expect.closeTo(share, 12), expect.closeTo(1 - share, 12)]);
  });

  it("gives impact to crawled pages outside: their rank times the share of all their links that lead in", () => {
    const expected = [0, 0, (f[2] * 2) / 3, f[3] / 2, 0, 0];
    expect([...survey.impacts]).toEqual(expected.map((each) => expect.closeTo(each, 12)));
  });

  it("scores the frontier of all that was crawled by its influence on the local pages", () => {
    const { pages, sc, pf, outlinks } = survey.frontier;
    expect([...pages]).toEqual([4, 5]);
    const expected = [4, 5].map((page) => denseScore(WEB, [0, 1, 2, 3], 2, page, 0.85));
    expect([...sc]).toEqual(expected.map((each) => expect.closeTo(each, 12)));
    // Inside F page 1 has one link (to 0) and page 3 one (to 1).
    expect([...pf]).toEqual([expect.closeTo(f[1] / 2, 12), expect.closeTo(f[3] / 2, 12)]);
    expect([...outlinks]).toEqual([1, 1]);
  });

  it("needs a world around the community", () => {
    expect(() => surveyCommunity({ web: WEB, local: LOCAL, crawled: new Uint32Array(0) })).toThrow(
      /only the local domain was crawled/,
    );
  });
});

describe("impact", () => {
  it("leaves self links out of the count", () => {
    const impact = impacts(
      graphOf([
        [1, 1],
        [1, 0],
        [1, 2],
      ]),
      Uint32Array.of(0),
      Float64Array.of(0.2, 0.5, 0.3),
    );
    expect([...impact]).toEqual([0, 0.25, 0]);
  });
});

describe("a local domain", () => {
  const hosts = hostsOf(["http://www.a.example/", "http://b.example/", "http://www.a.example/x", "http://bb.example/"]);

  it("is the pages of a host, in any case of letters", () => {
    expect([...pagesOfHost(hosts, "WWW.a.example")]).toEqual([0, 2]);
  });

  it("of a host that does not occur is refused with near ones, nearest first", () => {
    expect(() => pagesOfHost(hosts, "b.exampel")).toThrow(
      /no page is on the host "b\.exampel"; similar hosts are b\.example, bb\.example/,
    );
    expect(() => pagesOfHost(hosts, "zzzzz")).toThrow(/"zzzzz"$/);
  });

  it("is what lies within some links of some pages, breadth first, up to the limit", () => {
    const chain = graphOf([
      [3, 0],
      [0, 4],
      [4, 2],
      [2, 1],
      [3, 1],
    ]);
    const from = Uint32Array.of(3);
    expect([...pagesWithin(chain, from, { links: 0, pagesMax: 9 })]).toEqual([3]);
    expect([...pagesWithin(chain, from, { links: 2, pagesMax: 9 })]).toEqual([0, 1, 3, 4]);
    expect([...pagesWithin(chain, from, { links: 2, pagesMax: 2 })]).toEqual([0, 3]);
  });

  it("leaves other pages out", () => {
    expect([...pagesBeside(Uint32Array.of(1, 2, 5, 7), Uint32Array.of(2, 7))]).toEqual([1, 5]);
  });
});
