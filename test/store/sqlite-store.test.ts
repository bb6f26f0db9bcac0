import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCrawl,
  openCrawl,
  type SqliteStore,
  StoreError,
  type StoreOptions,
} from "../../src/store/index.ts";
import { type StoreUnderTest, storeContract } from "../contracts/store-contract.ts";

interface Fault {
  writes: number;
  failAt: number;
  kind: StoreError["kind"];
}

function underTest(dir: string, open: (options: StoreOptions) => SqliteStore): StoreUnderTest {
  const fault: Fault = { writes: 0, failAt: Number.POSITIVE_INFINITY, kind: "failed" };
  const store = open({
    beforeWrite(count) {
      fault.writes = count;
      if (count >= fault.failAt) throw new StoreError(fault.kind, "failed as planned");
    },
  });
  const discard = () => rmSync(dir, { recursive: true, force: true });
  return {
    store,
    writes: () => fault.writes,
    failAt(writeNumber, kind) {
      fault.failAt = writeNumber;
      fault.kind = kind;
    },
    reopen() {
      store.close();
      return underTest(dir, (options) => openCrawl(dir, options));
    },
    crash() {
      // What a killed process leaves is what its files hold at that moment; the lock goes with the process.
      const left = mkdtempSync(join(tmpdir(), "tidemark-crashed-"));
      for (const name of ["crawl.sqlite", "crawl.sqlite-wal"]) cpSync(join(dir, name), join(left, name));
      store.close();
      discard();
      return underTest(left, (options) => openCrawl(left, options));
    },
    dispose() {
      try {
        store.close();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
      discard();
    },
  };
}

storeContract(
  "on disk",
  (settings) => {
    const dir = mkdtempSync(join(tmpdir(), "tidemark-store-"));
    return underTest(dir, (options) => createCrawl(dir, settings, options));
  },
  { runs: 25 },
);
