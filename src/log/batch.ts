/**
 * Records of a log as bytes: batches that are appended to the log of a shard, and the way back.
 *
 * A batch begins with the number of its first origin, URL and visit; those that follow count up, so they are not
 * written. Strings are UTF-8, numbers varints (base/bytes.ts). The layout is a part of `BATCH_VERSION`: processes of
 * another version do not work on the same job.
 */
import { assert, ByteReader, ByteWriter } from "../base/index.ts";
import { type Refusal, type RefusalReason, refusalReasons } from "../coverage/index.ts";
import { decodeLinks, encodeLinks } from "./codecs.ts";
import {
  outcomes,
  type PageTexts,
  type RobotsRecord,
  type SitemapEntry,
  type SitemapRecord,
  sources,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "./records.ts";

/** Raised whenever other bytes are written. */
export const BATCH_VERSION = 1;

/** Where records go, each to what was written before it. */
export interface LogSink {
  addOrigin(id: number, origin: string): void;
  addUrl(url: UrlRecord): void;
  /** `replaces`: the number of an earlier visit of the same URL, which counts no more. */
  addVisit(visit: Visit, replaces?: number): void;
  /** The texts of the links of a visit, one per line; the last lines may be left out. */
  addAnchors(visit: number, texts: string): void;
  /** The text of the page of a visit. */
  addTexts(visit: number, texts: PageTexts): void;
  replaceTrust(trust: readonly TrustRecord[]): void;
  putRobots(robots: RobotsRecord): void;
  /** `from`: the shard that read it, where the sink has several. */
  putSitemap(sitemap: SitemapRecord, from?: number): void;
  /** Notes of our own about the crawl, by name; undefined removes one. */
  putMeta(key: string, value: string | undefined): void;
}

/** Takes everything and keeps nothing: for readers that want some kinds of records only. */
export const SILENT_SINK: LogSink = {
  addOrigin() {},
  addUrl() {},
  addVisit() {},
  addAnchors() {},
  addTexts() {},
  replaceTrust() {},
  putRobots() {},
  putSitemap() {},
  putMeta() {},
};

export const Kind = {
  Origin: 0,
  Url: 1,
  Visit: 2,
  Anchors: 3,
  Texts: 4,
  Trust: 5,
  Robots: 6,
  Sitemap: 7,
  Meta: 8,
} as const;

/** How many records of each kind were written before a batch. */
export type LogCounts = Readonly<Record<"origins" | "urls" | "visits", number>>;

/** A sink that makes a batch of what it gets. */
export class BatchWriter implements LogSink {
  readonly #bytes = new ByteWriter(32 * 1024);
  #isEmpty = true;
  #counts: { origins: number; urls: number; visits: number };

  constructor(counts: LogCounts = { origins: 0, urls: 0, visits: 0 }) {
    this.#counts = { ...counts };
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  get byteLength(): number {
    return this.#bytes.length;
  }

  /** The batch, if there is anything in it. What comes from now on belongs to the next. */
  take(): Uint8Array | undefined {
    if (this.#isEmpty) return undefined;
    this.#isEmpty = true;
    return this.#bytes.take();
  }

  addOrigin(id: number, origin: string): void {
    this.#begin(Kind.Origin);
    assert(id === this.#counts.origins++, "origins count up");
    this.#bytes.text(origin);
  }

  addUrl({ id, origin, path, depth, source, discoveredAt, reason }: UrlRecord): void {
    this.#begin(Kind.Url);
    assert(id === this.#counts.urls++, "URLs count up");
    this.#bytes.number(origin);
    this.#bytes.number(depth);
    this.#bytes.number(sources.indexOf(source));
    this.#bytes.number(discoveredAt);
    this.#bytes.number(codeOf(reason));
    // A sink has no path; an empty one does not occur.
    this.#bytes.text(path ?? "");
  }

  addVisit(visit: Visit, replaces?: number): void {
    assert(replaces === undefined, "the log of a shard has one final visit per URL");
    this.#begin(Kind.Visit);
    assert(visit.number === ++this.#counts.visits, "visits count up");
    const bytes = this.#bytes;
    bytes.number(flagsOf(visit));
    bytes.number(visit.url);
    bytes.number(visit.atMs);
    bytes.number(outcomes.indexOf(visit.outcome));
    bytes.number(codeOf(visit.reason));
    bytes.number(visit.wireBytes);
    bytes.number(Math.round(visit.milliseconds));
    if (visit.status !== null) bytes.number(visit.status);
    if (visit.target !== null) bytes.number(visit.target);
    if (visit.value !== null) bytes.double(visit.value);
    for (const field of TEXTS_OF_VISIT) {
      const text = visit[field];
      if (text !== null) bytes.text(text);
    }
    if (visit.digest !== null) bytes.bytes(visit.digest);
    if (visit.simhash !== null) bytes.bytes(visit.simhash);
    if (visit.links !== null) bytes.bytes(encodeLinks(visit.links));
  }

  addAnchors(visit: number, texts: string): void {
    this.#begin(Kind.Anchors);
    this.#bytes.number(visit);
    this.#bytes.text(texts);
  }

  addTexts(visit: number, { text, markdown, html }: PageTexts): void {
    this.#begin(Kind.Texts);
    this.#bytes.number(visit);
    for (const form of [text, markdown, html]) {
      this.#bytes.number(form === null ? 0 : 1);
      if (form !== null) this.#bytes.bytes(form);
    }
  }

  replaceTrust(trust: readonly TrustRecord[]): void {
    this.#begin(Kind.Trust);
    this.#bytes.number(trust.length);
    for (const { url, weight } of trust) {
      this.#bytes.number(url);
      this.#bytes.double(weight);
    }
  }

  putRobots({ origin, atMs, status, body }: RobotsRecord): void {
    this.#begin(Kind.Robots);
    this.#bytes.number(origin);
    this.#bytes.number(atMs);
    this.#bytes.number(status === null ? 0 : status + 1);
    this.#bytes.number(body === null ? 0 : 1);
    if (body !== null) this.#bytes.bytes(body);
  }

  putSitemap({ address, atMs, entries }: SitemapRecord): void {
    this.#begin(Kind.Sitemap);
    this.#bytes.text(address);
    this.#bytes.number(atMs);
    this.#bytes.number(entries.length);
    for (const { url, modifiedMs } of entries) {
      this.#bytes.number(url);
      // NaN stands for none; dates may lie before 1970.
      this.#bytes.double(modifiedMs ?? Number.NaN);
    }
  }

  putMeta(key: string, value: string | undefined): void {
    this.#begin(Kind.Meta);
    this.#bytes.text(key);
    this.#bytes.number(value === undefined ? 0 : 1);
    if (value !== undefined) this.#bytes.text(value);
  }

  #begin(kind: number): void {
    if (this.#isEmpty) {
      this.#bytes.number(this.#counts.origins);
      this.#bytes.number(this.#counts.urls);
      this.#bytes.number(this.#counts.visits);
      this.#isEmpty = false;
    }
    this.#bytes.number(kind);
  }
}

/** Hands the records of a batch to a sink, in the order in which they were written. */
export function replayBatch(batch: Uint8Array, sink: LogSink): void {
  const bytes = new ByteReader(batch);
  let origin = bytes.number();
  let url = bytes.number();
  let visit = bytes.number();
  while (!bytes.isAtEnd) {
    const kind = bytes.number();
    switch (kind) {
      case Kind.Origin:
        sink.addOrigin(origin++, bytes.text());
        break;
      case Kind.Url:
        sink.addUrl(readUrl(bytes, url++));
        break;
      case Kind.Visit:
        sink.addVisit(readVisit(bytes, ++visit));
        break;
      case Kind.Anchors:
        sink.addAnchors(bytes.number(), bytes.text());
        break;
      case Kind.Texts:
        sink.addTexts(bytes.number(), { text: readForm(bytes), markdown: readForm(bytes), html: readForm(bytes) });
        break;
      case Kind.Trust:
        sink.replaceTrust(readTrust(bytes));
        break;
      case Kind.Robots:
        sink.putRobots(readRobots(bytes));
        break;
      case Kind.Sitemap:
        sink.putSitemap(readSitemap(bytes));
        break;
      case Kind.Meta:
        sink.putMeta(bytes.text(), bytes.number() === 0 ? undefined : bytes.text());
        break;
      default:
        throw new Error(`assertion failed: a record of kind ${kind} is none of version ${BATCH_VERSION}`);
    }
  }
}

export const TEXTS_OF_VISIT = [
  "detail",
  "contentType",
  "title",
  "language",
  "robotsTag",
  "usage",
  "etag",
  "lastModified",
  "location",
] as const;

export const Flag = {
  Status: 1,
  Target: 2,
  Value: 4,
  Digest: 8,
  Simhash: 16,
  Links: 32,
  Rewritten: 64,
  NoindexKnown: 128,
  Noindex: 256,
  NoarchiveKnown: 512,
  Noarchive: 1024,
  /** One bit for each of `TEXTS_OF_VISIT`, from this one on. */
  FirstText: 2048,
} as const;

function flagsOf(visit: Visit): number {
  let flags = 0;
  if (visit.status !== null) flags |= Flag.Status;
  if (visit.target !== null) flags |= Flag.Target;
  if (visit.value !== null) flags |= Flag.Value;
  if (visit.digest !== null) flags |= Flag.Digest;
  if (visit.simhash !== null) flags |= Flag.Simhash;
  if (visit.links !== null) flags |= Flag.Links;
  if (visit.isRewritten) flags |= Flag.Rewritten;
  if (visit.noindex !== null) flags |= Flag.NoindexKnown;
  if (visit.noindex === true) flags |= Flag.Noindex;
  if (visit.noarchive !== null) flags |= Flag.NoarchiveKnown;
  if (visit.noarchive === true) flags |= Flag.Noarchive;
  for (let k = 0; k < TEXTS_OF_VISIT.length; k++) {
    if (visit[TEXTS_OF_VISIT[k]] !== null) flags |= Flag.FirstText << k;
  }
  return flags;
}

function readVisit(bytes: ByteReader, number: number): Visit {
  const flags = bytes.number();
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const textOf = (k: number): string | null => (has(Flag.FirstText << k) ? bytes.text() : null);
  return {
    number,
    url: bytes.number(),
    atMs: bytes.number(),
    outcome: outcomes[bytes.number()],
    reason: readReason(bytes),
    isRewritten: has(Flag.Rewritten),
    wireBytes: bytes.number(),
    milliseconds: bytes.number(),
    status: has(Flag.Status) ? bytes.number() : null,
    target: has(Flag.Target) ? bytes.number() : null,
    value: has(Flag.Value) ? bytes.double() : null,
    // In the order of TEXTS_OF_VISIT.
    detail: textOf(0),
    contentType: textOf(1),
    title: textOf(2),
    language: textOf(3),
    robotsTag: textOf(4),
    usage: textOf(5),
    etag: textOf(6),
    lastModified: textOf(7),
    location: textOf(8),
    digest: has(Flag.Digest) ? bytes.bytes() : null,
    simhash: has(Flag.Simhash) ? bytes.bytes() : null,
    links: has(Flag.Links) ? decodeLinks(bytes.bytes()) : null,
    noindex: has(Flag.NoindexKnown) ? has(Flag.Noindex) : null,
    noarchive: has(Flag.NoarchiveKnown) ? has(Flag.Noarchive) : null,
  };
}

function readUrl(bytes: ByteReader, id: number): UrlRecord {
  const origin = bytes.number();
  const depth = bytes.number();
  const source = sources[bytes.number()];
  const discoveredAt = bytes.number();
  const reason = readReasonOfUrl(bytes);
  const path = bytes.text();
  return { id, origin, path: path === "" ? null : path, depth, source, discoveredAt, reason };
}

const NO_REASON = 0;
const ELSEWHERE = 1;
/** The first of `refusalReasons`, to which names are only added. */
const FIRST_REASON = 2;

function codeOf(reason: Refusal | null): number {
  if (reason === null) return NO_REASON;
  return reason === "elsewhere" ? ELSEWHERE : FIRST_REASON + refusalReasons.indexOf(reason);
}

export function readReasonOfUrl(bytes: ByteReader): Refusal | null {
  const code = bytes.number();
  return code === NO_REASON ? null : code === ELSEWHERE ? "elsewhere" : refusalReasons[code - FIRST_REASON];
}

function readReason(bytes: ByteReader): RefusalReason | null {
  const code = bytes.number();
  return code === NO_REASON ? null : refusalReasons[code - FIRST_REASON];
}

function readForm(bytes: ByteReader): Uint8Array | null {
  return bytes.number() === 0 ? null : bytes.bytes();
}

function readTrust(bytes: ByteReader): TrustRecord[] {
  return Array.from({ length: bytes.number() }, () => ({ url: bytes.number(), weight: bytes.double() }));
}

function readRobots(bytes: ByteReader): RobotsRecord {
  const origin = bytes.number();
  const atMs = bytes.number();
  const status = bytes.number();
  const body = readForm(bytes);
  return { origin, atMs, status: status === 0 ? null : status - 1, body };
}

function readSitemap(bytes: ByteReader): SitemapRecord {
  const address = bytes.text();
  const atMs = bytes.number();
  const entries = Array.from({ length: bytes.number() }, (): SitemapEntry => {
    const url = bytes.number();
    const modifiedMs = bytes.double();
    return { url, modifiedMs: Number.isNaN(modifiedMs) ? null : modifiedMs };
  });
  return { address, atMs, entries };
}
