import { describe, expect, it, onTestFinished } from "vitest";
import { launchCrawl, REDIRECTS_MAX, viewOfLog } from "../../src/crawl/index.ts";
import {
  FindingsFacts,
  type FindingsFormat,
  type FindingsSource,
  findingsTable,
  PageLookup,
  tableAsCsv,
  tableAsJsonLines,
} from "../../src/findings/index.ts";
import { asSeen } from "../../src/log/index.ts";
import { createCrawl, type SqliteStore } from "../../src/store/index.ts";
import { InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const SITE = "https://a.example";
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">x</a>`).join("");

const WEB: Readonly<Record<string, Served>> = {
  "/": links("/gone", "/old", "/fine", "/loop", "/teapot", "/nobody", "/secret", "/away", "/copy", "/twin"),
  "/old": { redirect: "/older" },
  "/older": { redirect: "/gone" },
  "/fine": { redirect: "/copy" },
  "/loop": { redirect: "/pool" },
  "/pool": { redirect: "/loop" },
  "/teapot": { status: 418 },
  "/nobody": { failure: "address-refused" },
  "/secret": { status: 403 },
  "/away": { redirect: "https://elsewhere.test/" },
  "/copy": `same ${links("/=1+1", "/gone")}`,
  "/twin": `same ${links("/=1+1", "/gone")}`,
};

async function crawled(web: Readonly<Record<string, Served>>, anchors = false) {
  const settings = inlineSettings([`${SITE}/`], { order: "random:1", anchors, nearDuplicates: true });
  const store: SqliteStore = createCrawl(temporaryDirectory(), JSON.stringify(settings));
  onTestFinished(() => store.close());
  const fetcher = new InlineWeb(({ pathname }) => web[pathname]);
  await (await launchCrawl({ store, settings, fetcher, readers: 0 })).run();
  const facts = new FindingsFacts();
  const { urls, state, links } = viewOfLog(store, facts);
  const source: FindingsSource = {
    site: { urls: urls.urls, state, links, targetOf: (url) => urls.targetOf(url) },
    lookup: new PageLookup(store, state),
    *rows() {
      for (const row of store.pages()) yield asSeen(row, state[row.id]);
    },
    facts,
  };
  const idOf = (path: string) => [...store.pages()].find(({ url }) => url === SITE + path)?.id ?? -1;
  return {
    source,
    idOf,
    csv: (format: FindingsFormat) =>
      [...tableAsCsv(findingsTable(format, source))].join("").replaceAll(SITE, "").trimEnd().split("\r\n"),
    json: (format: FindingsFormat) =>
      [...tableAsJsonLines(findingsTable(format, source))]
        .join("")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
  };
}

/** Which of the two finds the loop closed depends on which was fetched first. */
const LOOPS = ["/loop 302 -> /pool 302 -> /loop", "/loop 302 -> /pool"];

describe("the table of broken links", () => {
  it("has each link that leads to nothing, with its source, its status or failure, and the redirects on the way", async () => {
    const lines = (await crawled(WEB)).csv("broken-links");
    expect(lines[0]).toBe("source,anchor_text,target,status,reason,chain");
    const ofLoop = lines.find((line) => line.startsWith("/,,/loop,302,redirect-loop,"));
    expect(LOOPS).toContain(ofLoop?.split(",").at(-1));
    expect(lines.slice(1).filter((line) => line !== ofLoop)).toEqual([
      "/,,/gone,404,status-404,",
      "/,,/old,404,status-404,/old 302 -> /older 302 -> /gone 404",
      "/,,/teapot,418,failed:status-418,",
      "/,,/nobody,,failed:address-refused,",
      "/,,/secret,403,forbidden:status-403,",
      "/copy,,/=1+1,404,status-404,",
      "/copy,,/gone,404,status-404,",
      "/twin,,/=1+1,404,status-404,",
      "/twin,,/gone,404,status-404,",
    ]);
  });

  it("has the pages in the order of their importance, with their ranks, and chains as lists in JSON", async () => {
    const { source, idOf } = await crawled(WEB);
    const pages = Uint32Array.of(idOf("/twin"), idOf("/"));
    const ranked: FindingsSource = {
      ...source,
      ranking: { pages, rankOf: (id) => ({ place: id === pages[0] ? 1 : 2, low: 0.25, high: 0.5 }) },
    };
    const table = findingsTable("broken-links", ranked);
    expect(table.columns.slice(-3)).toEqual(["rank", "rankLow", "rankHigh"]);
    const [first, second, , old] = [...table.rows()];
    expect([first, second].map(({ source }) => source)).toEqual([`${SITE}/twin`, `${SITE}/twin`]);
    expect(old).toEqual({
      source: `${SITE}/`,
      anchorText: null,
      target: `${SITE}/old`,
      status: 404,
      reason: "status-404",
      chain: [
        { url: `${SITE}/old`, status: 302 },
        { url: `${SITE}/older`, status: 302 },
        { url: `${SITE}/gone`, status: 404 },
      ],
      rank: 2,
      rankLow: 0.25,
      rankHigh: 0.5,
    });
    expect([...tableAsCsv(table)].join("").split("\r\n")[0]).toBe(
      "source,anchor_text,target,status,reason,chain,rank,rank_low,rank_high",
    );
  });

  it("has the text of each link, if the crawl stored it", async () => {
    const front =
      `<a href="/fine">Fine</a><a href="/gone"> Old <b>n</b>ews &amp;\n more</a>` +
      `<a href="/old"><img src="x" alt="A picture"></a><a href="/lost" title="Nothing here"></a><a href="/gone">again</a>`;
    const web = { "/": front, "/fine": `<a href="/gone">seen before</a>`, "/old": { redirect: "/gone" } };
    const texts = async (anchors: boolean) => {
      const rows = (await crawled(web, anchors)).json("broken-links") as {
        target: string;
        anchorText: string | null;
      }[];
      return rows.map(({ target, anchorText }) => [target.replace(SITE, ""), anchorText]);
    };
    expect(await texts(true)).toEqual([
      ["/gone", "Old news & more"],
      ["/old", "A picture"],
      ["/lost", "Nothing here"],
      ["/gone", "seen before"],
    ]);
    expect((await texts(false)).map(([, text]) => text)).toEqual([null, null, null, null]);
  });

  it("is its line of names where nothing is broken, and empty in JSON", async () => {
    const { csv, source } = await crawled({ "/": links("/fine"), "/fine": "" });
    expect(csv("broken-links")).toEqual(["source,anchor_text,target,status,reason,chain"]);
    expect([...tableAsJsonLines(findingsTable("broken-links", source))]).toEqual([]);
  });
});

describe("the table of redirects", () => {
  it("says where each chain ends, that it goes round, or that it leaves the scope", async () => {
    const rows = (await crawled(WEB)).json("redirects") as Record<string, unknown>[];
    const [short, round] = [rows.filter(({ reason }) => reason !== "redirect-loop"), rows.slice()];
    const brief = short.map(({ url, linkedFrom, length, end, state, status, reason }) =>
      [url, linkedFrom, length, end, state, status, reason].map((value) => String(value).replace(SITE, "")).join(" "),
    );
    expect(brief.sort()).toEqual([
      "/away 1 1 null refused 302 out-of-scope:redirect",
      "/fine 1 1 /copy downloaded 200 null",
      "/old 1 2 /gone dead 404 status-404",
      "/older 0 1 /gone dead 404 status-404",
    ]);
    const loops = round.filter(({ reason }) => reason === "redirect-loop");
    expect(loops.map(({ url, end, state }) => [url, end, state])).toEqual([
      [`${SITE}/loop`, null, "dead"],
      [`${SITE}/pool`, null, "dead"],
    ]);
    expect(loops.map(({ length }) => length).sort()).toEqual([1, 2]);
  });

  it("lists a redirect that was not followed because it is one too many", async () => {
    const chain = Array.from({ length: REDIRECTS_MAX + 1 }, (_, k) => `/${k}`);
    const web = Object.fromEntries(chain.map((path, k) => [path, { redirect: `/${k + 1}` }]));
    const rows = (await crawled({ "/": links("/0"), ...web })).json("redirects") as Record<string, unknown>[];
    expect(rows.map(({ url, length, end, reason }) => [url, length, end, reason])).toEqual(
      chain.map((path, k) => [SITE + path, chain.length - k, null, "failed:too-many-redirects"]),
    );
  });
});

describe("the table of duplicates", () => {
  it("has the pages of each group, and how many they are", async () => {
    expect((await crawled(WEB)).csv("duplicates")).toEqual(["group,copies,url,title", "1,2,/copy,", "1,2,/twin,"]);
  });
});

describe("the table of near-duplicates", () => {
  const text = (...edits: [number, string][]) => {
    const words = Array.from({ length: 1000 }, (_, k) => `word${k ** 3 % 1009}`);
    for (const [at, word] of edits) words[at] = word;
    return words.join(" ");
  };
  const web = {
    "/": links("/a", "/b", "/c", "/d", "/e"),
    "/a": `<title>A</title>${text()}`,
    "/b": `<title>A</title>${text([500, "changed"], [100, "other"])}`,
    // An exact copy, which is listed as a duplicate.
    "/c": `<title>A</title>${text()}`,
    "/d": `<title>A</title><b>${text()}</b>`,
    "/e": `<title>E</title>${text().split(" ").toReversed().join(" ")}`,
  };

  it("has the pages of each group with their distance to the first, without exact copies", async () => {
    const { csv, source, idOf } = await crawled(web);
    const [names, ...rows] = csv("near-duplicates");
    expect(names).toBe("group,pages,distance,url,title");
    const distance = source.facts.simhashes.distance(idOf("/a"), idOf("/b"));
    expect(distance).toBeGreaterThan(0);
    expect(distance).toBeLessThanOrEqual(3);
    expect(rows).toEqual(["1,3,0,/a,A", `1,3,${distance},/b,A`, "1,3,0,/d,A"]);
    expect(csv("duplicates").slice(1)).toEqual(["1,2,/a,A", "1,2,/c,A"]);
  });

  it("has ranks where importance is wanted, and the most important page first", async () => {
    const { source, idOf } = await crawled(web);
    const pages = Uint32Array.of(idOf("/d"), idOf("/c"), idOf("/a"));
    const ranking = { pages, rankOf: (id: number) => ({ place: pages.indexOf(id) + 1, low: 0.25, high: 0.5 }) };
    const table = findingsTable("near-duplicates", { ...source, ranking });
    expect(table.columns.slice(-3)).toEqual(["rank", "rankLow", "rankHigh"]);
    expect([...table.rows()].map(({ url, rank }) => [url, rank])).toEqual([
      [`${SITE}/d`, 1],
      [`${SITE}/c`, 2],
    ]);
  });
});
