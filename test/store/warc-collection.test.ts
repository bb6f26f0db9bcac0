/** WARC files of workers on many machines, brought together from folders, whatever is missing or interrupts it. */
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TextReader } from "../../src/content/index.ts";
import {
  type Collection,
  collectWarc,
  createCrawl,
  openCrawl,
  openWarc,
  ShardWarc,
  type SqliteStore,
  type WarcMark,
  WarcReader,
} from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { exchange, expectIndexOfWarcio, readAll } from "./warc-reading.ts";

const SOFTWARE = { software: "tidemark/0.0" };

/** A worker that writes files of one shard into a folder of its own. */
class Writer {
  readonly folder = temporaryDirectory();
  readonly #files: ShardWarc;
  readonly #number: number;
  #kept = 0;

  constructor(number: number, shard: number, fileBytesMax = 4000) {
    this.#number = number;
    const writer = `${number}`.repeat(12);
    this.#files = new ShardWarc({ ...SOFTWARE, dir: this.folder, writer, shard, files: 0, fileBytesMax });
  }

  /** URLs of what was kept. */
  async keep(count: number): Promise<string[]> {
    const urls: string[] = [];
    for (let i = 0; i < count; i++) {
      const { url, ...rest } = exchange(1000 * this.#number + this.#kept);
      // Every fifth has the body of the first.
      const body = this.#kept++ % 5 === 4 ? exchange(1000 * this.#number).body : rest.body;
      this.#files.keep({ ...rest, url, body });
      urls.push(url);
    }
    await this.#files.sync();
    return urls;
  }

  takeMarks(): ReadonlyMap<string, WarcMark> {
    return this.#files.takeMarks();
  }

  close(): void {
    this.#files.close();
  }
}

interface Written {
  readonly folders: readonly string[];
  readonly files: ReadonlyMap<string, WarcMark>;
  readonly urls: readonly string[];
}

/** Two workers; what they keep in the end is in no log. */
async function written(): Promise<Written> {
  const writers = [new Writer(1, 0), new Writer(2, 7)];
  const files = new Map<string, WarcMark>();
  const urls: string[] = [];
  for (const writer of writers) {
    urls.push(...(await writer.keep(12)));
    for (const [name, mark] of writer.takeMarks()) files.set(name, mark);
    await writer.keep(3);
    writer.close();
  }
  return { folders: writers.map(({ folder }) => folder), files, urls };
}

interface Collecting extends Pick<Written, "folders" | "files"> {
  readonly signal?: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
}

async function collect(dir: string, store: SqliteStore, options: Collecting): Promise<Collection> {
  const { folders, signal = new AbortController().signal, ...others } = options;
  return collectWarc({ ...SOFTWARE, dir, store, foldersOf: () => folders, signal, ...others });
}

/** Opens the crawl, which is made if need be, and closes it again. */
async function collectIn(dir: string, options: Collecting): Promise<Collection> {
  const store = existsSync(join(dir, "crawl.sqlite")) ? openCrawl(dir) : createCrawl(dir, "{}");
  try {
    return await collect(dir, store, options);
  } finally {
    store.close();
  }
}

async function expectArchived(dir: string, urls: readonly string[]): Promise<void> {
  const records = (await readAll(dir)).filter(({ type }) => type === "response" || type === "revisit");
  expect(records.map(({ url }) => url).sort()).toEqual([...urls].sort());
  await expectIndexOfWarcio(dir);
  expect(readdirSync(join(dir, "warc")).filter((name) => !name.endsWith(".warc.gz"))).toEqual(["index.cdxj"]);
}

function contentsOf(folder: string): ReadonlyMap<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("latin1")]));
}

describe("WARC files of workers", () => {
  it("come from several folders, up to what counts, and stay there as they were", async () => {
    const { folders, files, urls } = await written();
    const before = folders.map(contentsOf);
    const dir = temporaryDirectory();
    const collection = await collectIn(dir, { folders, files });
    expect(collection).toEqual({ files: files.size, responses: 24, missing: [], isInterrupted: false });
    expect(files.size).toBeGreaterThan(2);
    await expectArchived(dir, urls);
    expect(folders.map(contentsOf)).toEqual(before);
  });

  it("that are missing are named, and added when they are found", async () => {
    const { folders, files, urls } = await written();
    const dir = temporaryDirectory();
    const { missing } = await collectIn(dir, { folders: [folders[0]], files });
    const ofSecond = [...files].filter(([name]) => name.includes("222222"));
    const expected = ofSecond.map(([name, { lines }]) => ({
      name,
      shard: 7,
      responses: lines,
      problem: "not found",
    }));
    expect(missing).toEqual(expected);
    await expectArchived(
      dir,
      urls.filter((_, i) => i < 12),
    );
    // What is there already need not be found again.
    const again = await collectIn(dir, { folders: [folders[1]], files });
    expect(again).toMatchObject({ files: files.size, responses: 24, missing: [] });
    await expectArchived(dir, urls);
  });

  it.each([
    ["cut", (path: string) => truncateSync(path, statSync(path).size - 2500), /has only \d+ of \d+ bytes/],
    ["damaged", (path: string) => writeFileSync(path, flipped(readFileSync(path))), /is damaged/],
    ["a folder", (path: string) => [rmSync(path), mkdirSync(path)], /not found/],
  ])("that are %s are not taken, unless another folder has them whole", async (_, damage, problem) => {
    const { folders, files, urls } = await written();
    const [name] = files.keys();
    const copy = temporaryDirectory();
    cpSync(join(folders[0], name), join(copy, name));
    damage(join(folders[0], name));
    const dir = temporaryDirectory();
    const { missing } = await collectIn(dir, { folders, files });
    expect(missing).toEqual([expect.objectContaining({ name, problem: expect.stringMatching(problem) })]);
    const lost = files.get(name)?.lines ?? 0;
    await expectArchived(dir, urls.slice(lost));
    expect(await collectIn(dir, { folders: [...folders, copy], files })).toMatchObject({ missing: [] });
    await expectArchived(dir, urls);
  });

  it("that have grown are added to, without what is there already", async () => {
    const writer = new Writer(3, 2, 1e6);
    const urls = await writer.keep(20);
    const early = writer.takeMarks();
    const dir = temporaryDirectory();
    const folders = [writer.folder];
    const copied: number[] = [];
    const onBytes = (bytes: number): void => void copied.push(bytes);
    await collectIn(dir, { folders, files: early, onBytes });
    await expectArchived(dir, urls);
    urls.push(...(await writer.keep(5)));
    const late = writer.takeMarks();
    expect([...late.keys()]).toEqual([...early.keys()]);
    await collectIn(dir, { folders, files: late, onBytes });
    await expectArchived(dir, urls);
    const [[name, { bytes }]] = early;
    expect(copied).toEqual([bytes, (late.get(name)?.bytes ?? 0) - bytes]);
    // The beginning is here, but the rest is not what the worker has written.
    urls.push(...(await writer.keep(1)));
    const path = join(writer.folder, name);
    const whole = readFileSync(path);
    const last = writer.takeMarks();
    writer.close();
    writeFileSync(path, flipped(whole));
    const { missing } = await collectIn(dir, { folders, files: last });
    expect(missing).toEqual([expect.objectContaining({ responses: 1, problem: expect.stringContaining("damaged") })]);
    await expectArchived(dir, urls.slice(0, -1));
    writeFileSync(path, whole);
    await collectIn(dir, { folders, files: last });
    await expectArchived(dir, urls);
  });

  it("are brought again where somebody has deleted them here", async () => {
    const { folders, files, urls } = await written();
    const dir = temporaryDirectory();
    await collectIn(dir, { folders, files });
    const [name] = files.keys();
    rmSync(join(dir, "warc", name));
    await collectIn(dir, { folders, files });
    await expectArchived(dir, urls);
  });

  it("that somebody has copied into the archive are taken from there", async () => {
    const { folders, files, urls } = await written();
    const dir = temporaryDirectory();
    createCrawl(dir, "{}").close();
    for (const folder of folders) cpSync(folder, join(dir, "warc"), { recursive: true });
    const unknown = join(dir, "warc", "tidemark-999999999999-s001-00001.warc.gz");
    writeFileSync(unknown, "of another job, or of a later note");
    expect(await collectIn(dir, { folders: [], files })).toMatchObject({ missing: [] });
    expect(existsSync(unknown)).toBe(true);
    rmSync(unknown);
    await expectArchived(dir, urls);
  });

  it("leave revisits without a body where the file with the body is missing", async () => {
    const { folders, files } = await written();
    const [first] = files.keys();
    rmSync(join(folders[0], first));
    const dir = temporaryDirectory();
    await collectIn(dir, { folders, files });
    const reader = new WarcReader(dir);
    const entries = [...reader.entries()].filter(({ url }) => url === exchange(1009).url);
    expect(entries.map((entry) => [entry.mime, reader.body(entry)])).toEqual([["warc/revisit", undefined]]);
    const texts = new TextReader(dir, { textsOf: () => undefined });
    expect(texts.read(0, exchange(1009).url, "text")).toBe(undefined);
    expect(texts.read(0, exchange(2009).url, "text")).toMatch(/x/);
  });

  it("are refused where a log has a name that leads elsewhere", async () => {
    const { folders, files } = await written();
    const [[, mark]] = files;
    for (const name of ["../../etc/passwd", "tidemark-111111111111-s000-00001.cdxj", "index.cdxj"]) {
      const dir = temporaryDirectory();
      await expect(collectIn(dir, { folders, files: new Map([[name, mark]]) })).rejects.toThrow("no worker can have");
    }
  });
});

describe("bringing WARC files together", () => {
  it("stops when it is told to, and goes on later", async () => {
    const { folders, files, urls } = await written();
    const dir = temporaryDirectory();
    for (let missing = files.size - 2; missing >= 0; missing -= 2) {
      const stop = new AbortController();
      let seen = 0;
      const onBytes = (): void => void (++seen === 2 && stop.abort());
      const collection = await collectIn(dir, { folders, files, signal: stop.signal, onBytes });
      expect(collection).toMatchObject({ files: files.size - missing, isInterrupted: true });
      expect(collection.missing).toHaveLength(missing);
    }
    await collectIn(dir, { folders, files });
    await expectArchived(dir, urls);
  });

  it("stops in the middle of a large file, of which nothing stays", async () => {
    const folder = temporaryDirectory();
    const large = new ShardWarc({ ...SOFTWARE, dir: folder, writer: "4".repeat(12), shard: 0, files: 0 });
    large.keep(exchange(1, { body: randomBytes(3e6) }));
    await large.sync();
    large.close();
    const options = { folders: [folder], files: large.takeMarks() };
    const dir = temporaryDirectory();
    const stop = new AbortController();
    const stopped = await collectIn(dir, { ...options, signal: stop.signal, onBytes: () => stop.abort() });
    expect(stopped).toMatchObject({ files: 0, missing: [{ problem: expect.stringContaining("interrupted") }] });
    expect(readdirSync(join(dir, "warc"))).toEqual([]);
    await collectIn(dir, options);
    await expectArchived(dir, [exchange(1).url]);
  });

  it("loses nothing and leaves nothing behind when it is killed, at any moment", async () => {
    const { folders, files, urls } = await written();
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const moments: string[] = [];
    const remember = (): void => {
      const moment = temporaryDirectory();
      for (const name of readdirSync(dir).filter((each) => each !== "lock")) {
        cpSync(join(dir, name), join(moment, name), { recursive: true });
      }
      moments.push(moment);
    };
    // Before each commit, and while each file is copied.
    store.onCommit(remember);
    const [half] = files;
    await collect(dir, store, { folders, files: new Map([half]), onBytes: remember });
    await collect(dir, store, { folders, files, onBytes: remember });
    store.close();
    expect(moments.length).toBeGreaterThan(files.size + 3);
    for (const moment of moments) {
      const other = temporaryDirectory();
      cpSync(moment, other, { recursive: true });
      expect(await collectIn(moment, { folders, files })).toMatchObject({ missing: [] });
      await expectArchived(moment, urls);
      // Or somebody crawls on in it: what was not committed is not part of the archive.
      const crawl = openCrawl(other);
      openWarc(other, crawl, SOFTWARE).keep(exchange(5000));
      crawl.close();
      const there = (await readAll(other)).map(({ url }) => url).filter((url) => url !== "");
      expect(there).toContain(exchange(5000).url);
      await expectIndexOfWarcio(other);
    }
  });

  it("does not take a file for whole that was cut after it had been brought", async () => {
    const { folders, files, urls } = await written();
    const dir = temporaryDirectory();
    await collectIn(dir, { folders, files });
    const [name, mark] = [...files].at(-1) ?? expect.fail("no files");
    appendFileSync(join(dir, "warc", name), "half a record that a killed process has added");
    await collectIn(dir, { folders, files });
    expect(statSync(join(dir, "warc", name)).size).toBe(mark.bytes);
    await expectArchived(dir, urls);
  });
});

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.length - 600;
  changed[at] ^= 1;
  return changed;
}
