/** Batches are read in two ways, in full and in passing: both find the same URLs, whatever lies between them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusalReasons } from "../../src/coverage/index.ts";
import {
  BatchWriter,
  BLANK_VISIT,
  type LogSink,
  outcomes,
  replayBatch,
  SILENT_SINK,
  skimBatch,
  sources,
} from "../../src/log/index.ts";

const text = fc.string({ unit: "grapheme", maxLength: 8 });
const number = fc.oneof(fc.nat(200), fc.maxSafeNat());
const bytes = fc.uint8Array({ maxLength: 20 });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const path = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });

const url = fc.record({
  origin: fc.nat(300),
  path: maybe(path),
  depth: fc.nat(300),
  source: fc.constantFrom(...sources),
  discoveredAt: number,
  reason: maybe(fc.constantFrom("elsewhere" as const, ...refusalReasons)),
});

const visit = fc.record({
  url: fc.nat(300),
  atMs: number,
  outcome: fc.constantFrom(...outcomes),
  reason: maybe(fc.constantFrom(...refusalReasons)),
  isRewritten: fc.boolean(),
  wireBytes: number,
  milliseconds: fc.nat(9999),
  status: maybe(fc.nat(599)),
  target: maybe(fc.nat(300)),
  value: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  detail: maybe(text),
  contentType: maybe(text),
  title: maybe(text),
  language: maybe(text),
  robotsTag: maybe(text),
  usage: maybe(text),
  etag: maybe(text),
  lastModified: maybe(text),
  location: maybe(text),
  digest: maybe(bytes),
  simhash: maybe(bytes),
  links: maybe(fc.array(fc.nat(9999), { maxLength: 9 }).map((ids) => Uint32Array.from(ids))),
  noindex: maybe(fc.boolean()),
  noarchive: maybe(fc.boolean()),
});

type Write = (batch: BatchWriter, counts: { origins: number; urls: number; visits: number }) => void;

const entries = fc.array(fc.record({ url: fc.nat(300), modifiedMs: maybe(fc.integer()) }), { maxLength: 3 });
const trust = fc.array(fc.record({ url: fc.nat(300), weight: fc.double({ min: 0, max: 1, noNaN: true }) }));
const robots = fc.record({ origin: fc.nat(300), atMs: number, status: maybe(fc.nat(599)), body: maybe(bytes) });
const forms = fc.record({ text: maybe(bytes), markdown: maybe(bytes), html: maybe(bytes) });

const write: fc.Arbitrary<Write> = fc.oneof(
  text.map(
    (origin): Write =>
      (batch, counts) =>
        batch.addOrigin(counts.origins++, origin),
  ),
  url.map(
    (record): Write =>
      (batch, counts) =>
        batch.addUrl({ ...record, id: counts.urls++ }),
  ),
  visit.map(
    (record): Write =>
      (batch, counts) => {
        batch.addVisit({ ...BLANK_VISIT, ...record, number: ++counts.visits });
      },
  ),
  text.map(
    (texts): Write =>
      (batch, counts) =>
        batch.addAnchors(counts.visits, texts),
  ),
  forms.map(
    (form): Write =>
      (batch, counts) =>
        batch.addTexts(counts.visits, form),
  ),
  trust.map(
    (records): Write =>
      (batch) =>
        batch.replaceTrust(records),
  ),
  robots.map(
    (record): Write =>
      (batch) =>
        batch.putRobots(record),
  ),
  fc.tuple(text, number, entries).map(
    ([address, atMs, list]): Write =>
      (batch) => {
        batch.putSitemap({ address, atMs, entries: list });
      },
  ),
  fc.tuple(text, maybe(text)).map(
    ([key, value]): Write =>
      (batch) =>
        batch.putMeta(key, value ?? undefined),
  ),
);

type Seen = readonly unknown[];

function replayed(batch: Uint8Array): Seen[] {
  const seen: Seen[] = [];
  const sink: LogSink = {
    ...SILENT_SINK,
    addOrigin: (id, origin) => void seen.push(["origin", id, origin]),
    addUrl: ({ origin, path: at, source, reason }) => void seen.push(["url", origin, at, source, reason]),
    addVisit: () => void seen.push(["visit"]),
    putMeta: (key, value) => void seen.push(["meta", key, value]),
  };
  replayBatch(batch, sink);
  return seen;
}

function skimmed(batch: Uint8Array): Seen[] {
  const seen: Seen[] = [];
  skimBatch(batch, {
    addOrigin: (id, origin) => void seen.push(["origin", id, origin]),
    addUrl: ({ origin, path: at, source, reason }) => void seen.push(["url", origin, at, source, reason]),
    visited: () => void seen.push(["visit"]),
    putMeta: (key, value) => void seen.push(["meta", key, value]),
  });
  return seen;
}

describe("a batch that is read in passing", () => {
  it("tells the same origins, URLs, visits and notes, in the same order, as one that is replayed", () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 20 }), fc.nat(300), (writes, before) => {
        const counts = { origins: before, urls: before, visits: before };
        const writer = new BatchWriter(counts);
        for (const each of writes) each(writer, counts);
        const batch = writer.take();
        if (batch === undefined) return;
        const expected = replayed(batch);
        expect(skimmed(batch)).toEqual(expected);
        // Without anybody who wants the rest, and of URLs only those of some origins.
        const some: Seen[] = [];
        skimBatch(batch, {
          addOrigin() {},
          wants: (reason, origin) => reason === "elsewhere" && origin % 2 === 0,
          addUrl: ({ origin, path: at, source, reason }) => void some.push(["url", origin, at, source, reason]),
        });
        const wanted = ([what, origin, , , reason]: Seen): boolean =>
          what === "url" && reason === "elsewhere" && Number(origin) % 2 === 0;
        expect(some).toEqual(expected.filter(wanted));
      }),
    );
  });
});
