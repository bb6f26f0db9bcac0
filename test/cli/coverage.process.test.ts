import { describe, expect, it } from "vitest";
import { Folder } from "./run.ts";

/**
 * 0 leads to 1 and 2; 0 is trusted and downloaded; damping 0.5. Then x0 = 0.5, and 0.125 flows to each of 1 and 2. An
 * open page stands for at most 0.125 / 0.5 = 0.25, so coverage is 0.5 / (0.5 + 0.25 + 0.25).
 */
const FILES = {
  "web.arcs": "0 1\n0 2\n1 0\n",
  "web.urls": "http://a.example/\nhttp://b.example/\nhttp://b.example/x\n",
  trust: "0\n",
  downloaded: "0\n0\n",
};
const ARGS = ["coverage", "web.arcs", "--trust", "trust", "--pages", "downloaded", "--damping", "0.5"];

describe("coverage", () => {
  it("certifies what can be computed by hand", async () => {
    const document = await new Folder(FILES).json(ARGS);
    expect(document).toMatchObject({
      coverage: expect.closeTo(0.5, 9),
      downloaded: 1,
      rankInside: expect.closeTo(0.5, 9),
      flowOpen: expect.closeTo(0.25, 9),
      flowDead: 0,
      delta: 0,
      missing: [{ reason: "not-fetched", mass: expect.closeTo(0.5, 9), hosts: [] }],
      certainOrder: { pages: 0, pairs: 0 },
    });
  });

  it("says so where no place of the ranking is certain", async () => {
    const { stdout } = await new Folder(FILES).run(ARGS);
    expect(stdout).toMatch(/^Ranking: no place is certain yet\.$/m);
  });

  it("knows no copies in a graph", async () => {
    const { code, stderr } = await new Folder(FILES).run([...ARGS, "--duplicates-count-nothing"]);
    expect(stderr).toContain("only a crawl knows copies");
    expect(code).toBe(2);
  });

  it("leaves out a dead page: 0.5 / (0.5 + 0.25), strictly 0.5 / (0.5 + 0.25 + 0.125)", async () => {
    const document = await new Folder({ ...FILES, dead: "2\n" }).json([...ARGS, "--dead", "dead"]);
    expect(document).toMatchObject({
      coverage: expect.closeTo(2 / 3, 9),
      universe: "allowed",
      strict: expect.closeTo(4 / 7, 9),
      ceiling: 1,
      flowDead: 0,
      missing: [{ reason: "not-fetched", mass: expect.closeTo(1 / 3, 9) }],
      outside: [{ reason: "dead", mass: expect.closeTo(1 / 7, 9) }],
    });
  });

  it("counts a dead page for what it is, where everything counts", async () => {
    const folder = new Folder({ ...FILES, dead: "2\n" });
    const document = await folder.json([...ARGS, "--dead", "dead", "--universe", "scope"]);
    expect(document).toMatchObject({
      coverage: expect.closeTo(4 / 7, 9),
      universe: "scope",
      strict: expect.closeTo(4 / 7, 9),
      ceiling: expect.closeTo(6 / 7, 9),
      outside: [],
      flowDead: expect.closeTo(0.125, 9),
      missing: [
        { reason: "not-fetched", mass: expect.closeTo(2 / 7, 9) },
        { reason: "dead", mass: expect.closeTo(1 / 7, 9) },
      ],
    });
  });

  it("reports trust that cannot be seeded against the whole", async () => {
    const document = await new Folder({ ...FILES, trust: "0 0.6\n" }).json(ARGS);
    // x0 = 0.3; what is missing: 0.3 by way of pages 1 and 2, 0.4 as unseeded trust.
    expect(document).toMatchObject({
      coverage: expect.closeTo(0.3, 9),
      delta: expect.closeTo(0.4, 9),
      missing: [
        { reason: "trust-unseeded", mass: expect.closeTo(0.4, 9) },
        { reason: "not-fetched", mass: expect.closeTo(0.3, 9) },
      ],
    });
  });

  it("says what is missing, by host", async () => {
    const document = await new Folder(FILES).json([...ARGS, "--urls", "web.urls"]);
    expect(document).toMatchObject({
      missing: [{ hosts: [{ host: "b.example", mass: expect.closeTo(0.5, 9), pages: 2 }] }],
    });
  });

  it("prints one sentence for people, never rounding up", async () => {
    const folder = new Folder({ ...FILES, dead: "2\n" });
    const { stdout } = await folder.run([...ARGS, "--dead", "dead", "--urls", "web.urls"]);
    // 2/3 is 66.666...%, 4/7 is 57.142857...%
    expect(stdout).toContain("This page holds at least 66.66% of what may be fetched (57.14% if forbidden and dead");
    expect(stdout).toMatch(/^Waiting to be fetched +33\.34%/m);
    expect(stdout).toMatch(/^Dead links +14\.29%/m);
    expect(stdout).toMatch(/b\.example$/m);
  });

  it("certifies everything where everything is downloaded", async () => {
    const folder = new Folder({ ...FILES, downloaded: "0\n1\n2\n" });
    // Pages 1 and 2 have the same rank: only page 0 has a certain place, above each of them.
    expect(await folder.json(ARGS)).toMatchObject({
      coverage: 1,
      missing: [],
      certainOrder: { pages: 1, pairs: 2 },
    });
  });

  it("takes pages by id and by URL, in any order, as often as they are named", async () => {
    const downloaded = "# all of them\r\n2 # the last\r\nhttp://b.example/\r\n\r\n 0\r\n2\r\n1\r\n";
    const folder = new Folder({ ...FILES, downloaded });
    expect(await folder.json([...ARGS, "--urls", "web.urls"])).toMatchObject({ coverage: 1, downloaded: 3 });
  });

  it("warns that full coverage is out of reach where a trusted page is dead", async () => {
    const folder = new Folder({ ...FILES, trust: "0\n2\n", dead: "2\n" });
    const { stderr } = await folder.run([...ARGS, "--dead", "dead"]);
    expect(stderr).toBe("tidemark: 1 trusted page is dead: full coverage is unreachable\n");
  });

  it("refuses a page that is both downloaded and dead", async () => {
    const { code, stderr } = await new Folder({ ...FILES, dead: "0\n" }).run([...ARGS, "--dead", "dead"]);
    expect(code).toBe(2);
    expect(stderr).toContain("page 0 is in downloaded and in dead");
  });

  it("refuses the dangling rule for which no certificate exists", async () => {
    const { code, stderr } = await new Folder(FILES).run([...ARGS, "--dangling", "uniform"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Nothing can be proven");
  });
});
