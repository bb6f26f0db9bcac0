import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { EstimateChoice } from "../../src/community/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { BLANK_VISIT, type Visit } from "../../src/log/index.ts";
import { Folder } from "./run.ts";

/** a.example is 0 and 1, which link to each other; 0 leads out to 2 and 4, and 2 back to 1; 3 and 4 lead nowhere. */
const FILES = {
  "web.arcs": "0 1\n1 0\n0 2\n2 1\n2 3\n0 4\n",
  "web.urls": "http://a.example/\nhttp://a.example/x\nhttp://b.example/\nhttp://c.example/\nhttp://cc.example/\n",
  local: "http://a.example/x\n0\n",
  all: "0\n1\n2\n3\n4\n",
};
const WEB = ["community", "web.arcs", "--urls", "web.urls", "--local"];

interface Rounds {
  readonly local: number;
  readonly initial: { readonly l1: number };
  readonly rounds: readonly { crawled: number; l1: number; linf: number; kendall: number }[];
  readonly seconds: number;
}

describe("community on a graph", () => {
  it("reports how far the estimate is from the truth, round by round", async () => {
    const folder = new Folder(FILES);
    const args = [...WEB, "host:a.example", "--select", "sc", "--rounds", "2", "--pages", "1"];
    const answer = (await folder.json(args)) as Rounds;
    expect(answer).toMatchObject({ local: 2, seconds: expect.any(Number), select: "sc" });
    expect(answer.rounds.map(({ crawled }) => crawled)).toEqual([1, 2]);
    for (const round of answer.rounds) {
      // Two pages: what one has too much, the other lacks.
      expect(round.linf).toBeCloseTo(round.l1 / 2, 12);
      expect([-1, 0, 1]).toContain(round.kendall);
    }
    expect(answer.rounds[1].l1).toBeLessThan(answer.initial.l1);
  });

  it("finds the truth when all has been crawled, and says that nothing is left", async () => {
    const folder = new Folder(FILES);
    const { stdout, stderr } = await folder.run([...WEB, "local", "--rounds", "9", "--pages", "5", "--json"]);
    const { rounds } = JSON.parse(stdout) as Rounds;
    expect(rounds.map(({ crawled }) => crawled)).toEqual([2, 3]);
    expect(rounds[1].l1).toBeLessThan(1e-9);
    expect(stderr).toContain("nothing was left to crawl after 2 rounds");
  });

  it("chooses the estimate by what is known, unless told how to select, and says what it chose", async () => {
    const folder = new Folder();
    await folder.json(["graph", "generate", "--pages", "2000", "--out", "web.arcs", "--urls-out", "web.urls"]);
    const args = [...WEB, "host:host3.example", "--rounds", "4", "--pages", "30"];
    const answer = (await folder.json(args)) as Rounds & { select: string; choice: EstimateChoice };
    expect(answer.select).toBe("auto");
    const hidden = Math.floor(answer.rounds.at(-1)!.crawled / 2);
    expect(answer.choice.hidden).toBe(hidden);
    expect(hidden).toBeGreaterThan(40);
    expect(answer.choice.trials.map(({ weight }) => weight)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    const least = Math.min(...answer.choice.trials.map(({ l1 }) => l1));
    expect(answer.choice.trials.find(({ weight }) => weight === answer.choice.weight)?.l1).toBe(least);
    const { stdout } = await folder.run(args);
    expect(stdout).toMatch(/chosen by hiding \d+ pages|the rank among the crawled pages alone/);
    const other = await folder.json([...args, "--select", "leak", "--full-degrees"]);
    expect(other).toMatchObject({ select: "leak", fullDegrees: true });
    expect(other).not.toHaveProperty("choice");
    expect((other as typeof answer).rounds).not.toEqual(answer.rounds);
  });

  it("prints the scores of the pages that the community links to", async () => {
    // l = 2, f = (1/2, 1/2): as in the library's hand-worked example, 0.2125 and 0.25, for each of the two.
    const { scores } = (await new Folder(FILES).json([...WEB, "local", "--scores"])) as { scores: unknown };
    expect(scores).toEqual(
      // Both: half of the rank, over 1 * 2.
      [2, 4].map((id) => {
        const leak: unknown = expect.closeTo(0.25, 12);
        return { id, sc: expect.closeTo(0.2125, 12), pf: expect.closeTo(0.25, 12), outlinks: 1, leak };
      }),
    );
  });

  it("lists the pages of greatest impact, and writes local, estimated and true ranks", async () => {
    const folder = new Folder(FILES);
    const args = [...WEB, "local", "--rounds", "9", "--pages", "5", "--out", "ranks.tsv"];
    const { impact } = (await folder.json(args)) as { impact: { id: number; url: string; impact: number }[] };
    // Only page 2 links to the community, with one of its two links.
    expect(impact).toEqual([{ id: 2, url: "http://b.example/", impact: expect.any(Number) }]);
    const { top } = (await folder.json(["rank", "web.arcs", "--dangling", "uniform"])) as {
      top: { id: number; rank: number }[];
    };
    const rank = (page: number) => top.find(({ id }) => id === page)!.rank;
    expect(impact[0].impact).toBeCloseTo(rank(2) / 2, 9);
    const lines = readFileSync(folder.at("ranks.tsv"), "utf8").trimEnd().split("\n");
    const [id, local, estimate, truth, url] = lines[1].split("\t");
    expect([id, url, lines.length]).toEqual(["1", "http://a.example/x", 2]);
    expect(Number(local)).toBeCloseTo(0.5, 9);
    expect(Number(truth)).toBeCloseTo(rank(1) / (rank(0) + rank(1)), 9);
    expect(Number(estimate)).toBeCloseTo(Number(truth), 8);
  });

  it.each<[mistake: string, args: readonly string[], message: string]>([
    ["a host that does not occur", [...WEB, "host:c.exampel"], "similar hosts are c.example, "],
    ["a host without URLs", ["community", "web.arcs", "--local", "host:a.example"], "give them with --urls FILE"],
    ["the whole graph", [...WEB, "all"], "is the whole web (5 pages)"],
    ["the whole graph, for scores", [...WEB, "all", "--scores"], "is the whole web (5 pages)"],
    ["an empty list", [...WEB, "/dev/null"], "names no page"],
    ["no rounds", [...WEB, "local", "--rounds", "0"], "whole number of at least 1"],
    ["no pages", [...WEB, "local", "--pages", "0"], "whole number of at least 1"],
    ["another way to select", [...WEB, "local", "--select", "outlink"], "Did you mean outlinks?"],
    ["what auto decides by itself", [...WEB, "local", "--full-degrees"], "leave out full out-degrees"],
    ["no community", ["community", "web.arcs"], "'--local <what>' not specified"],
    ["scores and rounds", [...WEB, "local", "--scores", "--rounds", "2"], "cannot be used with"],
    ["what to fetch of a graph", [...WEB, "local", "--next", "next.txt"], "--next is for a crawl; web.arcs is a graph"],
  ])("refuses %s", async (_mistake, args, message) => {
    const folder = new Folder(FILES);
    const { code, stdout, stderr } = await folder.run(args);
    expect(stderr).toContain(message);
    expect([code, stdout, folder.names()]).toEqual([2, "", Object.keys(FILES).sort()]);
  });
});

/**
 * a.example: 0 (to 1, 2, 4 and 5) and 1 (to 0) were had, 6 waits; b.example: 2 (to 0 and 3) and 3 (to 1 and 6) were
 * had; 4 waits, 5 is gone.
 */
function tellCrawl(folder: Folder): void {
  const store = createCrawl(folder.at("crawl"), "{}");
  store.addOrigin(0, "http://a.example");
  store.addOrigin(1, "http://b.example");
  const origins = [0, 0, 1, 1, 1, 1, 0];
  for (const [id, origin] of origins.entries()) {
    const source = id === 0 ? "seed" : "link";
    store.addUrl({ id, origin, path: `/${id}`, depth: 1, source, discoveredAt: 0, reason: null });
  }
  const visits: readonly (readonly [url: number, links: readonly number[] | null])[] = [
    [0, [1, 2, 4, 5]],
    [1, [0]],
    [2, [0, 3]],
    [5, null],
    [3, [1, 6]],
  ];
  for (const [i, [url, links]] of visits.entries()) {
    const visit: Visit = {
      ...BLANK_VISIT,
      number: i + 1,
      url,
      atMs: 1_700_000_000_000,
      outcome: links === null ? "dead" : "downloaded",
      status: links === null ? 404 : 200,
      wireBytes: 1,
      milliseconds: 1,
      links: links === null ? null : Uint32Array.from(links),
    };
    store.addVisit(visit);
  }
  store.commit();
  store.close();
}

describe("community in a crawl", () => {
  it("compares local rank with global rank, and reports impact and what to fetch next", async () => {
    const folder = new Folder();
    tellCrawl(folder);
    const args = ["community", "crawl", "--local", "host:a.example", "--out", "ranks.tsv", "--next", "next.txt"];
    const { code, stdout, stderr } = await folder.run([...args, "--json"]);
    expect(stderr).toContain("only 2 of 3 local pages were downloaded");
    expect(code).toBe(0);
    const answer = JSON.parse(stdout) as Record<string, { id: number; url: string }[]>;
    expect(answer).toMatchObject({ local: 2, crawled: 2, select: "leak", change: { l1: expect.any(Number) } });
    // 3 sends half of its links to the community, 2 as well; 6 is of the community itself, 5 is gone.
    expect(answer["impact"].map(({ url }) => url).sort()).toEqual(["http://b.example/2", "http://b.example/3"]);
    expect(answer["next"].map(({ url }) => url)).toEqual(["http://b.example/4"]);
    expect(readFileSync(folder.at("next.txt"), "utf8")).toBe("http://b.example/4\n");
    const lines = readFileSync(folder.at("ranks.tsv"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => line.split("\t")[3])).toEqual(["http://a.example/0", "http://a.example/1"]);
    expect(Number(lines[0].split("\t")[1])).toBeCloseTo(0.5, 12);
  });

  it("takes a list of URLs for the community, and answers people too", async () => {
    const folder = new Folder({ list: "http://b.example/2\n" });
    tellCrawl(folder);
    const { code, stdout } = await folder.run(["community", "crawl", "--local", "list", "--select", "pf"]);
    expect(code).toBe(0);
    expect(stdout).toContain("1 local page in a crawl of 4 pages");
    // With the chosen score, and no order of a single page.
    expect(stdout).toMatch(/URLs outside the community that are worth fetching next:\npf +links +url\n/);
    expect(stdout).not.toContain("NaN");
  });

  it.each<[mistake: string, args: readonly string[], message: string]>([
    ["rounds", ["--local", "host:a.example", "--rounds", "3"], "--rounds is for a graph"],
    ["URLs of its own", ["--local", "host:a.example", "--urls", "x"], "leave out --urls"],
    ["a page it did not get", ["--local", "waiting"], "the crawl has downloaded none of these pages"],
    ["all that it got", ["--local", "had"], "is all that the crawl has downloaded"],
    ["chance", ["--local", "host:a.example", "--select", "random"], "choose sc, pf, outlinks or leak"],
    ["a choice", ["--local", "host:a.example", "--select", "auto"], "is for a graph or --live: choose sc, pf"],
    ["full out-degrees", ["--local", "host:a.example", "--full-degrees"], "--full-degrees is for a graph"],
    ["another host", ["--local", "host:aa.example"], "similar hosts are a.example, b.example"],
  ])("refuses %s", async (_mistake, args, message) => {
    const folder = new Folder({ waiting: "http://b.example/4\n", had: "0\n1\n2\n3\n" });
    tellCrawl(folder);
    const { code, stderr } = await folder.run(["community", "crawl", ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
