/** Tables of a crawl as older versions made them. */
import { expect } from "vitest";
import type { Database } from "../../src/store/index.ts";

/** As before version 9, which knew one final visit per URL. */
export function takeOutSuperseded(database: Database): void {
  const sqlOf = (name: string) =>
    database.prepare("SELECT sql FROM sqlite_master WHERE name = ?").get(name)?.[0] as string;
  const before = ["pages", "hosts", "visits_last_word"].map((name) =>
    sqlOf(name).replace(/ AND (visits\.)?superseded IS NULL/, ""),
  );
  expect(before.join("\n")).not.toMatch(/superseded/);
  database.exec("DROP VIEW pages; DROP VIEW hosts; DROP INDEX visits_last_word");
  database.exec("DROP INDEX visits_superseded; DROP INDEX visits_before");
  database.exec("ALTER TABLE visits DROP COLUMN superseded; ALTER TABLE rereads DROP COLUMN visit");
  database.exec(before.join(";\n"));
}
