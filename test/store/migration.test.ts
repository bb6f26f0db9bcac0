/**
 * Crawls of older versions of the tables: 1 had no rereads, 2 no received mass, no language and another name for a
 * state, 3 no looks and no values, 4 did not keep what sitemaps list, nor texts of links, 5 no SimHashes, 6 no texts
 * of pages, 7 did not keep where redirects out of the scope lead, 8 had one final visit per URL for ever, 9 kept all
 * visits, 10 all rereads.
 */
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCrawl, openCrawl, openCrawlReadOnly, openWindow } from "../../src/store/index.ts";
import { SCHEMA_VERSION } from "../../src/store/schema.ts";
import { type Database, openDatabase } from "../../src/store/sqlite.ts";
import { takeOutSuperseded } from "../support/older-tables.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

function crawlOfVersion(version: 1 | 2 | 4 | 5 | 6 | 7 | 8 | 9 | 10): string {
  const dir = temporaryDirectory();
  tellSmallCrawl(createCrawl(dir, "{}")).close();
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
  database.exec("DROP TABLE deleted_ranges; ALTER TABLE rereads DROP COLUMN earlier");
  if (version < 10) database.exec("DROP TABLE deleted_visits");
  if (version < 9) takeOutSuperseded(database);
  if (version < 8) takeOutLocation(database);
  if (version < 7) database.exec("DROP TABLE texts");
  if (version < 6) database.exec("ALTER TABLE visits DROP COLUMN simhash");
  if (version < 5) takeOutSignals(database, version);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  return dir;
}

function takeOutLocation(database: Database): void {
  const view = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'pages'").get()?.[0] as string;
  const viewBefore = view.replace(/coalesce\((target_origins.*), visits\.location\)/, "$1");
  expect(viewBefore).not.toMatch(/location/);
  database.exec(`DROP VIEW pages; ALTER TABLE visits DROP COLUMN location; ${viewBefore}`);
}

function takeOutSignals(database: Database, version: number): void {
  const view = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'pages'").get()?.[0] as string;
  const viewBefore = view
    .replace(/,\s*sitemaps\.address AS sitemap,[^,]*,[^,]*,[^,]*,[^,]*AS sitemap_modified/, "")
    .replace(/,\s*visits\.robots_tag AS robots_tag[^]*AS usage/, "")
    .replaceAll(/LEFT JOIN sitemap.*\n/g, "");
  expect(viewBefore).not.toMatch(/sitemap|noindex/);
  database.exec(`DROP VIEW pages; DROP TABLE sitemap_urls; DROP TABLE sitemaps; DROP TABLE anchors; ${viewBefore}`);
  for (const name of ["robots_tag", "noindex", "noarchive", "usage"]) {
    database.exec(`ALTER TABLE visits DROP COLUMN ${name}`);
  }
  if (version < 4) takeOut(database, version, viewBefore);
}

function takeOut(database: Database, version: number, view: string): void {
  database.exec("DROP TABLE cuts; DROP TABLE rounds; DROP TABLE looks; ALTER TABLE visits DROP COLUMN value");
  database.exec(
    "UPDATE outcomes SET name = 'downloaded-partly' WHERE id = 1; DROP TABLE received; DELETE FROM sources WHERE id = 5",
  );
  database.exec("DROP VIEW pages; ALTER TABLE visits DROP COLUMN language");
  database.exec(view.replace(/,\s*visits\.language AS language/, ""));
  if (version === 1) database.exec("DROP TABLE rereads; DROP TABLE reread_outcomes");
}

function versionOf(dir: string): unknown {
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
  const version = database.prepare("PRAGMA user_version").get()?.[0];
  database.close();
  return version;
}

it("is read as it is, without rereads", () => {
  const dir = crawlOfVersion(1);
  const store = openCrawlReadOnly(dir);
  expect([...store.rereads()]).toEqual([]);
  expect([...store.visits()].length).toBeGreaterThan(3);
  store.close();
  expect(versionOf(dir)).toBe(1);
});

it("is brought to the version of today by the first that opens it to write, and keeps all that it had", () => {
  const dir = crawlOfVersion(1);
  const before = openCrawlReadOnly(dir);
  const visits = [...before.visits()];
  before.close();
  for (let time = 1; time <= 2; time++) {
    const store = openCrawl(dir);
    expect([...store.visits()]).toEqual(visits);
    expect([...store.rereads()]).toHaveLength(time - 1);
    store.addReread({
      number: time,
      url: 0,
      atMs: 5,
      outcome: "gone",
      reason: "status-404",
      target: null,
      status: 404,
      digest: null,
      etag: null,
      lastModified: null,
      milliseconds: 1,
      wireBytes: 0,
      visit: null,
    });
    store.close();
  }
  expect(versionOf(dir)).toBe(SCHEMA_VERSION);
  const store = openCrawlReadOnly(dir);
  expect([...store.rereads()].map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, "gone"],
    [2, "gone"],
  ]);
  store.close();
});

it("of version 2 is read with the state's name of today, and stores what it receives once it is opened to write", () => {
  const dir = crawlOfVersion(2);
  const states = (): string[] => {
    const store = openCrawlReadOnly(dir);
    const names = [...store.pages()].map(({ state }) => state);
    expect([...store.received()]).toEqual([]);
    store.close();
    return names;
  };
  const languages = (): unknown[] => {
    const store = openCrawlReadOnly(dir);
    const found = [...store.pages()].map(({ language }) => language);
    for (const visit of store.visits()) expect(visit).toMatchObject({ language: null, value: null });
    store.close();
    return found;
  };
  const before = states();
  expect(before).toContain("links-unknown");
  expect(before).not.toContain("downloaded-partly");
  expect(languages()).toEqual(before.map(() => null));
  openCrawl(dir).close();
  expect(versionOf(dir)).toBe(SCHEMA_VERSION);
  expect(states()).toEqual(before);
  expect(languages()).toEqual(before.map(() => null));
  const store = openCrawl(dir);
  store.putReceived({ url: 0, sender: 7, total: 0.25 });
  expect([...store.received()]).toEqual([{ url: 0, sender: 7, total: 0.25 }]);
  const look = { number: 1, seed: 2 ** 32 - 1, confidence: 0.999, target: 0.9, trustDigest: 7 };
  expect([...store.looks(), ...store.rounds()]).toEqual([]);
  store.addLook(look);
  const round = { look: 1, afterVisit: store.nextVisit - 1, walks: 8 };
  store.addRound(round);
  store.addCut({ look: 1, url: 0 });
  expect([...store.cuts()]).toEqual([{ look: 1, url: 0 }]);
  expect([...store.looks()]).toEqual([look]);
  expect([...store.rounds()]).toEqual([round]);
  store.close();
});

it("of version 4 has no texts of links, and keeps them once it is opened to write", () => {
  const dir = crawlOfVersion(4);
  const before = openCrawlReadOnly(dir);
  expect(before.anchorsOf(0)).toBeUndefined();
  before.close();
  const store = openCrawl(dir);
  const record = { id: 9, origin: 0, path: "/new", depth: 1, source: "link", discoveredAt: 8, reason: null } as const;
  store.addUrl(record);
  const [first] = store.visits();
  store.addVisit({ ...first, number: 9, url: 9 });
  store.addAnchors(9, "One\n\nThree");
  store.close();
  const after = openCrawlReadOnly(dir);
  expect([after.anchorsOf(0), after.anchorsOf(9)]).toEqual([undefined, "One\n\nThree"]);
  after.close();
});

it("of version 6 has no texts of pages, and keeps them once it is opened to write", () => {
  const dir = crawlOfVersion(6);
  const before = openCrawlReadOnly(dir);
  expect(before.textsOf(0)).toBeUndefined();
  before.close();
  const store = openCrawl(dir);
  expect(versionOf(dir)).toBe(SCHEMA_VERSION);
  store.addUrl({ id: 9, origin: 0, path: "/new", depth: 1, source: "link", discoveredAt: 8, reason: null });
  const [first] = store.visits();
  store.addVisit({ ...first, number: 9, url: 9 });
  store.addTexts(9, { text: Uint8Array.of(3), markdown: null, html: null });
  store.close();
  const after = openCrawlReadOnly(dir);
  expect([after.textsOf(0), after.textsOf(9)?.text?.[0]]).toEqual([undefined, 3]);
  after.close();
});

it("of version 7 does not say where redirects out of the scope lead, and does once it is opened to write", () => {
  const dir = crawlOfVersion(7);
  const before = openCrawlReadOnly(dir);
  expect([...before.visits()].map(({ location }) => location)).toEqual(Array(8).fill(null));
  const targets = [...before.pages()].map(({ target }) => target);
  before.close();
  const store = openCrawl(dir);
  expect(versionOf(dir)).toBe(SCHEMA_VERSION);
  expect([...store.pages()].map(({ target }) => target)).toEqual(targets);
  store.addUrl({ id: 9, origin: 0, path: "/go", depth: 1, source: "link", discoveredAt: 8, reason: null });
  const [first] = store.visits();
  const refused = { outcome: "refused", reason: "out-of-scope", detail: "redirect", links: null } as const;
  store.addVisit({ ...first, ...refused, number: 9, url: 9, location: "http://elsewhere.example/" });
  store.close();
  const after = openCrawlReadOnly(dir);
  expect([...after.visits()].at(-1)?.location).toBe("http://elsewhere.example/");
  expect([...after.pages()].at(-1)).toMatchObject({ state: "refused", target: "http://elsewhere.example/" });
  after.close();
});

it("of version 4 says nothing of sitemaps and robots, and keeps it once it is opened to write", () => {
  const dir = crawlOfVersion(4);
  const facts = (): unknown[] => {
    const store = openCrawlReadOnly(dir);
    const pages = [...store.pages()].map(({ sitemap, sitemapModified }) => [sitemap, sitemapModified]);
    const listed = [...store.listedUrls()];
    const unknown = { robotsTag: null, noindex: null, noarchive: null, usage: null };
    for (const visit of [...store.visits(), ...store.pages()]) expect(visit).toMatchObject(unknown);
    store.close();
    return [pages.filter(([sitemap]) => sitemap !== null), listed];
  };
  expect(facts()).toEqual([[], []]);
  const store = openCrawl(dir);
  const address = "https://a.example/sitemap.xml";
  store.putSitemap({ address, atMs: 9, entries: [{ url: 0, modifiedMs: 1500 }] });
  store.close();
  expect(versionOf(dir)).toBe(SCHEMA_VERSION);
  expect(facts()).toEqual([
    [[address, "1970-01-01T00:00:01.500Z"]],
    [{ url: 0, sitemap: address, listedMs: 9, modifiedMs: 1500 }],
  ]);
});

it.each([1, 4, 5] as const)("of version %d has no SimHashes, and keeps them once it is opened to write", (version) => {
  const dir = crawlOfVersion(version);
  const before = openCrawlReadOnly(dir);
  const links = [...before.visits()].map(({ links }) => links);
  for (const visit of before.visits()) expect(visit.simhash).toBeNull();
  before.close();
  expect(versionOf(dir)).toBe(version);
  const store = openCrawl(dir);
  expect([...store.visits()].map(({ links }) => links)).toEqual(links);
  const record = { id: 9, origin: 0, path: "/new", depth: 1, source: "link", discoveredAt: 8, reason: null } as const;
  store.addUrl(record);
  const [first] = store.visits();
  store.addVisit({ ...first, number: 9, url: 9, simhash: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) });
  store.close();
  expect(versionOf(dir)).toBe(SCHEMA_VERSION);
  const after = openCrawlReadOnly(dir);
  const found = [...after.visits()].map(({ simhash }) => simhash && [...simhash]);
  expect(found.filter((each) => each !== null)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]]);
  after.close();
});

it("of version 8 is read as it is, and a page can be visited again once it is opened to write", () => {
  const dir = crawlOfVersion(8);
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
  database.exec("UPDATE visits SET at_ms = at_ms + number");
  database.close();
  const before = openCrawlReadOnly(dir);
  const visits = [...before.visits()];
  const pages = [...before.pages()];
  expect([before.generation, [...before.replacedVisits()]]).toEqual([0, []]);
  before.close();
  expect(() => openCrawlReadOnly(dir, { atMs: 0 })).toThrow("is before the first visit");
  expect(() => openCrawlReadOnly(dir, { atMs: visits[1].atMs })).toThrow("older version");
  const store = openCrawl(dir);
  expect([...store.visits()]).toEqual(visits);
  expect([...store.pages()]).toEqual(pages);
  const first = visits.find(({ links }) => links !== null)!;
  const number = store.nextVisit;
  store.addVisit({ ...first, number, title: "Again" }, first.number);
  store.close();
  const after = openCrawlReadOnly(dir);
  expect(after.generation).toBe(number);
  expect(after.page(first.url)?.title).toBe("Again");
  expect([...after.visits()].map((visit) => visit.number)).toEqual(
    [...visits.map((visit) => visit.number), number].filter((each) => each !== first.number),
  );
  after.close();
});

it("of version 9 is read as it is, and its visits can be deleted once it is opened to write", () => {
  const dir = crawlOfVersion(9);
  const before = openCrawlReadOnly(dir);
  const visits = [...before.visits()];
  expect([before.viewsFromMs, [...before.replacedVisits()]]).toEqual([undefined, []]);
  before.close();
  expect(versionOf(dir)).toBe(9);
  const store = openCrawl(dir);
  expect([...store.visits()]).toEqual(visits);
  const first = visits.find(({ links }) => links !== null)!;
  const number = store.nextVisit;
  store.addVisit({ ...first, number }, first.number);
  store.deleteVisits([first.number]);
  store.close();
  expect(versionOf(dir)).toBe(SCHEMA_VERSION);
  const after = openCrawlReadOnly(dir);
  expect([...after.visits()]).toHaveLength(visits.length);
  expect([after.generation, [...after.replacedVisits()].map(({ by }) => by)]).toEqual([number, [number]]);
  after.close();
});

it("of version 10 is read as it is, and its reads can be condensed once it is opened to write", () => {
  const dir = crawlOfVersion(10);
  edit(
    dir,
    "INSERT INTO rereads SELECT value, 0, 86400000 * value, 0, NULL, 200, NULL, NULL, NULL, 1, 1, NULL " +
      "FROM json_each('[1,2,3,4]')",
  );
  const before = openCrawlReadOnly(dir);
  const reads = [...before.rereads()];
  expect(reads.map(({ number, outcome, earlier }) => [number, outcome, earlier])).toEqual(
    [1, 2, 3, 4].map((number) => [number, "unchanged", undefined]),
  );
  before.close();
  const window = openWindow(dir);
  expect(window.rereads(0).rereads).toHaveLength(4);
  window.close();
  expect(versionOf(dir)).toBe(10);
  const store = openCrawl(dir);
  expect([...store.rereads()]).toEqual(reads);
  expect([...store.condenseReads(4 * 86_400_000)]).toEqual([2]);
  store.close();
  expect(versionOf(dir)).toBe(SCHEMA_VERSION);
  const after = openWindow(dir);
  expect(after.rereads(0).rereads.map(({ earlierCount }) => earlierCount)).toEqual([undefined, 2]);
  after.close();
});

function edit(dir: string, sql: string): void {
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
  database.exec(sql);
  database.close();
}
