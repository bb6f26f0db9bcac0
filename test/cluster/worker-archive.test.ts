/** What a worker keeps of its shards, in which files, and what it does when it cannot. */
import { readdirSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { markIn, sourceIn, WorkerArchive } from "../../src/cluster/worker-archive.ts";
import type { ArchivedAnswer, StoredSettings } from "../../src/crawl/index.ts";
import { type Lease, StoreError } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const network = { userAgent: "test", warcRecords: "all" } as StoredSettings["network"];

function lease(shard: number, epoch: number): Lease {
  return { shard, epoch, worker: "worker" };
}

function answered(by: Lease, path = "/"): ArchivedAnswer {
  const answer = { kind: "answer", status: 200, headers: {}, address: null, wireBytes: 4, milliseconds: 1 } as const;
  const body = new TextEncoder().encode(`page ${path}`);
  const request = { url: `http://a.example${path}`, purpose: "page" } as const;
  return { request, dateMs: 0, answer: { ...answer, body, truncated: false }, lease: by } as ArchivedAnswer;
}

function opened(): { readonly archive: WorkerArchive; readonly dir: string } {
  const dir = temporaryDirectory();
  return { archive: new WorkerArchive({ source: { worker: "anna", place: "here", dir }, shards: 4, network }), dir };
}

function marks(archive: WorkerArchive, shard: number): (readonly [name: string, lines: number])[] {
  const noted = archive.takeNotes(shard).flatMap((note) => [markIn(...note)].filter((mark) => mark !== undefined));
  return noted.map(([name, { lines }]) => [shortName(name), lines]);
}

function shortName(name: string): string {
  return name.replace(/^tidemark-[0-9a-f]{12}-/, "");
}

describe("the archive of a worker", () => {
  it("has files of each shard, and goes on with them as long as the lease lasts", async () => {
    const { archive } = opened();
    archive.begin(lease(0, 1));
    archive.begin(lease(3, 7));
    archive.keep(answered(lease(0, 1), "/0"));
    archive.keep(answered(lease(3, 7), "/1"));
    archive.keep(answered(lease(3, 7), "/2"));
    expect([archive.hasNotes(0), archive.hasNotes(1), archive.hasNotes(3)]).toEqual([true, false, true]);
    await archive.sync();
    expect(marks(archive, 0)).toEqual([["s000-00001.warc.gz", 1]]);
    expect(marks(archive, 3)).toEqual([["s003-00001.warc.gz", 2]]);
    expect(marks(archive, 3)).toEqual([]);
    // Another group of the same owner.
    archive.begin(lease(3, 7));
    archive.keep(answered(lease(3, 7), "/3"));
    expect(marks(archive, 3)).toEqual([["s003-00001.warc.gz", 3]]);
    archive.close();
  });

  it("begins a new file for a new owner, and keeps nothing of what an earlier one has fetched", () => {
    const { archive, dir } = opened();
    archive.begin(lease(2, 1));
    archive.keep(answered(lease(2, 1), "/0"));
    archive.end(2);
    archive.keep(answered(lease(2, 1), "/1"));
    expect(archive.hasNotes(2)).toBe(false);
    archive.begin(lease(2, 5));
    archive.keep(answered(lease(2, 1), "/2"));
    expect(archive.hasNotes(2)).toBe(false);
    archive.keep(answered(lease(2, 5), "/3"));
    expect(marks(archive, 2)).toEqual([["s002-00002.warc.gz", 1]]);
    archive.close();
    expect(readdirSync(dir).length).toBe(4);
  });

  it("says once of each file who has written it, and where", () => {
    const { archive, dir } = opened();
    const sources = (): unknown[] => archive.takeNotes(1).flatMap((note) => sourceIn(...note) ?? []);
    archive.begin(lease(1, 1));
    archive.keep(answered(lease(1, 1), "/0"));
    const [name, source] = sources();
    expect(shortName(String(name))).toBe("s001-00001.warc.gz");
    expect(source).toEqual({ worker: "anna", place: "here", dir });
    archive.keep(answered(lease(1, 1), "/1"));
    expect(sources()).toEqual([]);
    archive.end(1);
    archive.begin(lease(1, 2));
    archive.keep(answered(lease(1, 2), "/2"));
    expect(shortName(String(sources()[0]))).toBe("s001-00002.warc.gz");
    archive.close();
  });

  it("says again and again that something could not be kept, so that nothing is appended any more", async () => {
    const { archive, dir } = opened();
    archive.begin(lease(0, 1));
    archive.begin(lease(1, 1));
    archive.keep(answered(lease(0, 1)));
    await archive.sync();
    rmSync(dir, { recursive: true });
    expect(() => archive.keep(answered(lease(1, 1)))).toThrow(StoreError);
    await expect(archive.sync()).rejects.toThrow(StoreError);
    await expect(archive.sync()).rejects.toThrow("ENOENT");
    archive.close();
  });

  it("that is closed syncs nothing more", async () => {
    const { archive } = opened();
    archive.begin(lease(0, 1));
    archive.keep(answered(lease(0, 1)));
    archive.close();
    await expect(archive.sync()).rejects.toThrow("are closed");
  });
});
