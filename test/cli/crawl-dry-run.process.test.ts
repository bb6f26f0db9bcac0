/** What --dry-run requests, and how politely. */
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { Folder } from "./run.ts";
import { crowdedSite, served } from "./sites.ts";

describe("crawl --dry-run", () => {
  it("rests between two requests as long as robots.txt asks for", async () => {
    const { seed, requests } = await site("User-agent: *\nCrawl-delay: 0.8\n");
    const { seeds } = await dryRun([seed, "--delay", "0"]);
    expect(seeds).toMatchObject([{ robots: "allowed", status: 200, crawlDelayMs: 800 }]);
    const [robots, page] = requests;
    expect([robots?.path, page?.path]).toEqual(["/robots.txt", "/"]);
    expect(page.atMs - robots.atMs).toBeGreaterThanOrEqual(790);
  });

  it("shows settings as one would type them, in lines that fit", async () => {
    const { seed } = await site("");
    const folder = new Folder();
    const args = ["--delay", "0", "--max-time", "90m", "--coverage", "0.9", "--exclude", "a b", "--no-sitemaps"];
    const { stdout } = await folder.run(["crawl", seed, ...args, "--allow-private", "--dry-run"]);
    expect(stdout).toContain("limits:     --coverage 0.9 --max-time 90m\n");
    expect(stdout).not.toContain("--warc-records");
    expect(stdout).toContain(
      "politeness: --delay 0ms --max-crawl-delay 1m --concurrency 64 --per-host 1 --per-address 10 --robots-agent tidemark\n",
    );
    expect(stdout).toMatch(/^network: {4}--user-agent tidemark\/\S+ --allow-private --dns direct --timeout 1m$/m);
    expect(stdout).toMatch(
      /^what: {7}--scope host --exclude 'a b' --universe allowed --no-sitemaps --purpose none --render never --links-per-page 100000 --order rankmass --damping 0.85$/m,
    );
  });

  it("shows the rules for single hosts", async () => {
    const { seed } = await site("");
    const { host } = new URL(seed);
    const folder = new Folder({
      "c.yaml": `hosts:\n  "${host}": { delay: 0, connections: 4 }\n  "*.x.example": { exclude: [/a/, b] }\n  "x.example": { header: "X-A: hidden" }\n`,
    });
    const { stdout } = await folder.run(["crawl", seed, "--config", "c.yaml", "--allow-private", "--dry-run"]);
    expect(stdout).toContain(`host:       ${host}: delay 0ms, connections 4\n`);
    expect(stdout).toContain("host:       *.x.example: exclude /a/ b\n");
    expect(stdout).toContain("headers x-a to https://x.example");
    expect(stdout).not.toContain("hidden");
  });

  it("does not request a page whose host wants a long rest, and says so", async () => {
    const { seed, requests } = await site("User-agent: *\nCrawl-delay: 3000\n");
    const { seeds } = await dryRun([seed, "--delay", "0"]);
    expect(seeds).toMatchObject([
      { robots: "allowed", problem: "not requested now: its host asks for a delay of 60000 ms" },
    ]);
    expect(requests.map(({ path }) => path)).toEqual(["/robots.txt"]);
  });

  it("cuts that rest where the crawl would", async () => {
    const { seed, requests } = await site("User-agent: *\nCrawl-delay: 3000\n");
    const { seeds, settings } = await dryRun([seed, "--delay", "0", "--max-crawl-delay", "200ms"]);
    expect(seeds).toMatchObject([{ robots: "allowed", status: 200 }]);
    expect(requests).toHaveLength(2);
    expect(settings).toMatchObject({ politeness: { crawlDelayMsMax: 200 } });
  });

  it("opens as many connections per host as the crawl would", async () => {
    const seed = await crowdedSite(3);
    const urls = [1, 2, 3].map((k) => `${seed}${k}`);
    const { seeds } = await dryRun([...urls, "--delay", "0", "--per-host", "3", "--timeout", "5s"]);
    expect(seeds).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
  });

  it.each([
    [5, { robots: "forbidden" }],
    [
      6,
      {
        robots: "unknown",
        problem: expect.stringContaining("robots.txt: not available (the server redirects too often)"),
      },
    ],
  ])("follows robots.txt through %i redirects as the crawl does", async (hops, expected) => {
    const { seed } = await site("User-agent: *\nDisallow: /\n", hops);
    expect((await dryRun([seed, "--delay", "0"])).seeds).toMatchObject([expected]);
  });
});

interface DryRun {
  readonly seeds: readonly object[];
  readonly settings: object;
}

async function dryRun(args: readonly string[]): Promise<DryRun> {
  const folder = new Folder();
  return (await folder.json(["crawl", ...args, "--allow-private", "--dry-run"])) as DryRun;
}

/** A site whose robots.txt stands behind some redirects. */
async function site(
  robots: string,
  redirects = 0,
): Promise<{ seed: string; requests: { path: string; atMs: number }[] }> {
  const requests: { path: string; atMs: number }[] = [];
  const answer = (path: string, response: ServerResponse): void => {
    const hop = path === "/robots.txt" ? 0 : Number(/^\/hop(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (hop < redirects) response.writeHead(302, { location: `/hop${hop + 1}` }).end();
    else response.end(Number.isNaN(hop) ? "<p>hello" : robots);
  };
  const seed = await served((request, response) => {
    requests.push({ path: request.url ?? "", atMs: performance.now() });
    answer(request.url ?? "", response);
  });
  return { seed, requests };
}
