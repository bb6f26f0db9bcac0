/** Disks that fill up: a named error, and what was committed stays. */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createCrawl, openWarc, openCrawl, StoreError } from "../../src/store/index.ts";
import { enlarge, tinyDisk } from "../support/tiny-disk.ts";
import { tellUrls } from "./many-urls.ts";
import { exchange, expectIndexOfWarcio, readAll } from "./warc-reading.ts";

describe("a full disk", () => {
  it("stops the store with its name; what was committed is there, and the crawl resumes when there is space", ({
    skip,
  }) => {
    const disk = tinyDisk(2_000_000);
    if (disk === undefined) return skip("no permission to mount a disk of 2 MB");
    const dir = join(disk, "crawl");
    let store = createCrawl(dir, "{}");
    let committed = 0;
    const error = errorOf(() => {
      for (;;) {
        committed = store.urlCount;
        tellUrls(store, 500);
        store.commit();
      }
    });
    expect(error).toMatchObject({ name: "StoreError", kind: "disk-full" });
    expect(String(error)).toContain("the disk is full: free space");
    expect(committed).toBeGreaterThan(1000);
    expect(() => store.commit()).toThrow(StoreError);
    store.close();
    enlarge(disk, 8000000);
    store = openCrawl(dir);
    expect(store.urlCount).toBe(committed);
    tellUrls(store, 500);
    store.close();
    expect(integrity(dir)).toBe("ok");
  });

  it("on which no crawl can be made leaves nothing behind", ({ skip }) => {
    const disk = tinyDisk(16_384);
    if (disk === undefined) return skip("no permission to mount a disk of 16 KB");
    const dir = join(disk, "crawl");
    expect(errorOf(() => createCrawl(dir, "{}"))).toMatchObject({ name: "StoreError", kind: "disk-full" });
    expect(statSync(dir, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("ends an archive, which holds what was committed, and says that the disk is full", async ({ skip }) => {
    const disk = tinyDisk(1_000_000);
    if (disk === undefined) return skip("no permission to mount a disk of 1 MB");
    const dir = join(disk, "crawl");
    const store = createCrawl(dir, "{}");
    const archive = openWarc(dir, store, { software: "tidemark/0.0" });
    let kept = 0;
    const noise = (number: number) => createHash("shake256", { outputLength: 5000 }).update(String(number)).digest();
    const fill = () => {
      for (;;) {
        archive.keep(exchange(kept, { body: noise(kept) }));
        store.commit();
        kept++;
      }
    };
    expect(fill).toThrow(expect.objectContaining({ name: "StoreError", kind: "disk-full" }));
    expect(kept).toBeGreaterThan(50);
    // Nothing is committed any more: there could be facts of a page without its body. It may be told once more.
    errorOf(() => store.close());
    enlarge(disk, 4000000);
    const resumed = openCrawl(dir);
    openWarc(dir, resumed, { software: "tidemark/0.0" });
    resumed.close();
    const responses = (await readAll(dir)).filter(({ type }) => type === "response");
    expect(responses).toHaveLength(kept);
    await expectIndexOfWarcio(dir);
  });
});

function integrity(dir: string): unknown {
  const database = new BetterSqlite(join(dir, "crawl.sqlite"), { readonly: true });
  const word = database.pragma("integrity_check", { simple: true });
  database.close();
  return word;
}

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
