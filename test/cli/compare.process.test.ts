import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCrawl } from "../../src/store/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { makeCrawl, reportSettings, type ToldPage } from "../report/report-crawl.ts";
import { CallFolder } from "./call.ts";
import { Folder } from "./run.ts";
import { served } from "./sites.ts";

interface Listed {
  readonly url: string;
  readonly a: { readonly state: string; readonly target: string | null; readonly rank: number | null } | null;
  readonly b: { readonly state: string; readonly target: string | null; readonly rank: number | null } | null;
}

interface Document {
  readonly a: { readonly pages: number; readonly coverage: number; readonly end: string };
  readonly b: { readonly pages: number; readonly coverage: number; readonly end: string };
  readonly common: number;
  readonly isContentComparable: boolean;
  readonly differences: readonly { readonly setting: string }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly notFetched: Readonly<Record<string, number>>;
  readonly moved: { readonly up: number; readonly down: number; readonly pages: readonly Listed[] };
  readonly titles: readonly Listed[];
  readonly pages: Readonly<Record<string, readonly Listed[]>>;
}

const compared = (folder: Folder, ...args: string[]) => folder.json(["compare", ...args]) as Promise<Document>;

/** Those above 0. */
function counted({ counts }: Document): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

const pathsOf = (pages: readonly Listed[]): string[] => pages.map(({ url }) => new URL(url).pathname).sort();

/** A site before and after: paths with their HTML, a status, or a redirect. */
type Site = Readonly<Record<string, string | number | { readonly to: string }>>;

const home = (...paths: string[]): string =>
  `<title>Home</title>${paths.map((path) => `<a href="${path}">x</a>`).join("")}`;

it("tells what has changed between two crawls of a site, each with a hash seed of its own", async () => {
  const links = home("/same", "/edited", "/retitled", "/removed", "/moved", "/locked", "/back", "/late", "/target");
  const before: Site = {
    "/": links,
    "/same": "as ever",
    "/edited": "one",
    "/retitled": "<title>Old</title>",
    "/removed": "soon no more",
    "/moved": "here",
    "/locked": "open",
    "/back": 404,
    "/target": "there",
  };
  const after: Site = {
    ...before,
    "/": `${links}<a href="/fresh">new</a>`,
    "/edited": "two",
    "/retitled": "<title>New</title>",
    "/removed": 410,
    "/moved": { to: "/target" },
    "/locked": 403,
    "/back": "again",
    "/fresh": "hello",
  };
  let site = before;
  const url = await served(({ url: path = "" }, response) => {
    const found = site[path] ?? 404;
    if (typeof found === "number") response.writeHead(found).end();
    else if (typeof found === "object") response.writeHead(301, { location: found.to }).end();
    else response.writeHead(200, { "content-type": "text/html" }).end(found);
  });
  const folder = new CallFolder();
  const crawl = (dir: string) => folder.run(["crawl", url, "--dir", dir, "--delay", "0", "--allow-private"]);
  expect((await crawl("a")).code).toBe(0);
  site = after;
  expect((await crawl("b")).code).toBe(0);
  const document = await compared(folder, "a", "b");
  expect(document.isContentComparable).toBe(true);
  expect(document.differences).toEqual([]);
  const { moved, ...others } = counted(document);
  expect(moved).toBe(document.moved.up + document.moved.down);
  expect(others).toEqual({
    changed: 3,
    gone: 1,
    redirected: 1,
    failing: 1,
    recovered: 1,
    new: 1,
    unchanged: 2,
    "title-changed": 1,
  });
  const { pages, titles } = document;
  expect(pathsOf(pages["changed"])).toEqual(["/", "/edited", "/retitled"]);
  expect(pathsOf([...pages["gone"], ...pages["failing"], ...pages["recovered"], ...pages["new"]])).toEqual([
    "/back",
    "/fresh",
    "/locked",
    "/removed",
  ]);
  expect(pages["redirected"][0].b).toMatchObject({ state: "redirected", target: new URL("/target", url).href });
  expect(pathsOf(titles)).toEqual(["/retitled"]);
  // Nine links became ten: each page that stayed has less, with a certainty that a whole crawl gives.
  expect(document.moved.down).toBeGreaterThan(0);
  const text = await folder.run(["compare", "a", "b", "--out", "changes.html"]);
  expect(text.stdout).toContain("Gone. Downloaded in A. In B they do not exist");
  expect(text.stdout).toMatch(/responds with 410 \(gone\)\s+http:\/\/127\.0\.0\.1:\d+\/removed\n/);
  expect(text.stdout).toMatch(/\nchanges\.html: \d+\.\d KB\n$/);
  expect(readFileSync(folder.at("changes.html"), "utf8")).toContain("Gone: 1</h2>");
});

const LINKS = [1, 2, 3, 4];
const page = (path: string, more: Partial<ToldPage> = {}): ToldPage => ({ path, outcome: "downloaded", ...more });
const SHARED = { ...reportSettings(), web: { ...reportSettings().web, digestSeed: 0 } };

/** Two directories in a folder of their own. */
function twoCrawls(a: readonly ToldPage[], b: readonly ToldPage[], options: Parameters<typeof makeCrawl>[2] = {}) {
  const folder = new Folder();
  makeCrawl(folder.at("a"), a, { settings: SHARED });
  makeCrawl(folder.at("b"), b, { settings: SHARED, ...options });
  return folder;
}

it("never calls gone what B did not fetch, and never new what A knew", async () => {
  const folder = twoCrawls(
    [page("/", { links: LINKS }), page("/a"), page("/b"), page("/c"), { path: "/waiting" }],
    [
      page("/", { links: LINKS }),
      { path: "/a" },
      { path: "/b", outcome: "refused", reason: "robots" },
      page("/waiting"),
      page("/new"),
    ],
  );
  const document = await compared(folder, "a", "b");
  const { moved: _, ...counts } = counted(document);
  expect(counts).toEqual({ unchanged: 1, "not-fetched": 3, "first-fetched": 1, new: 1 });
  expect(document.notFetched).toMatchObject({ waiting: 1, robots: 1, "not-discovered": 1 });
  expect(document.pages["not-fetched"].map(({ b }) => b?.state ?? "unknown").sort()).toEqual([
    "refused",
    "unknown",
    "waiting",
  ]);
  const { stdout } = await folder.run(["compare", "a", "b"]);
  expect(stdout).toContain("1 not discovered, 1 waiting to be fetched, 1 forbidden by robots.txt in B.");
});

it("knows of changes that version 0.1 noted when it read pages again, and forgets no page that stayed", async () => {
  const pages = [page("/", { links: LINKS, digest: 1 }), ...LINKS.map((n) => page(`/${n}`, { digest: n, title: "T" }))];
  const folder = twoCrawls(pages, pages, {
    rereads: [
      { url: 1, outcome: "changed", digest: new Uint8Array(8).fill(99) },
      { url: 2, outcome: "gone", status: 404, reason: "status-404" },
      { url: 3, outcome: "moved", status: 301, target: "http://site.test/else" },
      { url: 4, outcome: "failed", reason: "connect-refused" },
    ],
  });
  const document = await compared(folder, "a", "b");
  expect(counted(document)).toEqual({ unchanged: 4, changed: 1 });
});

it("does not compare digests of crawls with seeds of their own, nor of bodies that were cut off", async () => {
  const pages = [page("/", { digest: 1, links: [1] }), page("/1", { digest: 2 })];
  const settings = (hashSeed: number) => ({ ...reportSettings(), web: { ...reportSettings().web, hashSeed } });
  const folder = new CallFolder();
  makeCrawl(folder.at("a"), pages, { settings: settings(5) });
  makeCrawl(folder.at("b"), pages, { settings: settings(6) });
  const document = await compared(folder, "a", "b");
  expect(document.isContentComparable).toBe(false);
  expect(counted(document)).toEqual({ "content-unknown": 2 });
  expect((await folder.run(["compare", "a", "b"])).stdout).toContain("Note: Contents cannot be compared");
  const cut = [pages[0], { ...pages[1], outcome: "links-unknown" as const, reason: "cut-off", digest: 3 }];
  const { moved: _, ...counts } = counted(await compared(twoCrawls(pages, cut), "a", "b"));
  expect(counts).toEqual({ unchanged: 1, "content-unknown": 1 });
});

it("calls no change of importance certain where importance was measured in another way", async () => {
  const pages = [page("/", { links: [1, 2] }), page("/1", { links: [2] }), page("/2")];
  const folder = twoCrawls(pages, pages, { settings: { ...SHARED, damping: 0.5 } });
  const document = await compared(folder, "a", "b");
  expect(document.differences).toMatchObject([{ setting: "damping", a: "0.85", b: "0.5", aspects: ["importance"] }]);
  expect(document.moved).toMatchObject({ up: 0, down: 0, possible: 3 });
  const { stdout } = await folder.run(["compare", "a", "b"]);
  expect(stdout).toContain("  damping: 0.85 in A, 0.5 in B (shares of importance cannot be compared)\n");
});

it("reads a crawl that is being written, and one of the first version", async () => {
  const pages = [page("/", { links: LINKS, digest: 1 }), page("/1", { digest: 2 })];
  const folder = twoCrawls(pages, pages);
  const database = openDatabase(join(folder.at("a"), "crawl.sqlite"), { access: "write" });
  database.exec("DROP TABLE cuts; DROP TABLE rounds; DROP TABLE looks; ALTER TABLE visits DROP COLUMN value");
  database.exec("DROP TABLE rereads; DROP TABLE reread_outcomes; DROP TABLE received; PRAGMA user_version = 1");
  database.close();
  const running = openCrawl(folder.at("b"));
  try {
    const document = await compared(folder, "a", "b");
    expect(document.b.end).toBe("running");
    expect(counted(document)).toEqual({ unchanged: 2 });
    expect((await folder.run(["compare", "a", "b"])).stdout).toContain("Note: B is still running");
  } finally {
    running.close();
  }
});

it("lists as many pages as wanted, and says how many more there are", async () => {
  const pages = [page("/", { links: LINKS }), ...LINKS.map((n) => page(`/${n}`))];
  const folder = twoCrawls([page("/", { links: [] })], pages);
  const document = await compared(folder, "a", "b", "--top", "2");
  expect([document.counts["new"], document.pages["new"].length]).toEqual([4, 2]);
  const { stdout } = await folder.run(["compare", "a", "b", "--top", "3"]);
  expect(stdout).toContain("and 1 more page\n");
});

it("shows what pages say as text, in the terminal and on the page", async () => {
  const title = (text: string) => [page("/", { title: text, digest: 1 })];
  const folder = twoCrawls(title("calm"), title("<script>alert(1)</script>\u001b[31m\u202e"));
  const { stdout } = await folder.run(["compare", "a", "b"]);
  expect(stdout).toContain("<script>alert(1)</script>\ufffd[31m\ufffd");
  expect(stdout).not.toContain("\u001b");
  expect(stdout).not.toContain("\u202e");
  const html = (await folder.run(["compare", "a", "b", "--out", "-", "--title", "Tea & <b>"])).stdout;
  expect(html).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  expect(html).toContain("<h1>Tea &amp; &lt;b&gt;</h1>");
  expect(html).toContain("&lt;script&gt;alert(1)");
  expect(html).not.toContain("<script>alert");
});

it("says so if the crawls have nothing in common, or nothing at all", async () => {
  const apart = twoCrawls([page("/")], [page("/other")]);
  expect((await apart.run(["compare", "a", "b"])).stdout).toContain("Note: The crawls have no URL in common.");
  expect(counted(await compared(twoCrawls([], []), "a", "b"))).toEqual({});
});

it.each([
  [["a"], /missing required argument 'B'/],
  [["a", "a"], /a and a are the same directory; expected the directories of two crawls/],
  [["a", "./x/../a"], /are the same directory/],
  [["a", "nowhere"], /nowhere does not exist; expected the directory of a crawl/],
  [["x", "a"], /x is not a crawl directory: it has no crawl\.sqlite/],
  [["a", "run.json"], /run\.json is a file; expected the directory of a crawl \(tidemark report shows simulations\)/],
  [["a", "b", "--top", "0"], /--top/],
  [["a", "b", "--json", "--out", "-"], /--json prints its answer on standard output/],
  [["a", "b", "--title", "x"], /--title is for the page: give --out FILE as well/],
  [["a", "b", "--out", "no/such/page.html"], /no\/such/],
])("refuses %j with exit code 2", async (args, message) => {
  const folder = new CallFolder({ "run.json": "{}" });
  makeCrawl(folder.at("a"), [page("/")]);
  cpSync(folder.at("a"), folder.at("b"), { recursive: true });
  mkdirSync(folder.at("x"));
  const { code, stderr, stdout } = await folder.run(["compare", ...args]);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, ""]);
});
