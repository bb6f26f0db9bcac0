/** What sampling shows: in a crawl that stops by it, and of a crawl that has stopped. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CallFolder } from "./call.ts";
import { demoWeb, linesOf, SEED } from "./demo-web.ts";
import { Folder } from "./run.ts";

type Document = Readonly<Record<string, unknown>>;

it("stops a crawl, is checked from the log, and is taken later with a budget", async () => {
  const folder = new CallFolder();
  const web = await demoWeb();
  const args = ["crawl", SEED, "--dir", "c", "--coverage", "0.8", "--confidence", "0.99", "--seed", "3", "--json"];
  const { code, stdout } = await folder.run([...args, ...web]);
  expect(code).toBe(0);
  const done = linesOf(stdout).at(-1);
  expect(done).toMatchObject({ type: "done", reason: "coverage-reached", universe: "allowed" });
  expect(done?.["by"]).toBe(Number(done?.["coverage"]) >= 0.8 ? "proven" : "sampled");
  const { sampled } = (await folder.json(["coverage", "c", "--confidence", "0.99"])) as Document;
  expect(sampled).toEqual(done?.["sampled"]);

  // Every field is documented.
  const documented = readFileSync("docs/crawling.md", "utf8");
  const fields = new Set(linesOf(stdout).flatMap((line) => Object.keys(line)));
  expect([...fields].filter((field) => field !== "type" && !documented.includes(`\`${field}\``))).toEqual([]);

  const before = (await folder.json(["coverage", "c"])) as Document;
  const after = (await folder.json([
    "coverage",
    "c",
    "--confidence",
    "0.9",
    "--budget",
    "20",
    "--seed",
    "1",
  ])) as Document;
  // An earlier look, with more confidence, may show as much.
  const { confidence } = after["sampled"] as { confidence: number };
  expect([0.9, 0.99]).toContain(confidence);
  const sample = after["sample"] as { stopped: string; fetched: number; budget: number };
  expect(sample).toEqual({ stopped: expect.any(String), fetched: expect.any(Number), budget: 20 });
  const fetched = Number(after["downloaded"]) - Number(before["downloaded"]);
  expect(fetched).toBeGreaterThanOrEqual(0);
  expect(fetched).toBeLessThanOrEqual(20);
  expect(sample.fetched).toBe(fetched);
  const again = await folder.run(["coverage", "c", "--confidence", "0.9", "--budget", "1", "--seed", "2"]);
  expect(again.stdout).toMatch(/^The sample fetched (0 pages|1 page) of at most 1 and stopped: [a-z].*\.$/m);
  const reported = (await folder.json(["report", "c", "--out", "report.html"])) as Document;
  const now = (await folder.json(["coverage", "c"])) as Document;
  expect(reported).toMatchObject({ universe: now["universe"], sampled: now["sampled"] });
  for (const name of ["strict", "ceiling"]) expect(reported[name]).toBeCloseTo(Number(now[name]), 11);
  const text = (await folder.run(["coverage", "c", "--confidence", "0.9"])).stdout;
  const shown = Number((after["sampled"] as { coverage: number }).coverage) > Number(after["coverage"]);
  expect(text).toMatch(
    shown
      ? /^Sampling shows at least \d\d\.\d\d%, with confidence 9[09]% \(\d+ walks?, \d+ pages? fetched for them\)\.$/m
      : /^Sampling shows no more than the proof with confidence 90%\. To sample more, give --budget N\.$/m,
  );
  expect(text).not.toMatch(/sampl[^.]*(proven|certain)/i);

  const ranked = (await folder.json(["rank", "c", "--top", "3"])) as Document;
  expect(ranked["top"]).toMatchObject([{ low: expect.any(Number), high: expect.any(Number) }, {}, {}]);
});

it.each([
  [["coverage", "c", "--budget", "5"], "give --confidence as well"],
  [["coverage", "c", "--confidence", "1"], "between 0 and 1, both excluded"],
  [["coverage", "c", "--confidence", "0.9", "--seed", "5"], "--seed is for a new sample"],
  [["crawl", "http://a.example/", "--confidence", "0.9"], "give --coverage as well"],
  [["crawl", "http://a.example/", "--seed", "3"], "--seed is for sampling: give --confidence"],
  [["crawl", "http://a.example/", "--coverage", "0.9", "--confidence", "1.5"], "between 0 and 1, both excluded"],
])("refuses %j", async (args, words) => {
  const { code, stderr } = await new Folder().run(args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
});
