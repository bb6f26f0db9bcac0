import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { launchCrawl } from "../../src/crawl/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";
import { Folder } from "./run.ts";

/** 0 leads to 1, which leads nowhere; only 0 is trusted. By hand, with d = 0.85, see each test. */
const DEAD_END = { "web.arcs": "0 1\n", trust: "0\n" };

interface RankDocument {
  readonly top: readonly { readonly id: number; readonly url?: string; readonly rank: number }[];
  readonly residual: number;
}

async function ranks(folder: Folder, args: readonly string[]): Promise<number[]> {
  const { top } = (await folder.json(["rank", "web.arcs", ...args])) as RankDocument;
  return top.toSorted((a, b) => a.id - b.id).map(({ rank }) => rank);
}

describe("rank", () => {
  it("follows the dangling rule: restart divides 0.15 and 0.1275 by their sum", async () => {
    const [first, second] = await ranks(new Folder(DEAD_END), ["--trust", "trust"]);
    expect(first).toBeCloseTo(0.15 / 0.2775, 9);
    expect(second).toBeCloseTo(0.1275 / 0.2775, 9);
  });

  it("follows the dangling rule: none lets rank evaporate", async () => {
    const [first, second] = await ranks(new Folder(DEAD_END), ["--trust", "trust", "--dangling", "none"]);
    expect(first).toBeCloseTo(0.15, 9);
    expect(second).toBeCloseTo(0.1275, 9);
  });

  it("follows the dangling rule: uniform solves x0 = 0.15 + 0.425 x1, x1 = 0.85 x0 + 0.425 x1", async () => {
    const [first, second] = await ranks(new Folder(DEAD_END), ["--trust", "trust", "--dangling", "uniform"]);
    const x0 = 0.15 / (1 - (0.425 * 0.85) / 0.575);
    expect(first).toBeCloseTo(x0, 9);
    expect(second).toBeCloseTo(1 - x0, 9);
  });

  it("drops self links unless told to keep them", async () => {
    const folder = new Folder({ "web.arcs": "0 0\n0 1\n1 0\n" });
    expect(await ranks(folder, [])).toEqual([expect.closeTo(0.5, 9), expect.closeTo(0.5, 9)]);
    // x0 = 0.075 + 0.85 (x0 / 2 + x1) and x0 + x1 = 1
    const x0 = (0.075 + 0.85) / (1 - 0.425 + 0.85);
    expect((await ranks(folder, ["--self-links"]))[0]).toBeCloseTo(x0, 9);
  });

  it("says everything that gives a rank its meaning", async () => {
    const folder = new Folder(DEAD_END);
    const args = ["--damping", "0.5", "--norm", "linf", "--tolerance", "1e-6", "--trust", "trust"];
    const document = await folder.json(["rank", "web.arcs", ...args, "--threads", "2"]);
    expect(document).toMatchObject({
      pages: 2,
      damping: 0.5,
      dangling: "restart",
      norm: "linf",
      tolerance: 1e-6,
      iterations: expect.any(Number),
      residual: expect.any(Number),
      seconds: expect.any(Number),
      trust: { kind: "personalised", pages: 1, total: 1 },
    });
    expect((document as RankDocument).residual).toBeLessThanOrEqual(1e-6);
  });

  it("writes id, rank with 17 digits and URL of every page", async () => {
    const folder = new Folder({ ...DEAD_END, "web.urls": "http://a.example/\r\nhttp://b.example/\r\n" });
    const args = ["rank", "web.arcs", "--urls", "web.urls", "--trust", "trust", "--top", "1"];
    const document = (await folder.json([...args, "--out", "ranks.tsv"])) as RankDocument;
    expect(document.top).toEqual([{ id: 0, url: "http://a.example/", rank: expect.closeTo(0.5405, 3) }]);
    const lines = readFileSync(folder.at("ranks.tsv"), "utf8").split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^0\t0\.\d{17}\thttp:\/\/a\.example\/$/),
      expect.stringMatching(/^1\t0\.\d{17}\thttp:\/\/b\.example\/$/),
      "",
    ]);
    expect(Number(lines[0].split("\t")[1])).toBe(document.top[0].rank);
  });

  it("of a crawl may have another order than the certificate, where a page links to a URL and to a redirect of it", async () => {
    const folder = new Folder();
    const pages: Readonly<Record<string, Served>> = {
      "/": '<a href="/x">x</a><a href="/r">r</a><a href="/y">y</a>',
      "/r": { redirect: "/x" },
      "/x": '<a href="/">home</a><a href="/y">y</a>',
      "/y": '<a href="/">home</a>',
    };
    const settings = inlineSettings(["http://a.example/"], {});
    const store = createCrawl(folder.at("crawl"), JSON.stringify(settings));
    const fetcher = new InlineWeb(({ pathname }) => pages[pathname]);
    await (await launchCrawl({ settings, store, fetcher, readers: 0 })).run();
    store.close();
    // x has 2/3 of what the front page gives, y 1/3 and half of what x gives; in the graph both have half of it.
    const { stdout } = await folder.run(["export", "crawl", "--states", "downloaded"]);
    const rows = stdout.trim().split("\n");
    const exported = rows.map((line) => JSON.parse(line) as { readonly url: string; readonly rank: number });
    const byRank = exported.toSorted((one, other) => one.rank - other.rank).map(({ url }) => url.slice(-1));
    expect(byRank).toEqual(["/", "x", "y"]);
    const { top } = (await folder.json(["rank", "crawl", "--top", "3"])) as RankDocument;
    expect(top.map(({ url }) => url?.slice(-1))).toEqual(["/", "y", "x"]);
  });

  it("warns where the iterations did not suffice", async () => {
    const folder = new Folder({ "web.arcs": "0 1\n1 2\n2 0\n0 2\n" });
    const { code, stderr } = await folder.run(["rank", "web.arcs", "--max-iterations", "1"]);
    expect(stderr).toContain("allow more than 1 with --max-iterations");
    expect(code).toBe(0);
  });
});

describe("a trust file", () => {
  it("may name pages by URL, with weights, comments and any line ending", async () => {
    const folder = new Folder({
      "web.arcs": "0 1\n1 0\n",
      "web.urls": "http://a.example/#top\nhttp://b.example/\n",
      trust: "# whom we trust\r\nhttp://a.example/#top\t0.25 # half of it\r\n\r\n1 0.25\r\n",
    });
    const document = await folder.json(["rank", "web.arcs", "--urls", "web.urls", "--trust", "trust"]);
    expect(document).toMatchObject({ trust: { pages: 2, total: 0.5 } });
  });

  it("without any weight is normalised; with one, other lines weigh 1", async () => {
    const folder = new Folder({ "web.arcs": "0 1\n1 2\n", plain: "0\n2\n", mixed: "0\n2 0.5\n" });
    const rank = ["rank", "web.arcs", "--trust"];
    expect(await folder.json([...rank, "plain"])).toMatchObject({ trust: { pages: 2, total: 1 } });
    const { code, stderr } = await folder.run([...rank, "mixed"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("trust sums to 1.5")]);
    // Page 0 weighs 2/3, page 2 1/3; without rank from links, page 0 has (1-d) 2/3.
    const { top } = (await folder.json([...rank, "mixed", "--normalise-trust", "--dangling", "none"])) as RankDocument;
    expect(top.find(({ id }) => id === 0)!.rank).toBeCloseTo(0.1, 9);
  });

  it("may miss a sum of 1 by rounding", async () => {
    const folder = new Folder({
      "web.arcs": "0 1\n1 2\n",
      trust: "0 0.3333333334\n1 0.3333333334\n2 0.3333333334\n",
    });
    const document = await folder.json(["rank", "web.arcs", "--trust", "trust"]);
    expect(document).toMatchObject({ trust: { pages: 3, total: 1 } });
  });
});
