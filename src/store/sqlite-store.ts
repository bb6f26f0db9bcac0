/**
 * The store on disk: an ordered log of facts in `crawl.sqlite` (schema.ts).
 *
 * Life of a write: a fact is written at once inside an open transaction, which `commit` ends and the next fact begins
 * again. So reads see every fact, and a crash at any moment leaves what the last commit left. WAL with `synchronous =
 * FULL`: a commit returns when the disk has it. After the first failure the transaction is rolled back and nothing more
 * is accepted; the next run resumes from the last commit.
 */
import { join } from "node:path";
import { assert } from "../base/index.ts";
import {
  type CutRecord,
  encodeLinks,
  LogRules,
  type LookRecord,
  noSuchOutcome,
  type PageTexts,
  type ReceivedRecord,
  type Reread,
  type RobotsRecord,
  type RoundRecord,
  type SitemapRecord,
  secondOutcome,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import { INSERT_VISIT, rowOfVisit } from "./page-rows.ts";
import { OUTCOME_CODES, REREAD_CODES, SOURCE_CODES } from "./row-codes.ts";
import { type CrawlStore, type KeptVisits, type Scratch, type ScratchUse, StoreError } from "./contract.ts";
import { closeDirectory, type OpenDirectory } from "./crawl-directory.ts";
import { foldableRereads, foldRereads, forgetDeletions, forgettableDeletions } from "./condensed-reads.ts";
import { deletableVisits, deleteVisits, expectDeletable } from "./deleted-visits.ts";
import { ScratchFile } from "./scratch-file.ts";
import { SqliteFailure, type Statement } from "./sqlite.ts";
import { StoreReader } from "./sqlite-reader.ts";

export interface StoreOptions {
  /** Called before each write and each commit, with their count so far: for tests of crashes and failures. */
  readonly beforeWrite?: (count: number) => void;
}

/** It is there for a moment only, whatever the use of the file is. */
const SCRATCH_NAME = "scratch.bin";

export class SqliteStore extends StoreReader implements CrawlStore {
  readonly #directory: OpenDirectory;
  readonly #beforeWrite: ((count: number) => void) | undefined;
  readonly #rules: LogRules;
  readonly #insertOrigin: Statement;
  readonly #insertUrl: Statement;
  /** Prepared when first used: a crawl of an older version, opened to read, has not all its columns. */
  #insertVisit: Statement | undefined;
  #updateVisit: Statement | undefined;
  #insertAnchors: Statement | undefined;
  #insertTexts: Statement | undefined;
  readonly #insertLinks: Statement;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #beforeCommits: (() => void)[] = [];
  readonly #scratches = new Map<ScratchUse, Scratch>();
  readonly #closers: ((inOrder: boolean) => void)[] = [];
  #writes = 0;
  #inTransaction = false;
  #failure: StoreError | undefined;
  #closed = false;

  /** `asOf`: what was known after this visit (default: what is known now). */
  constructor(directory: OpenDirectory, options: StoreOptions, asOf?: number) {
    const { database } = directory;
    super(database, asOf);
    this.#directory = directory;
    this.#beforeWrite = options.beforeWrite;
    const next = (sql: string) => Number(database.prepare(sql).get()?.[0] ?? 0);
    this.#rules = new LogRules({
      origins: next("SELECT max(id) + 1 FROM origins"),
      urls: this.moment.urlCount(database),
      visits: asOf ?? next("SELECT max(number) FROM visits"),
      rereads: this.hasRereads ? next("SELECT max(number) FROM rereads") : 0,
      looks: this.hasLooks ? next("SELECT max(number) FROM looks") : 0,
    });
    this.#insertOrigin = database.prepare("INSERT INTO origins VALUES (?, ?)");
    this.#insertUrl = database.prepare("INSERT INTO urls VALUES (?, ?, ?, ?, ?, ?, ?)");
    // An empty blob arrives as NULL by node:sqlite (seen in Node 22.14), hence `coalesce` here and in `putRobots`.
    this.#insertLinks = database.prepare("INSERT INTO links VALUES (?, coalesce(?, x''))");
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
  }

  get rereadCount(): number {
    return this.#rules.rereads;
  }

  get urlCount(): number {
    return this.#rules.urls;
  }

  get nextVisit(): number {
    return this.#rules.visits + 1;
  }

  /** Called inside every commit, before the database has it, to make durable what lies outside of the database. */
  onCommit(act: () => void): void {
    this.#beforeCommits.push(act);
  }

  /** Called when the store is closed: in order, after the last commit (it may commit again), or after a failure. */
  onClose(act: (inOrder: boolean) => void): void {
    this.#closers.push(act);
  }

  /** Where it cannot be read, nothing more is taken: what was not committed may be half of a page. */
  scratch(use: ScratchUse): Scratch {
    this.#scratches.get(use)?.close();
    const failed = (error: unknown): unknown => this.#failed(error);
    const scratch = new ScratchFile(join(this.#directory.dir, SCRATCH_NAME), { use, failed });
    this.#scratches.set(use, scratch);
    return scratch;
  }

  replaceSettings(json: string): void {
    this.putMeta("settings", json);
  }

  putMeta(key: string, value: string | undefined): void {
    this.#change(() => {
      if (value === undefined) this.database.prepare("DELETE FROM meta WHERE key = ?").run(key);
      else this.database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
    });
  }

  addOrigin(id: number, origin: string): void {
    this.#rules.addOrigin(id);
    this.#change(() => this.#insertOrigin.run(id, origin));
  }

  addUrl(url: UrlRecord): void {
    this.#rules.addUrl(url);
    this.#beforeChange();
    try {
      const { id, origin, path, depth, source, discoveredAt, reason } = url;
      this.#insertUrl.run(id, origin, path, depth, SOURCE_CODES[source], discoveredAt, reason);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** The crawl as it was after this visit, by the same connection: it is closed with this store. */
  asOf(visit: number): SqliteStore {
    return new SqliteStore({ ...this.#directory, lock: undefined }, {}, visit);
  }

  addVisit(visit: Visit, replaces?: number): void {
    this.#rules.addVisit(visit, replaces);
    this.#beforeChange();
    try {
      if (replaces !== undefined) this.#supersede(replaces, visit);
      this.#insertVisit ??= this.database.prepare(INSERT_VISIT);
      this.#insertVisit.run(...rowOfVisit(visit));
      if (visit.links !== null) this.#insertLinks.run(visit.number, encodeLinks(visit.links));
    } catch (error) {
      if (!isSecondOutcome(error)) throw this.#failed(error);
      this.#rules.visits--;
      throw secondOutcome(visit);
    }
  }

  #supersede(replaced: number, visit: Visit): void {
    this.#updateVisit ??= this.database.prepare(`UPDATE visits SET superseded = ?
      WHERE number = ? AND url = ? AND outcome <> ${OUTCOME_CODES["try-again"]} AND superseded IS NULL
      RETURNING number`);
    if (this.#updateVisit.get(visit.number, replaced, visit.url) !== undefined) return;
    this.#rules.visits--;
    throw noSuchOutcome(visit, replaced);
  }

  deletableVisits(kept: KeptVisits): Iterable<readonly number[]> {
    return deletableVisits(this.database, kept);
  }

  deleteVisits(numbers: readonly number[]): void {
    const by = expectDeletable(this.database, numbers);
    this.#change(() => deleteVisits(this.database, numbers, by));
  }

  *condenseReads(untilMs: number): Iterable<number> {
    for (const folds of foldableRereads(this.database, untilMs)) {
      if (folds.folded.length > 0) this.#change(() => foldRereads(this.database, folds));
      yield folds.folded.length;
    }
    for (const numbers of forgettableDeletions(this.database, untilMs)) {
      if (numbers.length > 0) this.#change(() => forgetDeletions(this.database, numbers));
      yield numbers.length;
    }
  }

  addAnchors(visit: number, texts: string): void {
    this.#rules.addTexts(visit);
    this.#change(() => {
      this.#insertAnchors ??= this.database.prepare("INSERT INTO anchors VALUES (?, ?)");
      this.#insertAnchors.run(visit, texts);
    });
  }

  addTexts(visit: number, { text, markdown, html }: PageTexts): void {
    this.#rules.addTexts(visit);
    this.#change(() => {
      this.#insertTexts ??= this.database.prepare("INSERT INTO texts VALUES (?, ?, ?, ?)");
      this.#insertTexts.run(visit, text, markdown, html);
    });
  }

  addReread(reread: Reread): void {
    this.#rules.addReread(reread);
    const { number, url, atMs, outcome, reason, target, status, digest, etag, lastModified } = reread;
    const { milliseconds, wireBytes, visit } = reread;
    const facts = [target ?? reason, status, digest, etag, lastModified, milliseconds, wireBytes, visit];
    this.#change(() => {
      const insert = this.database.prepare("INSERT INTO rereads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)");
      insert.run(number, url, atMs, REREAD_CODES[outcome], ...facts);
    });
  }

  addLook(look: LookRecord): void {
    this.#rules.addLook(look);
    const { number, seed, confidence, target, trustDigest } = look;
    this.#change(() => {
      const insert = this.database.prepare("INSERT INTO looks VALUES (?, ?, ?, ?, ?)");
      insert.run(number, seed, confidence, target, trustDigest);
    });
  }

  addRound(round: RoundRecord): void {
    this.#rules.addRound(round);
    const { look, afterVisit, walks } = round;
    this.#change(() => {
      const insert = this.database.prepare("INSERT INTO rounds (look, after_visit, walks) VALUES (?, ?, ?)");
      insert.run(look, afterVisit, walks);
    });
  }

  addCut(cut: CutRecord): void {
    this.#rules.addCut(cut);
    this.#change(() => {
      this.database.prepare("INSERT INTO cuts VALUES (?, ?)").run(cut.look, cut.url);
    });
  }

  replaceTrust(trust: readonly TrustRecord[]): void {
    this.#rules.replaceTrust(trust);
    this.#change(() => {
      this.database.exec("DELETE FROM trust");
      const insert = this.database.prepare("INSERT INTO trust VALUES (?, ?)");
      for (const { url, weight } of trust) insert.run(url, weight);
    });
  }

  putReceived({ url, sender, total }: ReceivedRecord): void {
    this.#rules.knownUrl(url);
    this.#change(() => {
      this.database.prepare(PUT_RECEIVED).run(url, sender, total);
    });
  }

  putRobots({ origin, atMs, status, body }: RobotsRecord): void {
    this.#rules.putRobots(origin, body);
    this.#change(() => {
      this.database
        .prepare("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, CASE WHEN ? THEN coalesce(?, x'') END)")
        .run(origin, atMs, status, body === null ? 0 : 1, body);
    });
  }

  putSitemap({ address, atMs, entries }: SitemapRecord): void {
    for (const { url } of entries) this.#rules.knownUrl(url);
    this.#change(() => {
      const id = this.database.prepare(PUT_SITEMAP).get(address, atMs)?.[0] as number;
      const put = this.database.prepare(PUT_SITEMAP_URL);
      for (const { url, modifiedMs } of entries) put.run(url, id, modifiedMs);
    });
  }

  commit(): void {
    this.#mayWrite();
    try {
      this.#beforeWrite?.(++this.#writes);
      for (const act of this.#beforeCommits) act();
      if (this.#inTransaction) this.#commit.run();
      this.#inTransaction = false;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  protected override expectKnown(url: number): void {
    this.#rules.knownUrl(url);
  }

  close(): void {
    if (this.#closed) return;
    try {
      if (this.#directory.lock === undefined) this.database.exec("ROLLBACK");
      this.#finish();
    } finally {
      this.#closed = true;
      for (const scratch of this.#scratches.values()) scratch.close();
      closeDirectory(this.#directory);
    }
  }

  #finish(): void {
    const writable = this.#directory.lock !== undefined;
    try {
      if (writable && this.#failure === undefined) this.commit();
    } finally {
      for (const act of this.#closers) act(writable && this.#failure === undefined);
    }
  }

  #change(write: () => void): void {
    this.#beforeChange();
    try {
      write();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #beforeChange(): void {
    this.#mayWrite();
    try {
      this.#beforeWrite?.(++this.#writes);
      if (!this.#inTransaction) this.#begin.run();
      this.#inTransaction = true;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #mayWrite(): void {
    assert(!this.#closed, "a store that was closed is not written to");
    assert(this.#directory.lock !== undefined, "a store opened to be read is not written to");
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Undoes what was not committed and stops taking more; a failure that is none of the store's is left alone. */
  #failed(error: unknown): unknown {
    if (!(error instanceof StoreError)) return error;
    this.#failure = error;
    try {
      if (this.#inTransaction) this.database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself where the failure was grave.
    }
    this.#inTransaction = false;
    return error;
  }
}

const PUT_RECEIVED = `
  INSERT INTO received VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET total = max(total, excluded.total)`;

const PUT_SITEMAP = `
  INSERT INTO sitemaps (address, read_ms) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET read_ms = excluded.read_ms RETURNING id`;

const PUT_SITEMAP_URL = `
  INSERT INTO sitemap_urls VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET sitemap = excluded.sitemap, modified_ms = coalesce(excluded.modified_ms, modified_ms)`;

function isSecondOutcome(error: unknown): boolean {
  return (
    error instanceof SqliteFailure &&
    error.code === "CONSTRAINT" &&
    error.message.includes("UNIQUE constraint failed: visits.url")
  );
}
