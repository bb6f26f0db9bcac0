/** docs/database.md is run: every query in it, and every column is named. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCrawl } from "../../src/store/index.ts";
import { outcomes, sources } from "../../src/log/index.ts";
import { encodeLinks } from "../../src/log/codecs.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const document = readFileSync(new URL("../../docs/database.md", import.meta.url), "utf8");
const queries = [...document.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql);

function smallDatabase(): BetterSqlite.Database {
  const dir = temporaryDirectory();
  tellSmallCrawl(createCrawl(dir, "{}")).close();
  const database = new BetterSqlite(join(dir, "crawl.sqlite"), { readonly: true });
  onTestFinished(() => void database.close());
  return database;
}

function answer(words: string): unknown[][] {
  const sql = queries.find((query) => query.includes(words)) ?? "";
  return smallDatabase().prepare<[], unknown[]>(sql).raw().all();
}

describe("docs/database.md", () => {
  it("has queries that run", () => {
    const database = smallDatabase();
    expect(queries).toHaveLength(11);
    for (const sql of queries) expect(() => database.prepare(sql).all()).not.toThrow();
  });

  it("counts states", () => {
    expect(answer("GROUP BY state ORDER BY 2")).toEqual([
      ["redirected", 3],
      ["waiting", 1],
      ["refused", 1],
      ["links-unknown", 1],
      ["downloaded", 1],
      ["dead", 1],
    ]);
  });

  it("sums up hosts", () => {
    expect(answer("FROM hosts")).toEqual([
      ["https://a.example", 1, 1, 50],
      ["http://b.example:8080", 1, 0, 10],
    ]);
  });

  it("finds one URL by origin and path", () => {
    const sql = queries.find((query) => query.includes("http://www.demo.test")) ?? "";
    const asked = sql.replace("'/'", "'/new?x=1'").replace("http://www.demo.test", "http://b.example:8080");
    const rows = smallDatabase().prepare<[], unknown[]>(asked).raw().all();
    expect(rows.map((row) => row.slice(0, 3))).toEqual([[3, "http://b.example:8080/new?x=1", "links-unknown"]]);
  });

  it("shows a URL of pages with the same content", () => {
    const dir = temporaryDirectory();
    tellSmallCrawl(createCrawl(dir, "{}")).close();
    const database = new BetterSqlite(join(dir, "crawl.sqlite"));
    database.exec("UPDATE visits SET digest = x'0102030405060708' WHERE outcome IN (0, 1)");
    const sql = queries.find((query) => query.includes("copies")) ?? "";
    expect(database.prepare<[], unknown[]>(sql).raw().all()).toEqual([[2, "http://b.example:8080/new?x=1"]]);
    database.close();
  });

  it("reads links in plain SQL", () => {
    expect(answer("WITH RECURSIVE")).toEqual([
      [1, "https://a.example/moved"],
      [8, "a sink"],
      [2, "https://a.example/gone"],
      [0, "https://a.example/"],
      [1, "https://a.example/moved"],
      [6, "https://a.example/loop"],
    ]);
  });

  it("reads links of any size in plain SQL", () => {
    const dir = temporaryDirectory();
    tellSmallCrawl(createCrawl(dir, "{}")).close();
    const database = new BetterSqlite(join(dir, "crawl.sqlite"));
    const ids = [5, 5, 4, 104, 4294967295, 70000, 0];
    database.prepare("UPDATE links SET targets = ? WHERE visit = 1").run(encodeLinks(Uint32Array.from(ids)));
    const sql = queries.find((query) => query.includes("WITH RECURSIVE")) ?? "";
    expect(
      database
        .prepare<[], [number]>(sql)
        .raw()
        .all()
        .map(([id]) => id),
    ).toEqual(ids);
    database.close();
  });

  it("names every table, view and column", () => {
    const database = smallDatabase();
    const names = database
      .prepare<[], [string]>("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
      .raw()
      .all()
      .flatMap(([table]) => [
        table,
        ...(database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name),
      ]);
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });

  it("agrees with the file about what it is", () => {
    const database = smallDatabase();
    expect(document).toContain(
      `\`PRAGMA application_id\` is ${String(database.pragma("application_id", { simple: true }))}`,
    );
    expect(document).toContain(
      `the version of these tables, ${String(database.pragma("user_version", { simple: true }))}`,
    );
  });
});

it("codes of outcomes and sources, once written, mean the same for ever", () => {
  const database = smallDatabase();
  const names = (table: string) =>
    database.prepare<[], [number, string]>(`SELECT id, name FROM ${table} ORDER BY id`).raw().all();
  expect(names("sources")).toEqual([
    [0, "seed"],
    [1, "link"],
    [2, "redirect"],
    [3, "sitemap"],
    [4, "canonical"],
    [5, "remote"],
  ]);
  expect(names("outcomes")).toEqual([
    [0, "downloaded"],
    [1, "links-unknown"],
    [2, "dead"],
    [3, "redirected"],
    [4, "refused"],
    [5, "try-again"],
  ]);
  expect(
    names("sources")
      .map(([, name]) => name)
      .sort(),
  ).toEqual([...sources].sort());
  expect(
    names("outcomes")
      .map(([, name]) => name)
      .sort(),
  ).toEqual([...outcomes].sort());
});
