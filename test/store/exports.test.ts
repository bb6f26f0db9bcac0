import { BLANK_VISIT } from "../../src/log/index.ts";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { ArcsDecoder, decodeBv, encodeArcs, encodeBv, successors } from "../../src/graph/index.ts";
import {
  createCrawl,
  crawlGraph,
  MemoryStore,
  type PageRow,
  pagesAsCsv,
  pagesAsJsonLines,
  pageTable,
} from "../../src/store/index.ts";
import { cases } from "../support/cases.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { sharedPath } from "../support/shared.ts";
import { temporaryDirectory } from "../support/temporary.ts";

function smallCrawl() {
  const store = tellSmallCrawl(createCrawl(temporaryDirectory(), "{}"));
  onTestFinished(() => store.close());
  return store;
}

describe("pages as JSON lines", () => {
  it("have one object per URL, with its final outcome", () => {
    const lines = [...pagesAsJsonLines(pageTable(smallCrawl().pages()))].join("").trimEnd().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as PageRow);
    expect(rows.map(({ url, state }) => [url, state])).toEqual([
      ["https://a.example/", "downloaded"],
      ["https://a.example/moved", "redirected"],
      ["https://a.example/gone", "dead"],
      ["http://b.example:8080/new?x=1", "links-unknown"],
      ["https://a.example/private", "refused"],
      ["https://a.example/later", "waiting"],
      ["https://a.example/loop", "redirected"],
      ["https://a.example/loop2", "redirected"],
    ]);
    expect(rows[1]).toEqual({
      id: 1,
      url: "https://a.example/moved",
      state: "redirected",
      reason: null,
      status: 301,
      depth: 1,
      source: "link",
      contentType: null,
      title: null,
      bytes: 10,
      fetchedAt: "2023-11-14T22:13:20.007Z",
      target: "http://b.example:8080/new?x=1",
      language: null,
      sitemap: null,
      sitemapModified: null,
      robotsTag: null,
      noindex: null,
      noarchive: null,
      usage: null,
    });
    expect(rows[5]).toMatchObject({ status: null, bytes: null, fetchedAt: null });
  });

  it("take importance from the caller", () => {
    const rankOf = (id: number) => (id === 0 ? { place: 1, low: 0.25, high: 0.5 } : undefined);
    const lines = [...pagesAsJsonLines(pageTable(smallCrawl().pages(), { rankOf }))].join("").trimEnd().split("\n");
    expect(lines.slice(0, 2).map((line) => JSON.parse(line) as object)).toMatchObject([
      { id: 0, rank: 1, rankLow: 0.25, rankHigh: 0.5 },
      { id: 1, rank: null, rankLow: null, rankHigh: null },
    ]);
  });

  it("have the text of each page last, where it is wanted", () => {
    const content = { name: "markdown", of: ({ id }: PageRow) => (id === 0 ? "# =Tide" : null) };
    const pages = [...smallCrawl().pages()].slice(0, 2);
    const lines = [...pagesAsJsonLines(pageTable(pages, { content }))].join("").trimEnd().split("\n");
    expect(lines.map((line) => Object.entries(JSON.parse(line) as object).at(-1))).toEqual([
      ["markdown", "# =Tide"],
      ["markdown", null],
    ]);
    const csv = [...pagesAsCsv(pageTable(pages, { content }))].join("").split("\r\n");
    expect(csv.map((line) => line.split(",").at(-1))).toEqual(["markdown", "# =Tide", "", ""]);
  });

  it("come in chunks that do not grow with the crawl", () => {
    const row = [...smallCrawl().pages()][0];
    const chunks = [...pagesAsJsonLines(pageTable(Array.from({ length: 5000 }, () => row)))];
    expect(chunks.length).toBeGreaterThan(10);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(70_000);
    expect(chunks.join("").trimEnd().split("\n")).toHaveLength(5000);
  });
});

describe("pages as CSV", () => {
  it("have a line of names, quotes where needed, and no formula", () => {
    const rankOf = (id: number) => (id === 0 ? { place: 7, low: 1e-7, high: 0.5 } : undefined);
    const lines = [...pagesAsCsv(pageTable(smallCrawl().pages(), { rankOf }))].join("").split("\r\n");
    expect(lines[0]).toBe(
      "id,url,state,reason,status,depth,source,content_type,title,bytes,fetched_at,target,language,sitemap,sitemap_modified,robots_tag,noindex,noarchive,usage,rank,rank_low,rank_high",
    );
    expect(lines[1]).toBe(
      "0,https://a.example/,downloaded,,200,0,seed,text/html,'=cmd|' /C calc'!A0,10,2023-11-14T22:13:20.007Z,,en-GB,,,,,,,7,1e-7,0.5",
    );
    expect(lines[4]).toBe(
      '3,http://b.example:8080/new?x=1,links-unknown,,200,1,link,,"Say ""hi"", you",10,2023-11-14T22:13:20.007Z,,,,,,,,,,,',
    );
    expect(lines[6]).toBe("5,https://a.example/later,waiting,,,1,link,,,,,,,,,,,,,,,");
    expect(lines).toHaveLength(10);
  });

  it("give back every title, whatever it holds, or the title after an apostrophe", () => {
    const [row] = smallCrawl().pages();
    const text = fc.string({ unit: fc.constantFrom(..."a ,;\"'=+-@\t\r\n＝é"), maxLength: 8 });
    fc.assert(
      fc.property(text, (title) => {
        const [, line] = parseCsv([...pagesAsCsv(pageTable([{ ...row, title }]))].join(""));
        expect(line).toHaveLength(19);
        expect(line[8]).toMatch(/^(?![\s\0]*[=+\-@＝])/);
        expect([title, `'${title}`]).toContain(line[8]);
      }),
      { numRuns: cases(1000) },
    );
  });

  const suite = sharedPath("suites/csv-injection.json");
  it.skipIf(suite === undefined)("are inert for every payload of the suite", () => {
    const { payloads } = JSON.parse(readFileSync(suite ?? "", "utf8")) as { payloads: string[] };
    const [row] = smallCrawl().pages();
    expect(payloads.length).toBeGreaterThan(20);
    for (const title of payloads) {
      const [, line] = parseCsv(
        [...pagesAsCsv(pageTable([{ ...row, title, reason: title, contentType: title }]))].join(""),
      );
      for (const cell of [line[3], line[7], line[8]]) {
        expect(cell.endsWith(title)).toBe(true);
        expect("=+-@\t\r\n＝").not.toContain(cell[0]);
      }
    }
  });
});

describe("the graph of a crawl", () => {
  it("has the URLs known as pages and the links as written, without sinks; a redirect is a link", () => {
    const { graph, ids, downloaded, linksToSinks, urls } = crawlGraph(tellSmallCrawl(new MemoryStore()));
    expect(rows(graph)).toEqual([[0, 1, 2, 6], [3], [], [0], [], [], [7], [6]]);
    expect([...ids]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...downloaded]).toEqual([0, 3]);
    expect(linksToSinks).toBe(1);
    expect([...urls()][3]).toBe("http://b.example:8080/new?x=1");
  });

  it("follows redirects on request; the redirect that closes a loop is not followed", () => {
    const { graph, endOf } = crawlGraph(tellSmallCrawl(new MemoryStore()), { redirects: "resolved" });
    // 1 redirects to 3; 6 and 7 redirect to each other, and 7 closed the loop.
    expect(rows(graph)).toEqual([[0, 2, 3, 7], [], [], [0], [], [], [], []]);
    expect([1, 3, 6, 7].map(endOf)).toEqual([3, 3, 7, 7]);
  });

  it("counts on without sinks", () => {
    const store = new MemoryStore();
    store.addOrigin(0, "https://a.example");
    for (const [id, path] of ["/", null, "/x", null, "/y"].entries()) {
      store.addUrl({
        id,
        origin: 0,
        path,
        depth: 0,
        source: "seed",
        discoveredAt: 0,
        reason: path === null ? "nofollow" : null,
      });
    }
    store.addVisit({
      ...BLANK_VISIT,
      number: 1,
      url: 4,
      status: 200,
      links: Uint32Array.of(3, 2, 1, 0),
    });
    const { graph, ids, downloaded, linksToSinks, urls } = crawlGraph(store);
    expect(rows(graph)).toEqual([[], [], [0, 1]]);
    expect([...ids]).toEqual([0, 2, 4]);
    expect([...downloaded]).toEqual([2]);
    expect(linksToSinks).toBe(2);
    expect([...urls()]).toEqual(["https://a.example/", "https://a.example/x", "https://a.example/y"]);
  });

  it("comes back from text arcs and from BV as it was", () => {
    const { graph } = crawlGraph(smallCrawl());
    const decoder = new ArcsDecoder();
    for (const chunk of encodeArcs(graph)) decoder.push(chunk);
    expect(rows(decoder.finish())).toEqual(rows(graph));
    expect(rows(decodeBv(encodeBv(graph)))).toEqual(rows(graph));
  });
});

function rows(graph: ReturnType<typeof crawlGraph>["graph"]): number[][] {
  return Array.from({ length: graph.pages }, (_, page) => [...successors(graph, page)]);
}

/** RFC 4180, by the book. */
function parseCsv(text: string): string[][] {
  const table: string[][] = [];
  let line: string[] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error(`no field at ${field.lastIndex} of ${JSON.stringify(text)}`);
    line.push(match[1].startsWith('"') ? match[1].slice(1, -1).replaceAll('""', '"') : match[1]);
    if (match[2] === ",") continue;
    table.push(line);
    line = [];
  }
  return table;
}
