/** The tools, as the SDK's own client sees them. */
import { describe, expect, it } from "vitest";
import { certifyLog } from "../../src/crawl/index.ts";
import { openCrawl, openCrawlReadOnly } from "../../src/store/index.ts";
import { connected, statusOf, type Web, webText } from "./connected.ts";

const START = "http://a.example/";

const page = (title: string, body: string): string => `<title>${title}</title><main>${body}</main>`;

/** The start links to three pages; one is dead, one is forbidden, one moved to another. */
const WEB: Web = {
  "/": page(
    "Home",
    '<p>All about tides.</p><a href="/moon">moon</a> <a href="/sun">sun</a> <a href="/gone">x</a> <a href="/old">x</a>',
  ),
  "/moon": page("The moon", '<p>The moon pulls the sea.</p><a href="/">home</a>'),
  "/sun": page("The sun", '<p>The sun pulls less.</p><a href="/">home</a><a href="/moon">moon</a>'),
  "/old": { redirect: "/sun" },
  "/photo": { body: new Uint8Array([1, 2, 3]), headers: { "content-type": "image/png" } },
};

describe("an MCP client", () => {
  it("sees seven tools, each with a schema, and which of them only read", async () => {
    const { client } = await connected(WEB);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["crawl", "status", "map", "read", "search", "pack", "coverage"]);
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(["crawl"]);
    for (const { inputSchema, description } of tools) {
      expect(inputSchema.type).toBe("object");
      expect(description?.length).toBeGreaterThan(50);
    }
    const structured = tools.filter(({ outputSchema }) => outputSchema !== undefined);
    expect(structured.map(({ name }) => name)).toEqual(["crawl", "status", "coverage"]);
    const untrusted = tools.filter(({ description }) => description?.includes("untrusted content"));
    expect(untrusted.map(({ name }) => name)).toEqual(["map", "read", "search", "pack"]);
    expect(client.getInstructions()).toMatch(/untrusted/);
  });

  it("crawls, follows the crawl, and reads what was fetched", async () => {
    const { crawled, document, text } = await connected(WEB);
    const name = await crawled({ urls: [START], coverage: 1 });
    expect(name).toBe("a.example");
    const view = await statusOf(document, name);
    expect(view).toMatchObject({ state: "finished", pages: 3, coverage: 1, target: 1, startUrls: [START] });

    const map = webText(await text("map", { name })).split("\n");
    expect(map[0]).toBe("rank\timportance at least\tstate\tURL\ttitle");
    const rows = map.slice(1).map((line) => line.split("\t"));
    expect(rows.map(([rank]) => rank).slice(0, 3)).toEqual(["1", "2", "3"]);
    expect(rows.map(([, , state, url]) => [url, state]).sort()).toEqual([
      ["http://a.example/", "downloaded"],
      ["http://a.example/gone", "dead"],
      ["http://a.example/moon", "downloaded"],
      ["http://a.example/old", "redirected"],
      ["http://a.example/sun", "downloaded"],
    ]);
    const shares = rows.map(([, share]) => Number(share));
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    expect(shares[0]).toBeGreaterThan(0.3);
    const fetched = webText(await text("map", { name, fetchedOnly: true, limit: 2 }));
    expect(fetched.split("\n")).toHaveLength(3);

    expect(webText(await text("read", { name, url: `${START}moon` }))).toContain("The moon pulls the sea.");
    expect(webText(await text("read", { name, url: "http://a.example/old" }))).toContain("The sun pulls less.");
    const found = webText(await text("search", { name, words: "moon sea" }));
    expect(found).toMatch(/^1\. The moon\nhttp:\/\/a\.example\/moon\nimportance at least 0\.\d+\n/);
    expect(await text("search", { name, words: "volcano" })).toMatch(/No page matches/);
    const pack = await text("pack", { name, tokens: 2000 });
    expect(pack).toMatch(/^3 pages, \d+ tokens; they hold at least 100\.00%/);
    expect(webText(pack)).toContain("The sun pulls less.");
  });

  it("is told the coverage that the log proves, and what is missing by reason", async () => {
    const { crawled, document, root } = await connected(WEB);
    const name = await crawled({ urls: [START], name: "partly", maxPages: 2 });
    expect(await statusOf(document, name)).toMatchObject({ state: "stopped", pages: 2 });
    const coverage = await document<Record<string, unknown>>("coverage", { name });
    const store = openCrawlReadOnly(`${root}/partly`);
    const { certificate, ceiling, missing } = certifyLog(store);
    store.close();
    expect(certificate.coverage).toBeGreaterThan(0.2);
    expect(coverage["proven"]).toBeLessThanOrEqual(certificate.coverage);
    expect(coverage["proven"]).toBeCloseTo(certificate.coverage, 5);
    expect(coverage["strict"]).toBeCloseTo(certificate.strict, 5);
    expect(coverage["ceiling"]).toBeGreaterThanOrEqual(ceiling.coverage);
    const said = coverage["missing"] as { reason: string; share: number }[];
    expect(said.map(({ reason }) => reason)).toEqual(missing.map(({ reason }) => reason));
    expect(said.find(({ reason }) => reason === "not-fetched")?.share).toBeGreaterThan(0);
    for (const [k, { share }] of said.entries()) expect(share).toBeGreaterThanOrEqual(missing[k].mass - 1e-9);
  });

  it("resumes a crawl by its name, also one of a server that is gone", async () => {
    const first = await connected(WEB);
    const name = await first.crawled({ urls: [START], maxPages: 1 });
    await first.close();
    const { document, crawled, text, requested } = await connected(WEB, { root: first.root });
    const { crawls } = await document<{ crawls: { name: string; state: string }[] }>("status");
    expect(crawls).toMatchObject([{ name, state: "stopped", pages: 1 }]);
    expect(await document("crawl", { name, maxPages: 10 })).toMatchObject({ name, resumed: true });
    await expect.poll(async () => (await statusOf(document, name)).pages).toBe(3);
    expect(requested).not.toContain(START);
    // The same URLs without a name are the same crawl, others are another.
    expect(await crawled({ urls: [START] })).toBe(name);
    expect(await crawled({ urls: [`${START}moon`], scope: "page" })).toBe("a.example-2");
    expect(webText(await text("map", { name: "a.example-2" }))).toContain("The moon");
  });

  it("follows a crawl that was cut off by a kill, and resumes it", async () => {
    const first = await connected(WEB);
    const name = await first.crawled({ urls: [START], maxPages: 1 });
    await first.close();
    // A crawl that is killed has no end in its log.
    const store = openCrawl(`${first.root}/${name}`);
    store.putMeta("end", undefined);
    store.close();
    const { document, crawled } = await connected(WEB, { root: first.root });
    const view = await statusOf(document, name);
    expect(view).toMatchObject({ state: "stopped" });
    expect(view.why).toMatch(/cut off.*Call crawl with this name/);
    await crawled({ name, maxPages: 100 });
    expect(await statusOf(document, name)).toMatchObject({ state: "finished", pages: 3 });
  });

  it("reads what is stored of a crawl while it runs, here or in another process", async () => {
    const web: Record<string, string> = {};
    for (let k = 0; k < 500; k++) web[`/${k}`] = page(`Page ${k}`, `Number ${k}. <a href="/${k + 1}">next</a>`);
    const { document, text, root, close } = await connected(web, { settings: { delay: 20 } });
    await document("crawl", { urls: ["http://a.example/0"], name: "here" });
    await expect.poll(async () => (await statusOf(document, "here")).pages).toBeGreaterThan(2);
    expect(webText(await text("map", { name: "here", fetchedOnly: true }))).toContain("http://a.example/1\tPage 1");
    expect(webText(await text("read", { name: "here", url: "http://a.example/1" }))).toContain("Number 1.");
    expect(webText(await text("search", { name: "here", words: "number" }))).toContain("http://a.example/1\n");
    expect(await document("coverage", { name: "here" })).toMatchObject({ ceiling: 1 });
    expect(await statusOf(document, "here")).toMatchObject({ state: "running" });
    await close();

    const store = openCrawl(`${root}/here`);
    const other = await connected(web, { root });
    expect(await statusOf(other.document, "here")).toMatchObject({ state: "elsewhere" });
    expect(webText(await other.text("read", { name: "here", url: "http://a.example/1" }))).toContain("Number 1.");
    expect(await other.error("crawl", { name: "here" })).toMatch(/^here is in use by process \d+/);
    store.close();
  });

  it("gets no page whose owner forbids models to use it, unless the operator says so", async () => {
    const web: Web = {
      "/": page("Home", '<a href="/no">x</a>'),
      "/no": {
        body: "<p>Not for models.</p>",
        headers: { "content-type": "text/html", "content-usage": "ai-use=n" },
      },
    };
    for (const [settings, pages] of [
      [{}, 1],
      [{ purpose: "none" as const }, 2],
    ] as const) {
      const { crawled, document } = await connected(web, { settings });
      expect((await statusOf(document, await crawled({ urls: [START] }))).pages).toBe(pages);
    }
  });

  it("stops crawls in order when the server closes", async () => {
    const web: Record<string, string> = {};
    for (let k = 0; k < 300; k++) web[`/${k}`] = page(`Page ${k}`, `<a href="/${k + 1}">next</a>`);
    const first = await connected(web, { settings: { delay: 20 } });
    const { name } = await first.document<{ name: string }>("crawl", { urls: ["http://a.example/0"] });
    await expect.poll(() => first.requested.length).toBeGreaterThan(5);
    await first.close();
    const { document } = await connected(web, { root: first.root });
    const view = await statusOf(document, name);
    expect(view.state).toBe("stopped");
    expect(view.pages).toBeGreaterThan(3);
    expect(view.pages).toBeLessThan(300);
  });
});
