/** Files that several writers have made become one archive, whatever a crash has left of them. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  adoptWarc,
  createCrawl,
  openCrawl,
  openWarc,
  restartCrawl,
  ShardWarc,
  type SqliteStore,
  type WarcMark,
  WarcReader,
} from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { exchange, expectIndexOfWarcio, readAll } from "./warc-reading.ts";

const SOFTWARE = { software: "tidemark/0.0" };
const WRITERS = ["0123456789ab", "ba9876543210"];

interface Written {
  readonly dir: string;
  readonly store: SqliteStore;
  readonly marks: Map<string, WarcMark>;
}

/** Two writers, the second with two shards; what comes after the marks is in no log. */
async function written({ uncounted = 3 } = {}): Promise<Written> {
  const dir = temporaryDirectory();
  const store = createCrawl(dir, "{}");
  mkdirSync(join(dir, "warc"));
  const marks = new Map<string, WarcMark>();
  for (const [k, [writer, shard]] of SERIES.entries()) {
    const files = new ShardWarc({ ...SOFTWARE, dir: join(dir, "warc"), writer, shard, files: 0, fileBytesMax: 4000 });
    for (let i = 0; i < 10; i++) files.keep(exchange(100 * k + i));
    // The same body twice.
    files.keep(exchange(100 * k + 10, { body: exchange(100 * k).body }));
    await files.sync();
    for (const [name, mark] of files.takeMarks()) marks.set(name, mark);
    expect(files.hasNew).toBe(false);
    for (let i = 11; i < 11 + uncounted; i++) files.keep(exchange(100 * k + i));
    expect(files.hasNew).toBe(uncounted > 0);
    files.close();
  }
  return { dir, store, marks };
}

const SERIES = [
  [WRITERS[0], 0],
  [WRITERS[1], 0],
  [WRITERS[1], 12],
] as const;
const COUNTED = SERIES.flatMap((_, k) => Array.from({ length: 11 }, (__, i) => exchange(100 * k + i).url)).sort();

async function urlsIn(dir: string): Promise<string[]> {
  const isKept = (type: string): boolean => type === "response" || type === "revisit";
  return (await readAll(dir)).filter(({ type }) => isKept(type)).map(({ url }) => url);
}

async function expectCounted(dir: string, more: readonly string[] = []): Promise<void> {
  expect((await urlsIn(dir)).sort()).toEqual([...COUNTED, ...more].sort());
  await expectIndexOfWarcio(dir);
  expect(readdirSync(join(dir, "warc")).filter((name) => !name.endsWith(".warc.gz"))).toEqual(["index.cdxj"]);
}

describe("the files of several writers", () => {
  it("become one archive, up to their marks, with an index and all bodies", async () => {
    const { dir, store, marks } = await written();
    const extra = join(dir, "warc", `tidemark-${WRITERS[0]}-s005-00001.warc.gz`);
    writeFileSync(extra, "a half record of a page that is in no log");
    expect(marks.size).toBeGreaterThan(SERIES.length);
    adoptWarc(dir, store, marks, SOFTWARE);
    store.close();
    expect(existsSync(extra)).toBe(false);
    await expectCounted(dir);
    const reader = new WarcReader(dir);
    const bodies = new Map(Array.from(reader.entries(), (entry) => [entry.url, reader.body(entry)?.body]));
    for (const k of SERIES.keys()) {
      expect(bodies.get(exchange(100 * k + 10).url)).toEqual(bodies.get(exchange(100 * k).url));
      expect(Buffer.from(bodies.get(exchange(100 * k + 7).url) ?? []).equals(exchange(100 * k + 7).body)).toBe(true);
    }
  });

  it("stay in the archive that one process goes on with, and in its index if that is lost", async () => {
    const { dir, store, marks } = await written();
    adoptWarc(dir, store, marks, SOFTWARE);
    openWarc(dir, store, SOFTWARE).keep(exchange(1000));
    store.close();
    await expectCounted(dir, [exchange(1000).url]);
    rmSync(join(dir, "warc", "index.cdxj"));
    const again = openCrawl(dir);
    openWarc(dir, again, SOFTWARE).keep(exchange(1001));
    again.close();
    await expectCounted(dir, [exchange(1000).url, exchange(1001).url]);
  });

  it("are added to those of earlier runs", async () => {
    const { dir, store, marks } = await written();
    const [first, ...others] = marks;
    const kept = join(temporaryDirectory(), "warc");
    cpSync(join(dir, "warc"), kept, { recursive: true });
    adoptWarc(dir, store, new Map([first]), SOFTWARE);
    // Those of the second run.
    cpSync(kept, join(dir, "warc"), { recursive: true, force: false, errorOnExist: false });
    adoptWarc(dir, store, new Map(others), SOFTWARE);
    store.close();
    await expectCounted(dir);
  });

  it("can be taken over again where that was interrupted", async () => {
    const { dir, store, marks } = await written();
    const before = temporaryDirectory();
    for (const name of ["crawl.sqlite", "crawl.sqlite-wal", "warc"]) {
      cpSync(join(dir, name), join(before, name), { recursive: true });
    }
    adoptWarc(dir, store, marks, SOFTWARE);
    // The index was merged, and nothing was committed.
    cpSync(join(dir, "warc", "index.cdxj"), join(before, "warc", "index.cdxj"));
    store.close();
    const again = openCrawl(before);
    adoptWarc(before, again, marks, SOFTWARE);
    adoptWarc(before, again, marks, SOFTWARE);
    again.close();
    await expectCounted(before);
  });

  it.each([
    ["missing", (path: string) => rmSync(path)],
    ["cut off", (path: string) => truncateSync(path, 700)],
    ["overwritten with zeros", (path: string) => writeFileSync(path, zeroed(readFileSync(path)))],
    ["followed by half a line", (path: string) => appendFileSync(path, '"offset":"1"')],
  ])("have an index of their own that was %s", async (_, damage) => {
    const { dir, store, marks } = await written();
    for (const name of marks.keys()) damage(join(dir, "warc", name.replace(".warc.gz", ".cdxj")));
    adoptWarc(dir, store, marks, SOFTWARE);
    store.close();
    await expectCounted(dir);
  });

  it("are not taken for whole where bytes are missing that the log counts", async () => {
    const { dir, store, marks } = await written({ uncounted: 0 });
    const [[name, { bytes }]] = marks;
    truncateSync(join(dir, "warc", name), bytes - 1);
    expect(() => adoptWarc(dir, store, marks, SOFTWARE)).toThrow(`has ${bytes - 1} bytes, but ${bytes} were committed`);
    store.close();
  });

  it("are gone from a crawl that is started anew", async () => {
    const { dir, store, marks } = await written();
    adoptWarc(dir, store, marks, SOFTWARE);
    store.close();
    const anew = restartCrawl(dir, "{}");
    adoptWarc(dir, anew, new Map(), SOFTWARE);
    anew.close();
    expect(readdirSync(join(dir, "warc"))).toEqual([]);
  });

  it("have other names when their shard comes back to the same writer", async () => {
    const dir = temporaryDirectory();
    const options = { ...SOFTWARE, dir, writer: WRITERS[0], shard: 3 };
    const first = new ShardWarc({ ...options, files: 0 });
    first.keep(exchange(1));
    first.close();
    const second = new ShardWarc({ ...options, files: first.files });
    second.keep(exchange(2));
    second.close();
    expect([...first.takeMarks().keys(), ...second.takeMarks().keys()]).toEqual([
      `tidemark-${WRITERS[0]}-s003-00001.warc.gz`,
      `tidemark-${WRITERS[0]}-s003-00002.warc.gz`,
    ]);
  });
});

/** As a file system may leave a page that was never written. */
function zeroed(bytes: Buffer): Buffer {
  return Buffer.from(bytes).fill(0, 300, 600);
}
