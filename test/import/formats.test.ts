/** What each format says, and what it does not say. */
import { gzipSync, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { importFiles, rawRecord, warcRecord } from "./importing.ts";

const A = "https://a.example/";

describe("a WARC file", () => {
  it("has pages, redirects, dead and failing URLs as a crawl has them; what is only linked waits", async () => {
    const { outcomes, known, linksOf, result } = await importFiles(
      {
        "crawl.warc": Buffer.concat([
          rawRecord({ "WARC-Type": "warcinfo" }, Buffer.from("software: other\r\n")),
          warcRecord({ url: `${A}robots.txt`, headers: { "Content-Type": "text/plain" }, body: "User-agent: *" }),
          warcRecord({
            url: A,
            body: '<a href="b">b</a> <a href="moved">m</a> <a rel=nofollow href="n">n</a><a href=c>',
          }),
          warcRecord({ type: "request", url: A }),
          warcRecord({ url: `${A}b`, body: '<a href="https://b.example/">' }),
          warcRecord({ url: `${A}moved`, status: 301, headers: { Location: "/b" } }),
          warcRecord({ url: `${A}gone`, status: 404 }),
          warcRecord({ url: `${A}busy`, status: 503 }),
          warcRecord({ url: `${A}busy`, body: "now" }),
          warcRecord({ url: `${A}busy`, body: '<a href="late">' }),
          warcRecord({ url: `${A}pdf`, headers: { "Content-Type": "application/pdf" }, body: "%PDF" }),
          warcRecord({ url: "https://b.example/", body: "elsewhere" }),
        ]),
      },
      { seeds: [A] },
    );
    expect(outcomes).toEqual({
      [A]: "downloaded",
      [`${A}b`]: "downloaded",
      [`${A}moved`]: "redirected",
      [`${A}gone`]: "dead",
      [`${A}busy`]: "downloaded",
      [`${A}pdf`]: "downloaded",
    });
    expect(known.has(`${A}c`)).toBe(true);
    expect(known.has(`${A}n`)).toBe(false);
    expect(linksOf(A)).toEqual(["https://a.example", `${A}b`, `${A}c`, `${A}moved`]);
    expect(linksOf(`${A}busy`)).toEqual([]);
    expect(result.counts).toEqual({ taken: 7, again: 1, "out-of-scope": 1, "no-page": 0, "for-robots": 1 });
  });

  it("may be gzipped by record or as a whole, and bodies chunked and compressed, or decoded below old headers", async () => {
    const page = '<a href="/x">x</a>';
    const chunked = (bytes: Uint8Array): Buffer =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)};x=1\r\n`), bytes, Buffer.from("\r\n0\r\n\r\n")]);
    const html = { "Content-Type": "text/html" };
    const records = [
      warcRecord({ url: `${A}1`, headers: { ...html, "Content-Encoding": "gzip" }, body: gzipSync(page) }),
      warcRecord({
        url: `${A}2`,
        headers: { ...html, "Transfer-Encoding": "chunked" },
        body: chunked(Buffer.from(page)),
      }),
      warcRecord({
        url: `${A}3`,
        headers: { ...html, "Transfer-Encoding": "chunked", "Content-Encoding": "deflate" },
        body: chunked(deflateSync(page)),
      }),
      warcRecord({ url: `${A}4`, headers: { ...html, "Transfer-Encoding": "chunked" }, body: page }),
      warcRecord({ url: `${A}5`, headers: { ...html, "Content-Encoding": "br" }, body: `<!doctype html>${page}` }),
      warcRecord({ url: `${A}6`, headers: { ...html, "Content-Encoding": "gzip" }, body: "no gzip, and no HTML" }),
      warcRecord({ url: `${A}7`, headers: { ...html, "Content-Encoding": "zstd" }, body: Buffer.from([40, 181, 47]) }),
    ];
    for (const file of [
      Buffer.concat(records),
      gzipSync(Buffer.concat(records)),
      Buffer.concat(records.map((r) => gzipSync(r))),
    ]) {
      const { outcomes, linksOf } = await importFiles({ "crawl.warc.gz": file }, { seeds: [A] });
      for (const n of [1, 2, 3, 4, 5]) expect([n, linksOf(`${A}${n}`)]).toEqual([n, [`${A}x`]]);
      // What cannot be read was there, and may link anywhere.
      for (const n of [6, 7]) expect([n, outcomes[`${A}${n}`]]).toEqual([n, "links-unknown"]);
    }
  });

  it("repeats a body by its digest, whose links are those of the page that has it now", async () => {
    const body = '<a href="next">';
    const digest = { "WARC-Payload-Digest": "sha1:AAAA" };
    const records = [
      warcRecord({ url: `${A}one/`, body, fields: digest }),
      warcRecord({ type: "revisit", url: `${A}two/`, fields: digest }),
      warcRecord({ type: "revisit", url: `${A}three/`, fields: { "WARC-Payload-Digest": "sha1:BBBB" } }),
    ];
    for (const file of [Buffer.concat(records), Buffer.concat(records.map((record) => gzipSync(record)))]) {
      const { linksOf, outcomes } = await importFiles({ "crawl.warc": file }, { seeds: [A] });
      expect(linksOf(`${A}two/`)).toEqual([`${A}two/next`]);
      expect(outcomes[`${A}three/`]).toBe("links-unknown");
    }
  });

  it("has pages that were cut off, of which not all links are known", async () => {
    const { outcomes } = await importFiles({
      "crawl.warc": Buffer.concat([
        warcRecord({ url: A, body: '<a href="/x">', fields: { "WARC-Truncated": "length" } }),
        warcRecord({ url: `${A}big`, body: `<a href="/x">${" ".repeat(9 << 20)}` }),
        warcRecord({ url: `${A}part`, status: 206, body: "<p>part" }),
        warcRecord({ url: `${A}last`, body: "last" }),
      ]),
    });
    const cut = [A, `${A}big`, `${A}part`].map((url) => [url, "links-unknown"]);
    expect(outcomes).toEqual({ ...Object.fromEntries(cut), [`${A}last`]: "downloaded" });
  });

  it("is read in the encodings of its pages", async () => {
    const headers = { "Content-Type": "text/html; charset=iso-8859-1" };
    const { fates } = await importFiles({
      "crawl.warc": Buffer.concat([
        warcRecord({ url: A, headers, body: Buffer.from("<title>Caf\u00e9</title>", "latin1") }),
        warcRecord({ url: `${A}u`, body: "<title>Caf\u00e9</title>" }),
      ]),
    });
    expect([fates.get(A)?.title, fates.get(`${A}u`)?.title]).toEqual(["Caf\u00e9", "Caf\u00e9"]);
  });

  it("without seeds, starts at the front page of each host that has pages, or at its first page", async () => {
    const { result, outcomes } = await importFiles({
      "crawl.warc": Buffer.concat([
        warcRecord({ url: `${A}first`, body: "1" }),
        warcRecord({ url: A, body: "front" }),
        warcRecord({ url: "https://b.example/one", body: "b" }),
        warcRecord({ url: "https://c.example/", status: 404 }),
      ]),
    });
    expect(result.seeds).toEqual([A, "https://b.example/one"]);
    expect(Object.keys(outcomes)).toHaveLength(3);
  });

  it("takes in where a seed is redirected, though it is on another host", async () => {
    const { outcomes } = await importFiles(
      {
        "crawl.warc": Buffer.concat([
          warcRecord({ url: A, status: 301, headers: { Location: "https://www.a.example/" } }),
          warcRecord({ url: "https://www.a.example/", body: '<a href="/x">' }),
          warcRecord({ url: "https://www.a.example/x", body: "x" }),
        ]),
      },
      { seeds: [A] },
    );
    expect(outcomes["https://www.a.example/x"]).toBe("downloaded");
  });
});

describe("a WAT file", () => {
  const envelope = (url: string, html: object | undefined, more: object = {}): Buffer =>
    rawRecord(
      { "WARC-Type": "metadata", "WARC-Target-URI": url, "Content-Type": "application/json" },
      Buffer.from(
        JSON.stringify({
          Envelope: {
            "WARC-Header-Metadata": { "WARC-Type": "response", "WARC-Target-URI": url, ...more },
            "Payload-Metadata": {
              "HTTP-Response-Metadata": {
                "Response-Message": { Status: "200" },
                Headers: { "Content-Type": html === undefined ? "image/png" : "text/html" },
                ...(html === undefined ? {} : { "HTML-Metadata": html }),
              },
            },
          },
        }),
      ),
    );
  const file = Buffer.concat([
    rawRecord({ "WARC-Type": "warcinfo" }, Buffer.from("Software-Info: x\r\n")),
    envelope(A, {
      Head: {
        Title: "Front",
        Base: "https://a.example/sub/",
        Metas: [{ "http-equiv": "Refresh", content: "5; url=later" }],
      },
      Links: [
        { path: "A@/href", url: "b" },
        { path: "A@/href", url: "n", rel: "external nofollow" },
        { path: "IMG@/src", url: "picture.png" },
      ],
    }),
    envelope(`${A}cut`, { Links: [] }, { "WARC-Truncated": "length" }),
    envelope(`${A}image`, undefined),
  ]);

  it("has links of pages, which are all of them only if the user says so", async () => {
    const loose = await importFiles({ "a.wat.gz": gzipSync(file) }, { seeds: [A] });
    expect(loose.result.format).toBe("wat");
    expect(loose.outcomes).toEqual({ [A]: "links-unknown", [`${A}cut`]: "links-unknown", [`${A}image`]: "downloaded" });
    const told = await importFiles({ "a.wat.gz": gzipSync(file) }, { seeds: [A], linksComplete: true });
    expect(told.outcomes).toEqual({ [A]: "downloaded", [`${A}cut`]: "links-unknown", [`${A}image`]: "downloaded" });
    expect(told.fates.get(A)?.title).toBe("Front");
    expect(told.linksOf(A)).toEqual(["https://a.example", `${A}sub/b`, `${A}sub/later`]);
  });
});

describe("items of Scrapy", () => {
  it("are pages with the links that they name", async () => {
    const items = [
      { url: A, links: ["/b", { url: "/n", nofollow: true }], title: "Front" },
      { url: `${A}b`, title: "no links named" },
      { url: `${A}c`, links: [], status: 404 },
      { url: `${A}d`, links: [], status: "404" },
      { url: `${A}e`, links: ["/b", { target: "/f" }] },
      { url: `${A}g`, links: [], status: "not known" },
      { name: "a thing, not a page" },
    ];
    const lines = items.map((item) => JSON.stringify(item)).join("\n");
    const array = `[\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n]`;
    for (const text of [lines, array, JSON.stringify(items)]) {
      const { outcomes, linksOf, fates } = await importFiles({ "items.jl": text }, { linksComplete: true });
      expect(outcomes).toEqual({
        [A]: "downloaded",
        [`${A}b`]: "links-unknown",
        [`${A}c`]: "dead",
        [`${A}d`]: "dead",
        // It names a link that we cannot read.
        [`${A}e`]: "links-unknown",
      });
      expect(linksOf(A)).toEqual(["https://a.example", `${A}b`]);
      expect(fates.get(A)?.title).toBe("Front");
    }
    const { outcomes } = await importFiles({ "items.jl": lines });
    expect(outcomes[A]).toBe("links-unknown");
  });
});

describe("a host graph of Common Crawl", () => {
  const vertices = "0\tcom.example\n1\torg.example.www\n2\tnet.lonely\n3\tnet.linked\t1\n";
  const edges = "0\t1\n1\t0\n1\t3\n";

  it("is a page per host; a host without links may never have been crawled, and waits", async () => {
    const seeds = ["https://example.com/"];
    const { outcomes, linksOf, known, result, coverage } = await importFiles(
      { "vertices.txt": vertices, "edges.txt.gz": gzipSync(edges) },
      { seeds, linksComplete: true },
    );
    expect(result.format).toBe("cc-graph");
    expect(outcomes).toEqual({ "https://example.com/": "downloaded", "https://www.example.org/": "downloaded" });
    expect(linksOf("https://www.example.org/")).toEqual(["https://example.com/", "https://linked.net/"]);
    expect(known.has("https://lonely.net/")).toBe(true);
    expect(coverage).toBeGreaterThan(0);
    const loose = await importFiles({ "vertices.txt": vertices, "edges.txt": edges }, { seeds });
    expect(new Set(Object.values(loose.outcomes))).toEqual(new Set(["links-unknown"]));
  });

  it("keeps vertices whose names are no hosts, so that no share of a link is lost", async () => {
    const { linksOf, known } = await importFiles(
      { v: "0\tcom.example\n1\tno host\n2\tcom.example\n", e: "0\t1\n0\t2\n" },
      { seeds: ["https://example.com/"], linksComplete: true },
    );
    expect(linksOf("https://example.com/")).toEqual(["https://vertex-1.invalid/", "https://vertex-2.invalid/"]);
    expect(known.size).toBe(3);
  });

  it("without seeds, starts at the hosts that most others link to", async () => {
    const { result } = await importFiles({ v: "0\ta.a\n1\ta.b\n2\ta.c\n", e: "0\t1\n2\t1\n1\t2\n" });
    expect(result.seeds[0]).toBe("https://b.a/");
  });

  it("must have both kinds of files, and every vertex", async () => {
    await expect(importFiles({ v: "0\ta.a\n" })).rejects.toThrow("edges are missing");
    await expect(importFiles({ v: "0\ta.a\n2\ta.b\n", e: "0\t0\n" })).rejects.toThrow("each number from 0 once");
    const vertices = "0\ta.a\n1\ta.b\n";
    await expect(importFiles({ v: vertices, e: "0\t1\n", f: "0\t1\n\n1\t0\n1\t7\n9\t0\n" })).rejects.toThrow(
      /f: line 4: page id 7 does not fit a graph of 2 pages: ids start at 0$/,
    );
    await expect(importFiles({ v: vertices, e: "0\t1\n0\t2" })).rejects.toThrow(/e: line 2: page id 2 does not fit/);
  });
});

describe("what is not as the user thinks", () => {
  it("is counted where it has no web address, once", async () => {
    const items = [{ url: 5, links: [] }, { links: [] }, { url: A, links: [] }, { url: "no url" }];
    const { result } = await importFiles({ "items.jl": items.map((item) => JSON.stringify(item)).join("\n") });
    expect(result.counts).toMatchObject({ taken: 1, "no-page": 3 });
    const records = [
      warcRecord({ url: "not a url", body: "x" }),
      warcRecord({ type: "request", url: "not a url" }),
      warcRecord({ url: "dns:a.example", body: "x" }),
      warcRecord({ url: A, body: "x" }),
    ];
    const { result: archived } = await importFiles({ "a.warc": Buffer.concat(records) });
    expect(archived.counts).toMatchObject({ taken: 1, "no-page": 2 });
  });

  it("is named where a given seed is not among the pages", async () => {
    const item = JSON.stringify({ url: `${A}#top`, links: ["/b"] });
    const seeds = [A, `${A}b`, "https://b.example/"];
    const { result } = await importFiles({ "items.jl": item }, { seeds });
    expect(result.absentSeeds).toEqual([`${A}b`, "https://b.example/"]);
    expect((await importFiles({ "items.jl": item })).result.absentSeeds).toEqual([]);
    const graph = { v: "0\tcom.example\n1\ta.b\n", e: "0\t1\n" };
    const hosts = await importFiles(graph, { seeds: ["https://example.com/", "https://a.example/"] });
    expect(hosts.result.absentSeeds).toEqual(["https://a.example/"]);
  });
});

describe("dumps of Nutch", () => {
  const row = (url: string, code: number, status: string, metadata = ""): string =>
    `"${url}",${code},"${status}",Thu Oct 26 19:20:33 UTC 2026,Thu Jan 01 00:00:00 UTC 1970,0,2592000.0,30.0,1.0,"null","${metadata}"`;
  const crawldb = [
    "Url,Status code,Status name,Fetch Time,Modified Time,Retries since fetch,Retry interval seconds,Retry interval days,Score,Signature,Metadata",
    row(A, 2, "db_fetched", "_pst_:success(1), lastModified=0|||Content-Type:text/html|||"),
    row(`${A}b`, 2, "db_fetched", "Content-Type:application/pdf|||"),
    row(`${A}c`, 1, "db_unfetched"),
    row(`${A}moved`, 5, "db_redir_perm", `_pst_:moved(12), lastModified=0: ${A}b|||Content-Type:text/html|||`),
    row(`${A}gone`, 3, "db_gone", "_pst_:notfound(14), lastModified=0|||"),
    row(`${A}denied`, 3, "db_gone", "_pst_:robots_denied(18), lastModified=0|||"),
    "",
  ].join("\n");
  const linkdb = `${A}b\tInlinks:\n fromUrl: ${A} anchor: to b\n\n${A}c\tInlinks:\n fromUrl: ${A} anchor: \n\n`;

  it("have statuses and links, which are all only if the user says so", async () => {
    const files = { crawldb, linkdb };
    const { outcomes, linksOf, fates } = await importFiles(files, { seeds: [A], linksComplete: true });
    expect(outcomes).toEqual({
      [A]: "downloaded",
      [`${A}b`]: "downloaded",
      [`${A}moved`]: "redirected",
      [`${A}gone`]: "dead",
    });
    expect(linksOf(A)).toEqual([`${A}b`, `${A}c`]);
    expect(fates.get(`${A}moved`)?.target).not.toBeNull();
    const loose = await importFiles(files, { seeds: [A] });
    expect(loose.outcomes[A]).toBe("links-unknown");
    await expect(importFiles({ crawldb }, { linksComplete: true })).rejects.toThrow("dump of the LinkDb");
    // What stands below a line that is damaged is not taken for links to what came before.
    const odd = linkdb.replace(`${A}c\tInlinks:`, `${A}c Inlinks:`);
    const damaged = await importFiles({ crawldb, linkdb: odd }, { linksComplete: true });
    expect(damaged.linksOf(A)).toEqual([`${A}b`]);
    expect(damaged.outcomes[A]).toBe("links-unknown");
    await expect(importFiles({ linkdb })).rejects.toThrow("dump of the CrawlDb");
  });
});

describe("tables of Screaming Frog", () => {
  const pages = [
    '"Address","Content","Status Code","Status","Title 1","Outlinks","Redirect URL"',
    `"${A}","text/html; charset=UTF-8","200","OK","A ""front"" page,\nin two lines","2",""`,
    `"${A}b","text/html","200","OK","B","0",""`,
    `"${A}lacking","text/html","200","OK","L","5",""`,
    `"${A}moved","","301","Moved","","0","${A}b"`,
    `"${A}blocked","","0","Blocked by robots.txt","","0",""`,
    "",
  ].join("\r\n");
  const outlinks = [
    "Type,Source,Destination,Follow,Status Code",
    `Hyperlink,${A},${A}b,true,200`,
    `Hyperlink,${A},${A}n,false,200`,
    `Hyperlink,${A},${A}gone,true,404`,
    `Image,${A},${A}i.png,true,200`,
  ].join("\n");

  it("have pages and links; a page that has links by one table and none by the other is not complete", async () => {
    const { outcomes, linksOf, fates } = await importFiles(
      { "internal_all.csv": `\ufeff${pages}`, "all_outlinks.csv": outlinks },
      { linksComplete: true },
    );
    expect(outcomes).toEqual({
      [A]: "downloaded",
      [`${A}b`]: "downloaded",
      [`${A}lacking`]: "links-unknown",
      [`${A}moved`]: "redirected",
      [`${A}gone`]: "dead",
    });
    expect(linksOf(A)).toEqual(["https://a.example", `${A}b`, `${A}gone`]);
    expect(fates.get(A)?.title).toBe('A "front" page,\nin two lines');
  });

  it("may be the links alone, and semicolons or UTF-16 may part them", async () => {
    const { outcomes } = await importFiles({ "all_outlinks.csv": outlinks }, { linksComplete: true });
    expect(outcomes).toEqual({ [A]: "downloaded", [`${A}gone`]: "dead" });
    const wide = Buffer.from(`\ufeff${outlinks.replaceAll(",", ";")}`, "utf16le");
    expect((await importFiles({ wide }, { linksComplete: true })).outcomes).toEqual(outcomes);
  });

  it("need a file of links before these can be complete", async () => {
    await expect(importFiles({ pages }, { linksComplete: true })).rejects.toThrow("all_outlinks.csv");
    expect((await importFiles({ pages })).outcomes[A]).toBe("links-unknown");
  });
});
