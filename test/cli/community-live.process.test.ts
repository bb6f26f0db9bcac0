/** `tidemark community DIR --live`, on a web of many hosts that the test serves: finished, killed, interrupted. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { Random } from "../../src/base/index.ts";
import { restrictedTo } from "../../src/community/index.ts";
import { l1Distance, pagerank } from "../../src/rank/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { CallFolder } from "./call.ts";
import { type Folder, MAIN, outcomeOf } from "./run.ts";

const PAGES = 600;
const HOSTS = 12;
const DELAY_MS = 20;
/** Pages 0, 12, 24, ...: 50 of them. */
const OWN = 0;

const hostOf = (page: number): number => page % HOSTS;
const urlOf = (page: number): string => `http://h${hostOf(page)}.live.test/p${page}`;
const isOwn = (page: number): boolean => hostOf(page) === OWN;

/** Links to pages with small numbers, mostly of the same host. Every seventh page outside is dead. */
function linksOf(page: number): number[] {
  const random = new Random(page, 9);
  const links = Array.from({ length: 8 }, (_, k) => {
    const target = Math.floor(PAGES * random.float() ** 3);
    return k < 4 ? target - hostOf(target) + hostOf(page) : target;
  });
  return [...new Set(links)].filter((target) => target !== page && target < PAGES);
}
const isDead = (page: number): boolean => !isOwn(page) && page % 7 === 3;
/** robots.txt of this host forbids all. */
const FORBIDDEN = 5;

interface LiveWeb {
  readonly resolve: string;
  /** Host and path of each request, and when it came. */
  readonly requests: { readonly host: string; readonly path: string; readonly atMs: number }[];
  /** Pages that are gone now, besides those that were dead from the start. */
  isGone: (page: number) => boolean;
}

async function serve(): Promise<LiveWeb> {
  const requests: LiveWeb["requests"] = [];
  const web: LiveWeb = { resolve: "", requests, isGone: () => false };
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const path = request.url ?? "/";
    requests.push({ host, path, atMs: performance.now() });
    const page = Number(/^\/p(\d+)$/.exec(path)?.[1] ?? -1);
    if (path === "/robots.txt" && host === `h${FORBIDDEN}.live.test`) {
      response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /");
    } else if (page < 0 || page >= PAGES || isDead(page) || web.isGone(page)) response.writeHead(404).end();
    else {
      const links = linksOf(page).map((target) => `<a href="${urlOf(target)}">${target}</a>`);
      response.writeHead(200, { "content-type": "text/html" }).end(`<title>${page}</title>${links.join(" ")}`);
    }
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(web, { resolve: `*.live.test:127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** A crawl of h0.live.test in the directory `own`. */
async function ownSite(web: LiveWeb, options: readonly string[] = ["--store", "html"]): Promise<Folder> {
  const own = Array.from({ length: PAGES }, (_, page) => page).filter(isOwn);
  const folder = new CallFolder({ seeds: own.map((page) => `${urlOf(page)}\n`).join("") });
  const manners = ["--delay", String(DELAY_MS), "--per-address", "64", "--allow-private", "--resolve", web.resolve];
  const { code, stderr } = await folder.run(["crawl", "--seed-file", "seeds", "--dir", "own", ...manners, ...options]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  web.requests.length = 0;
  return folder;
}

const LIVE = ["community", "own", "--live", "--rounds", "6", "--pages", "10"];

interface Answer {
  readonly local: number;
  readonly crawled: number;
  readonly tried: number;
  readonly lost: Readonly<Record<string, number>>;
  readonly rounds: readonly { readonly crawled: number | null; readonly tried: number }[];
  readonly ranks: readonly { readonly url: string; readonly local: number; readonly global: number }[];
}

/** Of the lines of `--out`: URL, local rank, estimate, bounds. */
function linesOf(folder: Folder) {
  const lines = readFileSync(folder.at("ranks.tsv"), "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [, local, estimate, low, high, url] = line.split("\t");
    return { page: Number(url.split("/p")[1]), values: [local, estimate, low, high].map(Number) };
  });
}

describe("community --live", () => {
  it("fetches politely what matters most, and comes closer to the global rank than the local rank is", async () => {
    const web = await serve();
    const folder = await ownSite(web);
    const answer = (await folder.json([...LIVE, "--out", "ranks.tsv", "--top", "50"])) as Answer;
    expect(answer).toMatchObject({ local: 50, crawled: 60, wanted: 60, interrupted: false, dir: "own-community" });
    expect(answer.rounds.at(-1)?.crawled).toBe(60);
    expect(answer.tried - answer.crawled).toBe(Object.values(answer.lost).reduce((sum, count) => sum + count, 0));
    expect(answer.lost).toMatchObject({ dead: expect.any(Number), robots: expect.any(Number) });
    // No page of the site again, none that is forbidden, nothing twice, and no host more often than it may be asked.
    const pages = web.requests.filter(({ path }) => path !== "/robots.txt");
    expect(pages.length).toBe(answer.tried - (answer.lost["robots"] ?? 0));
    expect(new Set(pages.map(({ host, path }) => host + path)).size).toBe(pages.length);
    for (let host = 0; host < HOSTS; host++) {
      const ofHost = pages.filter((request) => request.host === `h${host}.live.test`);
      if (host === OWN || host === FORBIDDEN) expect(ofHost).toEqual([]);
      for (let k = 1; k < ofHost.length; k++) {
        expect(ofHost[k].atMs - ofHost[k - 1].atMs).toBeGreaterThan(DELAY_MS - 5);
      }
    }
    const arcs = Array.from({ length: PAGES }, (_, page) => page)
      .filter((page) => !isDead(page))
      .flatMap((page) => linksOf(page).map((target) => [page, target] as const));
    const lines = linesOf(folder);
    const local = Uint32Array.from(lines, ({ page }) => page);
    const truth = restrictedTo(local, pagerank(graphOf(arcs, PAGES), { dangling: "uniform" }).ranks);
    const column = (k: number) => Float64Array.from(lines, ({ values }) => values[k]);
    expect(l1Distance(column(1), truth)).toBeLessThan(0.9 * l1Distance(column(0), truth));
    for (const { values } of lines) expect(values[2]).toBeLessThanOrEqual(values[3]);
    // It is a crawl like any other.
    const { top } = (await folder.json(["rank", "own-community"])) as { top: { low?: number }[] };
    expect(top[0].low).toBeGreaterThan(0);
    // Once more: nothing is left to fetch, and the answer is the same.
    web.requests.length = 0;
    const again = (await folder.json(["community", "own", "--live"])) as Answer;
    expect(again).toMatchObject({ crawled: 60, tried: answer.tried, rounds: answer.rounds });
    expect(web.requests).toEqual([]);
    const more = (await folder.json(["community", "own", "--live", "--rounds", "7"])) as Answer;
    expect(more.crawled).toBe(70);
  });

  it("answers people: ranks, bounds, and what was not had", async () => {
    const folder = await ownSite(await serve());
    const { code, stdout } = await folder.run([...LIVE, "--select", "leak", "--top", "3"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^page +local rank +estimated global +at least +at most +url\n/);
    expect(stdout).toMatch(/60 pages of 60 outside the community fetched in \d+ rounds, \d+ URLs tried; not had: /);
    expect(stdout).toContain("Give more --rounds to go on. The pages are in own-community.");
  });

  it("says that the tries ran out, and goes on with more rounds", async () => {
    const web = await serve();
    const folder = await ownSite(web);
    web.isGone = (page) => page % 5 !== 0;
    const live = ["community", "own", "--live", "--pages", "5", "--select", "leak"];
    const { code, stdout } = await folder.run([...live, "--rounds", "2"]);
    expect(stdout).toMatch(/\d pages? of 10 outside the community fetched in \d+ rounds, 20 URLs tried; not had: /);
    expect(stdout).toContain("Too many URLs could not be had; give more --rounds to go on. The pages are in own-");
    expect(code).toBe(0);
    const { tried } = (await folder.json([...live, "--rounds", "3"])) as Answer;
    expect(tried).toBe(30);
  });

  it("says what to do where no page of the site can be had again", async () => {
    const web = await serve();
    const folder = await ownSite(web, []);
    web.isGone = () => true;
    const { code, stdout, stderr } = await folder.run([...LIVE, "--again"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("no page of the community could be fetched: there is nothing to rank; `tidemark coverage");
    const reasons = await folder.run(["coverage", "own-community"]);
    expect([reasons.code, reasons.stdout]).toEqual([0, expect.stringContaining("Dead links  100.00%")]);
  });

  it("goes on where it was when it is killed, and fetches nothing that is stored again", async () => {
    const web = await serve();
    const folder = await ownSite(web);
    const child = folder.start(process.execPath, [MAIN, ...LIVE]);
    const ended = outcomeOf(child);
    await until(() => web.requests.length > 30);
    child.kill("SIGKILL");
    await ended;
    const { rounds } = JSON.parse(readFileSync(folder.at("own-community/community.json"), "utf8")) as {
      rounds: { chosen: string[] }[];
    };
    expect(rounds.length).toBeGreaterThan(0);
    const exported = await folder.run(["export", "own-community", "--format", "jsonl", "--out", "-"]);
    const stored = new Set(
      exported.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { url: string; state: string })
        .filter(({ state }) => state === "downloaded")
        .map(({ url }) => url),
    );
    web.requests.length = 0;
    const answer = (await folder.json(LIVE)) as Answer;
    expect(answer.crawled).toBe(60);
    for (const { host, path } of web.requests) expect(stored).not.toContain(`http://${host}${path}`);
    const after = JSON.parse(readFileSync(folder.at("own-community/community.json"), "utf8")) as {
      rounds: { chosen: string[] }[];
    };
    expect(after.rounds.slice(0, rounds.length).map(({ chosen }) => chosen)).toEqual(
      rounds.map(({ chosen }) => chosen),
    );
  });

  it("stops at Ctrl-C with what it has, and goes on with the same command", async () => {
    const web = await serve();
    const folder = await ownSite(web);
    const child = folder.start(process.execPath, [MAIN, ...LIVE, "--json"]);
    const ended = outcomeOf(child);
    await until(() => web.requests.length > 30);
    child.kill("SIGINT");
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const partly = JSON.parse(stdout) as Answer;
    expect(partly).toMatchObject({ interrupted: true, local: 50 });
    expect(partly.crawled).toBeLessThan(60);
    expect(((await folder.json(LIVE)) as Answer).crawled).toBe(60);
  });

  it("asks for stored pages, or fetches the site again where the user wants that", async () => {
    const web = await serve();
    const folder = await ownSite(web, []);
    const { code, stderr } = await folder.run(LIVE);
    expect(code).toBe(2);
    expect(stderr).toContain("crawl with --store html or --warc (or --scope any), or give --again");
    expect(folder.names()).toEqual(["own", "seeds"]);
    const answer = (await folder.json([...LIVE, "--again"])) as Answer;
    expect(answer).toMatchObject({ local: 50, crawled: 60 });
    const own = web.requests.filter(({ host }) => host === "h0.live.test").map(({ path }) => path);
    expect(own.filter((path) => path !== "/robots.txt").length).toBe(50);
  });

  it("takes one host of a wider crawl for the community", async () => {
    const web = await serve();
    const folder = await ownSite(web, ["--scope", "domain", "--max-pages", "200", "--store", "html"]);
    const args = ["community", "own", "--live", "--local", "host:h0.live.test", "--rounds", "2", "--pages", "5"];
    const answer = (await folder.json([...args, "--dir", "around"])) as Answer;
    expect(answer).toMatchObject({ wanted: 10, dir: "around" });
    // What the wider crawl left depends on its speed. Where that is often dead or forbidden, the tries may run out.
    expect([answer.crawled === 10, answer.tried === 20]).toContain(true);
    expect(answer.crawled).toBeGreaterThan(0);
    expect(answer.ranks.every(({ url }) => url.startsWith("http://h0.live.test/"))).toBe(true);
    expect(web.requests.filter(({ host, path }) => host === "h0.live.test" && path !== "/robots.txt")).toEqual([]);
    const other = await folder.run([...args.slice(0, 3), "--dir", "around", "--local", "host:h1.live.test"]);
    expect(other.stderr).toContain("was begun with --local host:h0.live.test, which cannot be changed");
  });

  it("refuses what makes no sense, and creates nothing", async () => {
    const folder = await ownSite(await serve());
    await folder.run(["graph", "generate", "--pages", "10", "--out", "web.arcs"]);
    const names = folder.names();
    const mistakes: readonly (readonly [args: readonly string[], message: string])[] = [
      [["own", "--live", "--pages", "0"], "whole number of at least 1"],
      [["own", "--live", "--rounds", "0"], "whole number of at least 1"],
      [["own", "--live", "--scores"], "cannot be used with"],
      [["own", "--live", "--next", "x"], "cannot be used with"],
      [["own", "--live", "--full-degrees"], "leave out --full-degrees"],
      [["own", "--live", "--local", "host:h1.live.test"], 'no page is on the host "h1.live.test"'],
      [["own", "--live", "--select", "best"], "unknown selection method"],
      [["own", "--live", "--dir", "own"], "that --live did not make"],
      [["web.arcs", "--live"], "--live is for a crawl; web.arcs is none"],
      [["own", "--local", "host:h0.live.test", "--again"], "--again is about fetching: give --live as well"],
      [["own", "--local", "host:h0.live.test", "--dir", "x"], "--dir is about fetching: give --live as well"],
      [["own"], "'--local <what>' not specified"],
    ];
    for (const [args, message] of mistakes) {
      const { code, stdout, stderr } = await folder.run(["community", ...args]);
      expect(stderr).toContain(message);
      expect([code, stdout, folder.names()]).toEqual([2, "", names]);
    }
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}
