/**
 * What every store of facts must keep. Logs are random: origins, URLs and sinks, visits of every outcome, robots and
 * trust replaced, commits in between; the store is closed, killed or failed at any of its writes, and what is read
 * back is compared with a plain list of what was written.
 */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type CrawlStore, type KeptVisits, StoreError } from "../../src/store/index.ts";
import {
  type CrawlLog,
  BLANK_VISIT,
  type Reread,
  rereadOutcomes,
  type RobotsRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../../src/log/index.ts";
import { cases } from "../support/cases.ts";
import { type Fact, type Facts, facts, writeFact } from "../support/facts.ts";
import { readSteps, START_MS, writeReads } from "../support/reread-logs.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";

/** A store and what can happen to it. */
export interface StoreUnderTest {
  readonly store: CrawlStore;
  /** Writes so far: each fact is one, each commit is one. */
  writes(): number;
  /** The write of this number and all after it fail, until the store is opened again. */
  failAt(writeNumber: number, kind: StoreError["kind"]): void;
  /** Closed in order and opened again. */
  reopen(): StoreUnderTest;
  /** Killed without a word and opened again. */
  crash(): StoreUnderTest;
  /** The log as it was after a visit. */
  asOf(visit: number): CrawlLog;
  /** Frees what the test holds. */
  dispose(): void;
}

/** `runs` is how many random logs each property draws. */
export function storeContract(
  name: string,
  create: (settingsJson: string) => StoreUnderTest,
  { runs }: { readonly runs: number },
): void {
  describe(`the store ${name}`, () => {
    const opened: StoreUnderTest[] = [];
    afterEach(() => {
      for (const subject of opened.splice(0)) subject.dispose();
    });
    const make = (settings = "{}"): StoreUnderTest => {
      const subject = create(settings);
      opened.push(subject);
      return subject;
    };

    it("has the settings that it was made with, and those that replace them", () => {
      let subject = make('{"order":"rankmass"}');
      expect(subject.store.settings()).toBe('{"order":"rankmass"}');
      subject.store.replaceSettings('{"order":"fpr@20","name":"Ünïcode 🌊"}');
      expect(subject.store.settings()).toBe('{"order":"fpr@20","name":"Ünïcode 🌊"}');
      subject = subject.crash();
      expect(subject.store.settings()).toBe('{"order":"rankmass"}');
      subject.store.replaceSettings("[]");
      subject = subject.reopen();
      expect(subject.store.settings()).toBe("[]");
    });

    it("has the words about the crawl that were committed, until they are taken away", () => {
      let subject = make();
      expect(subject.store.meta("end")).toBeUndefined();
      subject.store.putMeta("end", "one");
      subject.store.putMeta("end", "other");
      expect(subject.store.meta("end")).toBe("other");
      subject.store.commit();
      subject.store.putMeta("end", undefined);
      expect(subject.store.meta("end")).toBeUndefined();
      subject = subject.crash();
      expect(subject.store.meta("end")).toBe("other");
      subject.store.putMeta("end", undefined);
      subject.store.putMeta("never", undefined);
      subject = subject.reopen();
      expect(subject.store.meta("end")).toBeUndefined();
    });

    it("is empty when it was just made", () => {
      expect(contents(make().store)).toEqual({ origins: [], urls: [], visits: [], trust: [], robots: [] });
    });

    it("returns at once, and after closing, what was written, in the order of its numbers", () => {
      fc.assert(
        fc.property(facts, (facts) => {
          let subject = make();
          for (const fact of facts.log) writeFact(subject.store, fact);
          expect(contents(subject.store)).toEqual(outcomeOf(facts.log));
          subject = subject.reopen();
          expect(contents(subject.store)).toEqual(outcomeOf(facts.log));
          subject.dispose();
        }),
        { numRuns: cases(runs) },
      );
    });

    it("keeps after a crash what was committed, and nothing else", () => {
      fc.assert(
        fc.property(facts, (facts) => {
          let subject = make();
          for (const fact of facts.log) writeFact(subject.store, fact);
          subject = subject.crash();
          expect(contents(subject.store)).toEqual(outcomeOf(committedPart(facts.log)));
          for (const fact of facts.log.slice(committedPart(facts.log).length)) writeFact(subject.store, fact);
          expect(contents(subject.store)).toEqual(outcomeOf(facts.log));
          subject.dispose();
        }),
        { numRuns: cases(runs) },
      );
    });

    it("says what failed at any write, refuses more, keeps what was committed, and works when opened again", () => {
      const kind = fc.constantFrom<StoreError["kind"]>("disk-full", "failed");
      fc.assert(
        fc.property(facts, fc.nat(), kind, (facts, draw, kind) => {
          let subject = make();
          const write = 1 + (draw % facts.log.length);
          subject.failAt(subject.writes() + write, kind);
          for (const fact of facts.log.slice(0, write - 1)) writeFact(subject.store, fact);
          const { store } = subject;
          for (let i = write - 1; i < Math.min(write + 2, facts.log.length); i++) {
            expect(errorOf(() => writeFact(store, facts.log[i]))).toMatchObject({ name: "StoreError", kind });
          }
          expect(errorOf(() => store.commit())).toBeInstanceOf(StoreError);
          subject = subject.reopen();
          const kept = committedPart(facts.log.slice(0, write - 1));
          expect(contents(subject.store)).toEqual(outcomeOf(kept));
          for (const fact of facts.log.slice(kept.length)) writeFact(subject.store, fact);
          expect(contents(subject.store)).toEqual(outcomeOf(facts.log));
          subject.dispose();
        }),
        { numRuns: cases(runs) },
      );
    });

    it("gives back the texts of the links of a page, unless a crash undid its visit", () => {
      let subject = make();
      tellSmallCrawl(subject.store);
      const [first] = subject.store.visits();
      const link = { origin: 0, depth: 1, source: "link", discoveredAt: 8, reason: null } as const;
      for (const id of [9, 10]) subject.store.addUrl({ ...link, id, path: `/${id}` });
      subject.store.addVisit({ ...first, number: 9, url: 9 });
      subject.store.addAnchors(9, "One\n\nThree");
      subject.store.commit();
      subject.store.addVisit({ ...first, number: 10, url: 10 });
      subject.store.addAnchors(10, "lost");
      expect(() => subject.store.addAnchors(9, "x")).toThrow("texts are those of the last visit, number 10");
      expect([9, 10, 0].map((url) => subject.store.anchorsOf(url))).toEqual(["One\n\nThree", "lost", undefined]);
      subject = subject.crash();
      subject.store.addVisit({ ...first, number: 10, url: 10 });
      expect([9, 10].map((url) => subject.store.anchorsOf(url))).toEqual(["One\n\nThree", undefined]);
    });

    it("gives back the text of a page, unless a crash undid its visit", () => {
      let subject = make();
      tellSmallCrawl(subject.store);
      const [first] = subject.store.visits();
      const link = { origin: 0, depth: 1, source: "link", discoveredAt: 8, reason: null } as const;
      const texts = { text: Uint8Array.of(1, 0, 2), markdown: null, html: Uint8Array.of(7) };
      for (const id of [9, 10]) subject.store.addUrl({ ...link, id, path: `/${id}` });
      subject.store.addVisit({ ...first, number: 9, url: 9 });
      subject.store.addTexts(9, texts);
      subject.store.commit();
      subject.store.addVisit({ ...first, number: 10, url: 10 });
      subject.store.addTexts(10, texts);
      expect(() => subject.store.addTexts(9, texts)).toThrow("texts are those of the last visit, number 10");
      expect([9, 10, 0].map((url) => subject.store.textsOf(url) !== undefined)).toEqual([true, true, false]);
      subject = subject.crash();
      subject.store.addVisit({ ...first, number: 10, url: 10 });
      const { text, markdown, html } = subject.store.textsOf(9) ?? {};
      expect([[...(text ?? [])], markdown, [...(html ?? [])]]).toEqual([[1, 0, 2], null, [7]]);
      expect(subject.store.textsOf(10)).toBeUndefined();
    });

    it("keeps what became of pages read again, apart from the visits, from commit to commit", () => {
      let subject = small(make());
      const isMoved = (number: number) => rereadOutcomes[number % rereadOutcomes.length] === "moved";
      const reread = (number: number): Reread => ({
        number,
        url: number % 2,
        atMs: 4102444800000 + number,
        outcome: rereadOutcomes[number % rereadOutcomes.length],
        reason: number % 3 === 0 || isMoved(number) ? null : `status-${number}`,
        target: isMoved(number) ? `https://a.example/${number}` : null,
        status: number % 3 === 0 ? null : number,
        digest: number % 2 === 0 ? null : Uint8Array.of(1, 2, 3, 4, 5, 6, 7, number),
        etag: number === 1 ? "" : null,
        lastModified: number === 2 ? "Thu, 01 Jan 1970 00:00:00 GMT" : null,
        milliseconds: number,
        wireBytes: 2 ** 40,
        visit: null,
      });
      const told = Array.from({ length: 6 }, (_, k) => reread(k + 1));
      for (const each of told.slice(0, 4)) subject.store.addReread(each);
      subject.store.commit();
      for (const each of told.slice(4)) subject.store.addReread(each);
      expect(rereadsOf(subject.store)).toEqual(told);
      expect([...subject.store.visits()]).toEqual([]);
      subject = subject.crash();
      expect(rereadsOf(subject.store)).toEqual(told.slice(0, 4));
      expect(() => subject.store.addReread(reread(6))).toThrow("reread 6 was appended when 5 was next");
      expect(() => subject.store.addReread({ ...reread(5), url: 99 })).toThrow("URL 99 is not in the log");
      subject.store.addReread(reread(5));
      subject = subject.reopen();
      expect(rereadsOf(subject.store)).toEqual(told.slice(0, 5));
      expect(subject.store.rereadCount).toBe(5);
    });

    it("knows the path of a URL just added and of one added long ago, but of no sink", () => {
      let { store, ...subject } = small(make());
      expect(store.pathOf(0)).toBe("/");
      expect(store.pathOf(1)).toBe("/a?q=ü#🌊");
      expect(() => store.pathOf(2)).toThrow("URL 2 is a sink");
      expect(() => store.pathOf(3)).toThrow("URL 3 is not in the log");
      ({ store, ...subject } = subject.reopen());
      expect(store.pathOf(1)).toBe("/a?q=ü#🌊");
      expect(() => store.pathOf(2)).toThrow("URL 2 is a sink");
      expect(() => store.pathOf(3)).toThrow("URL 3 is not in the log");
    });

    it("keeps ids and sizes of the whole range, empty texts and empty lists apart from none", () => {
      let subject = small(make());
      const links = new Uint32Array([4294967295, 0, 4294967294, 4294967294, 1, 2147483648]);
      const visit = { ...page(1, 0), links, wireBytes: 2 ** 40, atMs: 4102444800123, milliseconds: 1234567 };
      const empty = {
        ...page(2, 1),
        links: new Uint32Array(),
        title: "",
        etag: "",
        contentType: "",
        digest: null,
      };
      subject.store.addVisit(visit);
      subject.store.addVisit(empty);
      subject = subject.reopen();
      expect([...subject.store.visits()].map(plainVisit)).toEqual([visit, empty].map(plainVisit));
    });

    it("keeps the greatest total that each sender has sent to a URL", () => {
      let subject = small(make());
      subject.store.putReceived({ url: 1, sender: 3, total: 0.5 });
      subject.store.putReceived({ url: 0, sender: 4, total: 0.125 });
      subject.store.putReceived({ url: 1, sender: 3, total: 0.25 });
      subject.store.putReceived({ url: 1, sender: 2, total: 0.0625 });
      subject = subject.reopen();
      expect([...subject.store.received()]).toEqual([
        { url: 0, sender: 4, total: 0.125 },
        { url: 1, sender: 2, total: 0.0625 },
        { url: 1, sender: 3, total: 0.5 },
      ]);
      const { store } = subject;
      expect(() => store.putReceived({ url: 9, sender: 1, total: 0.5 })).toThrow("URL 9 is not in the log");
    });

    it("takes any number of tries of one URL, and one final outcome", () => {
      let subject = small(make());
      subject.store.addVisit({
        ...page(1, 0),
        outcome: "try-again",
        links: null,
        detail: "connect-timeout",
      });
      subject.store.addVisit({
        ...page(2, 0),
        outcome: "try-again",
        links: null,
        detail: "connect-timeout",
      });
      subject.store.addVisit(page(3, 0));
      const { store } = subject;
      expect(() => store.addVisit(page(4, 0))).toThrow('visit 4 gives URL 0 the outcome "downloaded"');
      subject = subject.reopen();
      const again = subject.store;
      expect(() => again.addVisit({ ...page(4, 0), outcome: "dead", links: null })).toThrow(
        'visit 4 gives URL 0 the outcome "dead"',
      );
      expect([...again.visits()].map(({ outcome }) => outcome)).toEqual(["try-again", "try-again", "downloaded"]);
      again.addVisit(page(4, 1));
    });

    it("counts the newest final visit of a URL that was visited again, and gives back every earlier view", () => {
      let subject = small(make());
      const texts = { text: Uint8Array.of(1), markdown: null, html: null };
      const gone = { ...page(4, 0), outcome: "dead", links: null, title: null } as const;
      const numbers = (log: CrawlLog, first = 1): number[] => Array.from(log.visits(first), ({ number }) => number);
      subject.store.addVisit(page(1, 0));
      subject.store.addTexts(1, texts);
      subject.store.addVisit(page(2, 1));
      subject.store.commit();
      for (const isKilled of [true, false]) {
        const { store } = subject;
        store.addVisit({ ...page(3, 0), title: "Second", links: Uint32Array.of(0) }, 1);
        expect([numbers(store), numbers(store, 2), store.textsOf(0)]).toEqual([[2, 3], [2, 3], undefined]);
        store.addVisit(gone, 3);
        expect(numbers(store)).toEqual([2, 4]);
        if (!isKilled) store.commit();
        subject = subject.crash();
        if (!isKilled) break;
        expect([subject.store.generation, [...subject.store.replacedVisits()]]).toEqual([0, []]);
        expect([numbers(subject.store), [...(subject.store.textsOf(0)?.text ?? [])]]).toEqual([[1, 2], [1]]);
      }
      const views = [1, 2, 3, 4].map((visit) => subject.asOf(visit));
      expect(views.map((log) => numbers(log))).toEqual([[1], [1, 2], [2, 3], [2, 4]]);
      expect(views.map(({ generation }) => generation)).toEqual([0, 0, 3, 4]);
      expect([...views[2].visits(3)].map(({ title }) => title)).toEqual(["Second"]);
      const { atMs } = page(1, 0);
      expect([...subject.store.replacedVisits()]).toEqual([
        { number: 1, url: 0, atMs, outcome: "downloaded", by: 3 },
        { number: 3, url: 0, atMs: atMs + 2, outcome: "downloaded", by: 4 },
      ]);
    });

    it("gives back, as of every visit, what the store held just before the next one", () => {
      fc.assert(
        fc.property(facts, ({ log }) => {
          const subject = make();
          const seen: string[] = [];
          for (const fact of log) {
            if (fact.about === "visit") seen.push(viewOf(subject.store));
            writeFact(subject.store, fact);
          }
          seen.push(viewOf(subject.store));
          for (const [visit, view] of seen.entries()) expect(viewOf(subject.asOf(visit))).toBe(view);
          subject.dispose();
        }),
        { numRuns: cases(Math.ceil(runs / 10)) },
      );
    });

    it("deletes visits that count no more, with what they hold, and says which moments cannot be seen any more", () => {
      let subject = small(make());
      const { store } = subject;
      const texts = { text: Uint8Array.of(1), markdown: null, html: null };
      for (const [number, url, replaces] of [
        [1, 0],
        [2, 1],
        [3, 0, 1],
        [4, 0, 3],
        [5, 1, 2],
      ]) {
        store.addVisit(page(number, url), replaces);
        store.addTexts(number, texts);
        store.addAnchors(number, `${number}`);
      }
      store.commit();
      const numbersOf = (kept: KeptVisits) => [...store.deletableVisits(kept)].flat().sort((a, b) => a - b);
      const { atMs } = page(0, 0);
      const kinds = [{ newest: 1 }, { newest: 2 }, { newest: 3 }, ...[2, 3, 4, 5].map((k) => ({ sinceMs: atMs + k }))];
      expect(kinds.map(numbersOf)).toEqual([[1, 2, 3], [1], [], [], [1], [1, 3], [1, 2, 3]]);
      for (const wrong of [0, 4, 5, 6]) expect(() => store.deleteVisits([1, wrong])).toThrow(`visit ${wrong} was not`);
      expect(() => store.deleteVisits([3])).toThrow("visit 3 cannot be deleted before the one that it replaced");
      store.deleteVisits([1]);
      expect(() => store.deleteVisits([1])).toThrow("visit 1 was not replaced or is gone");
      expect(() => subject.asOf(2)).toThrow(
        `before ${new Date(atMs + 3).toISOString()} is no longer whole, because tidemark refresh --keep-visits`,
      );
      subject = subject.crash();
      expect([...subject.asOf(1).visits()].map(({ number, links }) => [number, links?.length])).toEqual([[1, 3]]);
      subject.store.deleteVisits([1]);
      subject = subject.reopen();
      expect(() => subject.asOf(2)).toThrow("is no longer whole");
      expect([3, 4, 5].map((n) => [...subject.asOf(n).visits()].map(({ number }) => number))).toEqual([
        [2, 3],
        [2, 4],
        [4, 5],
      ]);
      expect([0, 1].map((url) => subject.store.anchorsOf(url))).toEqual(["4", "5"]);
      expect(subject.store.textsOf(0)?.text).toHaveLength(1);
      expect([...subject.store.deletableVisits({ newest: 1 })].flat().sort()).toEqual([2, 3]);
      expect(() => subject.store.addVisit(page(1, 0), 4)).toThrow("visit 1 was appended when 6 was next");
    });

    it("condenses reads, killed at any write, and tells the same of each page", () => {
      const share = fc.double({ min: 0, max: 1, noNaN: true });
      let freed = 0;
      fc.assert(
        fc.property(readSteps, share, fc.boolean(), (steps, share, deletes) => {
          let subject = make();
          const endMs = writeReads(subject.store, steps);
          if (deletes) deleteAll(subject.store, { newest: 1 }, 3);
          const untilMs = START_MS + share * Math.max(0, endMs - START_MS);
          const [before, rows] = [readsTold(subject.store), subject.store.rereadCount];
          for (let write = 1, isDone = false; !isDone; write++) {
            subject.failAt(subject.writes() + write, "failed");
            isDone = errorOf(() => condenseAll(subject.store, untilMs)) === undefined;
            subject = subject.crash();
            expect(readsTold(subject.store)).toEqual(before);
          }
          freed += rows - [...subject.store.rereads()].length;
          subject = subject.reopen();
          expect(readsTold(subject.store)).toEqual(before);
          expect(subject.store.rereadCount).toBe(rows);
          subject.dispose();
        }),
        { numRuns: cases(runs) },
      );
      expect(freed).toBeGreaterThan(cases(runs) / 10);
    });

    it("deletes within any bound, killed at any write, and changes neither what counts nor the views that it allows", () => {
      const sinceMs = fc.integer({ min: 1_699_999_999_999, max: 1_700_001_000_000 }).map((ms) => ({ sinceMs: ms }));
      const kept = fc.oneof(
        fc.integer({ min: 1, max: 4 }).map((newest) => ({ newest })),
        sinceMs,
      );
      let refused = 0;
      let allowed = 0;
      fc.assert(
        fc.property(facts, kept, fc.integer({ min: 1, max: 3 }), ({ log }, kept, atOnce) => {
          let subject = make();
          const seen: string[] = [];
          for (const fact of log) {
            if (fact.about === "visit") seen.push(viewOf(subject.store));
            writeFact(subject.store, fact);
          }
          seen.push(viewOf(subject.store));
          subject.store.commit();
          const before = everythingOf(subject.store);
          const replaced = [...subject.store.replacedVisits()];
          const wanted = beyond(kept, log);
          for (let write = 1, isDone = false; !isDone; write++) {
            subject.failAt(subject.writes() + write, "failed");
            isDone = errorOf(() => deleteAll(subject.store, kept, atOnce)) === undefined;
            subject = subject.crash();
            expect(everythingOf(subject.store)).toEqual(before);
            const left = new Set([...subject.store.deletableVisits(kept)].flat());
            const lost = replaced.filter(({ number }) => wanted.has(number) && !left.has(number));
            expect([...left].filter((number) => !wanted.has(number))).toEqual([]);
            if (isDone) expect(left.size).toBe(0);
            const from = lost.reduce((last, { by }) => Math.max(last, by), 0);
            for (const [visit, view] of seen.entries()) {
              if (visit < from) expect(() => subject.asOf(visit)).toThrow("is no longer whole");
              else expect(viewOf(subject.asOf(visit))).toBe(view);
              if (visit < from) refused++;
              else if (from > 0) allowed++;
            }
          }
          subject.dispose();
        }),
        { numRuns: cases(runs) },
      );
      expect(Math.min(refused, allowed)).toBeGreaterThan(0);
    });

    it("refuses to replace anything but the outcome of the same URL that counts", () => {
      const { store } = small(make());
      store.addVisit({ ...page(1, 0), outcome: "try-again", links: null });
      store.addVisit(page(2, 0));
      store.addVisit(page(3, 1));
      const next = page(4, 0);
      for (const replaced of [1, 3, 4, 99]) {
        expect(() => store.addVisit(next, replaced)).toThrow(`visit 4 replaces visit ${replaced}`);
      }
      expect(() => store.addVisit({ ...next, outcome: "try-again", links: null }, 2)).toThrow("only if it is final");
      store.addVisit(next, 2);
      expect(() => store.addVisit(page(5, 0), 2)).toThrow("visit 5 replaces visit 2");
      expect(() => store.addVisit(page(5, 0))).toThrow('visit 5 gives URL 0 the outcome "downloaded"');
      store.addVisit(page(5, 0), 4);
    });

    it("refuses facts out of turn, and facts about what is not in the log", () => {
      const { store } = small(make());
      expect(() => store.addOrigin(2, "http://c.example")).toThrow("origin 2 was appended when 1 was next");
      expect(() => store.addUrl({ ...url(5), path: "/x" })).toThrow("URL 5 was appended when 3 was next");
      expect(() => store.addUrl({ ...url(3), origin: 1 })).toThrow("origin 1 is not in the log");
      expect(() => store.addUrl({ ...url(3), path: null })).toThrow("a sink with a reason");
      expect(() => store.addVisit(page(2, 0))).toThrow("visit 2 was appended when 1 was next");
      expect(() => store.addVisit(page(1, 3))).toThrow("URL 3 is not in the log");
      expect(() => store.addVisit({ ...page(1, 0), links: null })).toThrow("links only if downloaded");
      expect(() => store.addVisit({ ...page(1, 0), target: 1 })).toThrow("target only if redirected");
      expect(() => store.replaceTrust([{ url: 3, weight: 1 }])).toThrow("URL 3 is not in the log");
      expect(() => store.putRobots({ origin: 1, atMs: 0, status: null, body: null })).toThrow(
        "origin 1 is not in the log",
      );
      expect([...store.visits()]).toEqual([]);
      expect([...store.urls()]).toHaveLength(3);
    });

    it("keeps what sitemaps list: by the one that was read last, with the last date that one of them had", () => {
      let subject = small(make());
      const [one, two] = ["http://a.example/1.xml", "http://a.example/2.xml"];
      const entry = (url: number, modifiedMs: number | null = null) => ({ url, modifiedMs });
      expect([...subject.store.listedUrls()]).toEqual([]);
      expect(() => subject.store.putSitemap({ address: one, atMs: 1, entries: [entry(3)] })).toThrow(
        "URL 3 is not in the log",
      );
      subject.store.putSitemap({ address: one, atMs: 1, entries: [entry(2, 100), entry(0, 200), entry(1)] });
      subject.store.commit();
      subject.store.putSitemap({ address: two, atMs: 2, entries: [entry(0), entry(1, 300)] });
      const listed = [
        { url: 0, sitemap: two, listedMs: 2, modifiedMs: 200 },
        { url: 1, sitemap: two, listedMs: 2, modifiedMs: 300 },
        { url: 2, sitemap: one, listedMs: 1, modifiedMs: 100 },
      ];
      expect([...subject.store.listedUrls()]).toEqual(listed);
      subject = subject.crash();
      expect([...subject.store.listedUrls()].map(({ sitemap }) => sitemap)).toEqual([one, one, one]);
      subject.store.putSitemap({ address: two, atMs: 2, entries: [entry(1, 300), entry(0)] });
      subject = subject.reopen();
      expect([...subject.store.listedUrls()]).toEqual(listed);
      subject.store.putSitemap({ address: one, atMs: 7, entries: [] });
      expect([...subject.store.listedUrls()].map(({ listedMs }) => listedMs)).toEqual([2, 2, 7]);
    });

    it("keeps a robots.txt of 500 KiB and what shows that there was more, and takes none of a byte more", () => {
      let subject = small(make());
      const body = new Uint8Array(500 * 1024 + 4).fill(35);
      const { store } = subject;
      const robots = { origin: 0, atMs: 5, status: 200 };
      expect(() => store.putRobots({ ...robots, body: new Uint8Array(body.length + 1) })).toThrow("512005 bytes");
      store.putRobots({ ...robots, body });
      subject = subject.reopen();
      expect([...subject.store.robots()].map(({ body }) => body?.length)).toEqual([512004]);
    });

    it("may be read while it is being read, and while it is being written", () => {
      const { store } = small(make());
      for (const outer of store.urls()) {
        for (const inner of store.urls()) if (inner.path !== null) store.pathOf(inner.id);
        if (outer.id === 0) store.addVisit(page(1, 0));
      }
      expect([...store.visits()]).toHaveLength(1);
    });

    it("takes nothing once it was closed, and may be closed twice", () => {
      const { store } = small(make());
      store.close();
      store.close();
      expect(() => store.commit()).toThrow("closed");
    });
  });
}

function url(id: number): UrlRecord {
  return { id, origin: 0, path: `/${id}`, depth: 0, source: "seed", discoveredAt: 0, reason: null };
}

function page(number: number, url: number): Visit {
  return {
    ...BLANK_VISIT,
    number,
    url,
    atMs: 1_700_000_000_000 + number,
    status: 200,
    wireBytes: 1000,
    milliseconds: 12,
    contentType: "text/html; charset=utf-8",
    value: 0.25,
    title: "A title, with “quotes”",
    digest: new Uint8Array([0, 1, 2, 3, 4, 5, 6, 255]),
    simhash: new Uint8Array([255, 6, 5, 4, 3, 2, 1, 0]),
    etag: '"abc"',
    lastModified: "Wed, 21 Oct 2015 07:28:00 GMT",
    links: new Uint32Array([1, 2, 0]),
  };
}

/** One origin, two URLs and a sink. */
function small(subject: StoreUnderTest): StoreUnderTest {
  const { store } = subject;
  store.addOrigin(0, "http://a.example");
  store.addUrl({ ...url(0), path: "/" });
  store.addUrl({ ...url(1), path: "/a?q=ü#🌊", depth: 1, source: "link", discoveredAt: 1 });
  store.addUrl({ ...url(2), path: null, reason: "out-of-scope" });
  store.commit();
  return subject;
}

function viewOf(log: CrawlLog): string {
  const visits = Array.from(log.visits(), ({ links, ...visit }) => ({ ...visit, links: links && [...links] }));
  return JSON.stringify({ visits, urls: [...log.urls()], urlCount: log.urlCount, generation: log.generation });
}

/** All that must stay as it is when visits that count no more are deleted. */
function everythingOf(store: CrawlStore): object {
  // The order of those of one URL stays.
  const replaced = [...store.replacedVisits()].sort((a, b) => a.url - b.url);
  return { ...contents(store), view: viewOf(store), replaced };
}

/** What is known of the reads of each page, by a plain reading; with what counts, and where histories begin. */
function readsTold(store: CrawlStore): object {
  const pages = new Map<
    number,
    { shownMs: number; quietMs: number; changed: number[]; counts: number[]; last: object }
  >();
  for (const reread of store.rereads()) {
    const { url, atMs, outcome, earlier, number, digest, visit } = reread;
    const page = pages.get(url) ?? {
      shownMs: 0,
      quietMs: 0,
      changed: [],
      counts: rereadOutcomes.map(() => 0),
      last: {},
    };
    pages.set(url, page);
    for (const { quietMs, afterMs } of [...(earlier?.changes ?? []), { quietMs: earlier?.quietMs ?? 0, afterMs: 0 }]) {
      page.quietMs += quietMs;
      page.shownMs += quietMs + afterMs;
      if (afterMs > 0) page.changed.push(afterMs);
    }
    for (const [k, each] of rereadOutcomes.entries()) {
      const before = each === "changed" ? earlier?.changes.length : earlier?.[each];
      page.counts[k] += (each === outcome ? 1 : 0) + (before ?? 0);
    }
    const sinceMs = Math.max(0, atMs - page.shownMs);
    if (outcome === "changed") page.changed.push(sinceMs);
    else if (outcome === "unchanged") page.quietMs += sinceMs;
    if (outcome === "changed" || outcome === "unchanged") page.shownMs = atMs;
    page.last = { number, atMs, outcome, visit, digest: digest && [...digest] };
  }
  const firsts = new Map<number, { first: object; leastMs: number }>();
  for (const { number, url, atMs, outcome } of store.replacedVisits()) {
    const { first, leastMs } = firsts.get(url) ?? { first: { number, atMs, outcome }, leastMs: Infinity };
    firsts.set(url, { first, leastMs: outcome === "downloaded" ? Math.min(leastMs, atMs) : leastMs });
  }
  return { pages, firsts, view: viewOf(store) };
}

function condenseAll(store: CrawlStore, untilMs: number): void {
  for (const rows of store.condenseReads(untilMs)) if (rows > 0) store.commit();
}

function deleteAll(store: CrawlStore, kept: KeptVisits, atOnce: number): void {
  for (const piece of store.deletableVisits(kept)) {
    for (let from = 0; from < piece.length; from += atOnce) {
      store.deleteVisits(piece.slice(from, from + atOnce));
      store.commit();
    }
  }
}

/** Which visits are to be deleted, by a plain reading of the log. */
function beyond(kept: KeptVisits, log: readonly Fact[]): Set<number> {
  const visits = log.flatMap((fact) => (fact.about === "visit" ? [fact] : []));
  const finals = visits.filter(({ visit }) => visit.outcome !== "try-again").map(({ visit }) => visit);
  const wanted = finals.filter(({ number, url }) => {
    const later = finals.filter((other) => other.url === url && other.number > number);
    if ("newest" in kept) return later.length >= kept.newest;
    const inTime = visits.filter(({ visit }) => visit.atMs <= kept.sinceMs).map(({ visit }) => visit.number);
    return later.length > 0 && later[0].number <= Math.max(0, ...inTime);
  });
  return new Set(wanted.map(({ number }) => number));
}

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

function contents(store: CrawlStore): Facts {
  return {
    origins: [...store.origins()],
    urls: [...store.urls()].map((url) => ({ ...url })),
    visits: [...store.visits()].map(plainVisit),
    trust: [...store.trust()].map((trust) => ({ ...trust })),
    robots: [...store.robots()].map(plainRobots),
  };
}

/** What a log amounts to, by a plain reading of it. */
function outcomeOf(log: readonly Fact[]): Facts {
  const origins: string[] = [];
  const urls: UrlRecord[] = [];
  const visits: Visit[] = [];
  const robots = new Map<number, RobotsRecord>();
  let trust: readonly TrustRecord[] = [];
  for (const fact of log) {
    if (fact.about === "origin") origins.push(fact.origin);
    else if (fact.about === "url") urls.push(fact.url);
    else if (fact.about === "visit") {
      const replaced = visits.findIndex(({ number }) => number === fact.replaces);
      if (replaced >= 0) visits.splice(replaced, 1);
      visits.push(plainVisit(fact.visit));
    } else if (fact.about === "trust") trust = fact.trust;
    else if (fact.about === "robots") robots.set(fact.robots.origin, plainRobots(fact.robots));
  }
  return {
    origins,
    urls,
    visits,
    trust: [...trust].sort((a, b) => a.url - b.url),
    robots: [...robots.values()].sort((a, b) => a.origin - b.origin),
  };
}

function committedPart(log: readonly Fact[]): readonly Fact[] {
  return log.slice(0, log.findLastIndex(({ about }) => about === "commit") + 1);
}

/** Typed arrays of any kind and buffer compare as plain ones. */
function plainVisit(visit: Visit): Visit {
  return {
    ...visit,
    digest: visit.digest === null ? null : Uint8Array.from(visit.digest),
    simhash: visit.simhash === null ? null : Uint8Array.from(visit.simhash),
    links: visit.links === null ? null : Uint32Array.from(visit.links),
  };
}

function plainRobots(robots: RobotsRecord): RobotsRecord {
  return { ...robots, body: robots.body === null ? null : Uint8Array.from(robots.body) };
}

/** A driver may answer with its own kind of bytes. */
function rereadsOf(store: CrawlStore): Reread[] {
  return Array.from(store.rereads(), (reread) => ({
    ...reread,
    digest: reread.digest && Uint8Array.from(reread.digest),
  }));
}
