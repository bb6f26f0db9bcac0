/**
 * Reads of a batch only where URLs are named: origins, URLs and notes. Everything else is passed over by its lengths,
 * which takes a fraction of the time in which `replayBatch` makes records of it.
 */
import { ByteReader } from "../base/index.ts";
import type { Refusal } from "../coverage/index.ts";
import { Flag, Kind, type LogSink, readReasonOfUrl, TEXTS_OF_VISIT } from "./batch.ts";
import { type Source, sources } from "./records.ts";

/** Of a URL, as much as tells which it is and how it was discovered. */
export interface SkimmedUrl {
  readonly origin: number;
  readonly path: string | null;
  readonly source: Source;
  readonly reason: Refusal | null;
}

export interface BatchSkim extends Pick<LogSink, "addOrigin"> {
  addUrl(url: SkimmedUrl): void;
  /** Whether URLs of this origin, with this reason, are wanted (default: all are). */
  wants?(reason: Refusal | null, origin: number): boolean;
  visited?(): void;
  putMeta?(key: string, value: string | undefined): void;
}

/** In the order in which they were written. */
export function skimBatch(batch: Uint8Array, skim: BatchSkim): void {
  const bytes = new ByteReader(batch);
  let origin = bytes.number();
  skipNumbers(bytes, 2);
  while (!bytes.isAtEnd) {
    const kind = bytes.number();
    if (kind === Kind.Origin) skim.addOrigin(origin++, bytes.text());
    else if (kind === Kind.Url) skimUrl(bytes, skim);
    else if (kind === Kind.Meta && skim.putMeta !== undefined) {
      skim.putMeta(bytes.text(), bytes.number() === 0 ? undefined : bytes.text());
    } else {
      skipRecord(kind, bytes);
      if (kind === Kind.Visit) skim.visited?.();
    }
  }
}

function skimUrl(bytes: ByteReader, skim: BatchSkim): void {
  const origin = bytes.number();
  skipNumbers(bytes, 1);
  const source = sources[bytes.number()];
  skipNumbers(bytes, 1);
  const reason = readReasonOfUrl(bytes);
  if (skim.wants?.(reason, origin) === false) return bytes.skipBytes();
  const path = bytes.text();
  skim.addUrl({ origin, path: path === "" ? null : path, source, reason });
}

function skipRecord(kind: number, bytes: ByteReader): void {
  switch (kind) {
    case Kind.Visit:
      return skipVisit(bytes);
    case Kind.Anchors:
      skipNumbers(bytes, 1);
      return bytes.skipBytes();
    case Kind.Texts:
      skipNumbers(bytes, 1);
      for (let form = 0; form < 3; form++) skipOptional(bytes);
      return;
    case Kind.Trust:
      return skipWeighted(bytes);
    case Kind.Robots:
      skipNumbers(bytes, 3);
      return skipOptional(bytes);
    case Kind.Sitemap:
      bytes.skipBytes();
      skipNumbers(bytes, 1);
      return skipWeighted(bytes);
    case Kind.Meta:
      bytes.skipBytes();
      return skipOptional(bytes);
    default:
      throw new Error(`assertion failed: a record of kind ${kind} is none of this version`);
  }
}

/** URL, time, outcome, reason, bytes and milliseconds; then what the flags say. */
function skipVisit(bytes: ByteReader): void {
  const flags = bytes.number();
  const has = (flag: number): number => ((flags & flag) === 0 ? 0 : 1);
  skipNumbers(bytes, 6 + has(Flag.Status) + has(Flag.Target));
  if (has(Flag.Value) === 1) bytes.skipDouble();
  let texts = has(Flag.Digest) + has(Flag.Simhash) + has(Flag.Links);
  for (let k = 0; k < TEXTS_OF_VISIT.length; k++) texts += has(Flag.FirstText << k);
  for (let k = 0; k < texts; k++) bytes.skipBytes();
}

function skipWeighted(bytes: ByteReader): void {
  const count = bytes.number();
  for (let k = 0; k < count; k++) {
    skipNumbers(bytes, 1);
    bytes.skipDouble();
  }
}

function skipOptional(bytes: ByteReader): void {
  if (bytes.number() !== 0) bytes.skipBytes();
}

function skipNumbers(bytes: ByteReader, count: number): void {
  for (let k = 0; k < count; k++) bytes.number();
}
