/** The doors to a crawl on disk: a crawl directory is created, resumed, or read (sqlite-store.ts). */
import { shellWord, UsageError } from "../base/index.ts";
import { makeDirectory, openDirectory, openDirectoryToRead, restartDirectory } from "./crawl-directory.ts";
import { type ReadOptions, visitAt } from "./moment.ts";
import { closedOnError } from "./sqlite.ts";
import { isSqliteJob } from "./sqlite-jobs.ts";
import { SqliteStore, type StoreOptions } from "./sqlite-store.ts";

/** Creates a crawl directory with these settings. The directory must not contain a crawl. */
export function createCrawl(dir: string, settingsJson: string, options: StoreOptions = {}): SqliteStore {
  return new SqliteStore(makeDirectory(dir, settingsJson), options);
}

/** Creates a crawl in the directory of another, whose log is lost: for a crawl that has fetched nothing. */
export function restartCrawl(dir: string, settingsJson: string, options: StoreOptions = {}): SqliteStore {
  return new SqliteStore(restartDirectory(dir, settingsJson), options);
}

/** Opens a crawl directory to resume the crawl. Only one process can have it open. */
export function openCrawl(dir: string, options: StoreOptions = {}): SqliteStore {
  const store = openCrawlOfWorkers(dir, options);
  if (!isSqliteJob(dir)) return store;
  store.close();
  throw new UsageError(
    `${dir} has pages that its workers have stored and that are not part of the crawl yet, because it was killed: ` +
      `run tidemark crawl --dir ${shellWord(dir)} first`,
  );
}

/** The same for who knows what to do with what killed workers have left. */
export function openCrawlOfWorkers(dir: string, options: StoreOptions = {}): SqliteStore {
  return new SqliteStore(openDirectory(dir), options);
}

/**
 * Opens a crawl directory to read what is committed now, or what was known at an earlier moment. It needs no lock;
 * writing fails.
 */
export function openCrawlReadOnly(dir: string, { atMs }: ReadOptions = {}): SqliteStore {
  const directory = openDirectoryToRead(dir);
  if (atMs === undefined) return new SqliteStore(directory, {});
  return closedOnError(directory.database, () => {
    const visit = visitAt(directory.database, atMs);
    return visit === undefined ? new SqliteStore(directory, {}) : new SqliteStore(directory, {}, visit);
  });
}

/** Opens a crawl for reading and closes it afterwards. */
export async function reading<T>(
  dir: string,
  read: (store: SqliteStore) => T | Promise<T>,
  options: ReadOptions = {},
): Promise<T> {
  const store = openCrawlReadOnly(dir, options);
  try {
    return await read(store);
  } finally {
    store.close();
  }
}
