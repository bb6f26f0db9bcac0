import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { createCrawl, openCrawl, type SqliteStore, StoreError, type StoreOptions } from "../../src/store/index.ts";
import { type StoreUnderTest, storeContract } from "../contracts/store-contract.ts";

/** Stores that a test has left open, and their directories. */
const open = new Set<StoreUnderTest>();
afterEach(() => {
  for (const subject of open) subject.dispose();
});

interface Fault {
  writes: number;
  failAt: number;
  kind: StoreError["kind"];
}

function underTest(dir: string, start: (options: StoreOptions) => SqliteStore): StoreUnderTest {
  const fault: Fault = { writes: 0, failAt: Number.POSITIVE_INFINITY, kind: "failed" };
  const store = start({
    beforeWrite(count) {
      fault.writes = count;
      if (count >= fault.failAt) throw new StoreError(fault.kind, "failed as planned");
    },
  });
  const subject: StoreUnderTest = {
    store,
    writes: () => fault.writes,
    failAt(writeNumber, kind) {
      fault.failAt = writeNumber;
      fault.kind = kind;
    },
    reopen() {
      open.delete(subject);
      store.close();
      return underTest(dir, (options) => openCrawl(dir, options));
    },
    crash() {
      // What a killed process leaves is what its files hold at that moment; the lock goes with the process.
      const left = mkdtempSync(join(tmpdir(), "tidemark-crashed-"));
      for (const name of ["crawl.sqlite", "crawl.sqlite-wal"]) cpSync(join(dir, name), join(left, name));
      subject.dispose();
      return underTest(left, (options) => openCrawl(left, options));
    },
    asOf: (visit) => store.asOf(visit),
    dispose() {
      open.delete(subject);
      try {
        store.close();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
  open.add(subject);
  return subject;
}

storeContract(
  "on disk",
  (settings) => {
    const dir = mkdtempSync(join(tmpdir(), "tidemark-store-"));
    return underTest(dir, (options) => createCrawl(dir, settings, options));
  },
  { runs: 25 },
);
