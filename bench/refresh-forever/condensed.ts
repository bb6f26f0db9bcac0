/** What stays of the reads of a refresh: with earlier visits deleted, and with reads condensed as well. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDirectoryToLook } from "../../src/store/crawl-directory.ts";
import { openCrawl } from "../../src/store/index.ts";
import type { CondensedFigures, KeptRows } from "./figures.ts";

const DAY_MS = 86_400_000;

/** Deletes all visits that count no more, and then condenses reads that are older than two days, as a refresh does. */
export function condense(dir: string, endMs: number): CondensedFigures {
  const store = openCrawl(dir);
  const reads = store.rereadCount;
  const whole = rowsOf(dir);
  for (const numbers of store.deletableVisits({ newest: 1 })) {
    if (numbers.length > 0) store.deleteVisits(numbers);
    store.commit();
  }
  const deleted = rowsOf(dir);
  const begin = process.cpuUsage();
  for (const rows of store.condenseReads(endMs - 2 * DAY_MS)) if (rows > 0) store.commit();
  const { user, system } = process.cpuUsage(begin);
  const condensed = rowsOf(dir);
  store.close();
  return { reads, whole, deleted, condensed, cpuSeconds: (user + system) / 1e6 };
}

function rowsOf(dir: string): KeptRows {
  const { database } = openDirectoryToLook(dir);
  const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-vacuum-"));
  try {
    const count = (table: string): number => Number(database.prepare(`SELECT count(*) FROM ${table}`).get()?.[0]);
    const copy = join(folder, "copy.sqlite");
    database.exec("PRAGMA query_only = OFF");
    database.exec(`VACUUM INTO '${copy}'`);
    return { rereads: count("rereads"), deletedVisits: count("deleted_visits"), bytes: statSync(copy).size };
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
