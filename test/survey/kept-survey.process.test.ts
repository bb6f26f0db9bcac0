/** A survey made by a thread, kept with the crawl, and made again when the crawl has continued. */
import { BLANK_VISIT } from "../../src/log/index.ts";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseSettings } from "../../src/crawl/index.ts";
import { SurveyCache, surveyOf } from "../../src/survey/index.ts";
import { SurveyFile, surveyPath } from "../../src/survey/survey-file.ts";
import { createCrawl, openCrawl, type SqliteStore } from "../../src/store/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { SEED, settings, smallCrawl } from "./small-survey.ts";

it("is kept with the crawl and reused until the crawl has continued", async () => {
  const dir = smallCrawl();
  const first = await surveyOf(dir);
  const before = readFileSync(surveyPath(dir));
  expect(first.facts.visits).toBe(8);
  first.close();
  // Marked, to see that it is read and not made again.
  writeFileSync(surveyPath(dir), Buffer.from(before.toString("latin1").replace('"bytes":70', '"bytes":71'), "latin1"));
  const again = await surveyOf(dir);
  expect(again.facts.status.bytes).toBe(71);
  again.close();
});

it("is made again when walks were followed, even if they needed no visit", async () => {
  const dir = smallCrawl();
  (await surveyOf(dir)).close();
  const store = openCrawl(dir);
  store.addLook({ number: 1, seed: 1, confidence: 0.9, target: 0.5, trustDigest: 0 });
  store.addRound({ look: 1, afterVisit: store.nextVisit - 1, walks: 4 });
  store.close();
  const again = await surveyOf(dir);
  expect(again.facts.rounds).toBe(1);
  again.close();
});

it("is made anew where the file is damaged, cut or of other settings", async () => {
  const dir = smallCrawl();
  (await surveyOf(dir)).close();
  truncateSync(surveyPath(dir), 100);
  expect(SurveyFile.open(surveyPath(dir))).toBeUndefined();
  const mended = await surveyOf(dir);
  expect(mended.facts.visits).toBe(8);
  mended.close();
  writeFileSync(surveyPath(dir), "no survey");
  const written = await surveyOf(dir);
  expect(written.facts.visits).toBe(8);
  written.close();
});

it("takes away what somebody who was killed while writing has left, but not what somebody writes now", async () => {
  const dir = smallCrawl();
  const old = join(dir, "survey.bin.1.part");
  const fresh = join(dir, "survey.bin.2.part");
  for (const path of [old, fresh]) writeFileSync(path, "half");
  utimesSync(old, 1_700_000_000, 1_700_000_000);
  (await surveyOf(dir)).close();
  expect([old, fresh].map((path) => existsSync(path))).toEqual([false, true]);
});

it("is made once more, at once, when the crawl has ended", async () => {
  const dir = smallCrawl();
  let isRunning = true;
  const cache = new SurveyCache({ dir, isRunning: () => isRunning });
  const surveyed = (): Promise<void> => new Promise((resolve) => cache.onSurveyed(() => resolve()));
  const first = surveyed();
  cache.refresh();
  await first;
  const store = openCrawl(dir);
  store.addOrigin(2, "https://c.example");
  store.addUrl({
    id: 9,
    origin: 2,
    path: "/",
    depth: 1,
    source: "sitemap",
    discoveredAt: 8,
    reason: null,
  });
  store.close();
  // While it runs it rests for a second at least; the end is not waited for.
  cache.refresh();
  expect(cache.progress()).toBeUndefined();
  isRunning = false;
  const second = surveyed();
  cache.refresh();
  expect(cache.progress()).toBeDefined();
  await second;
  expect(cache.current()?.survey.facts.urls).toBe(10);
  await cache.close();
});

it("is announced by the cache when it is there, once for each change", async () => {
  const dir = smallCrawl();
  const cache = new SurveyCache({ dir, isRunning: () => false });
  expect(cache.current()).toBeUndefined();
  const told = new Promise<number>((resolve) => cache.onSurveyed(({ number }) => resolve(number)));
  cache.refresh();
  cache.refresh();
  expect(cache.progress()).toBeDefined();
  expect(await told).toBe(1);
  expect(cache.progress()).toBeUndefined();
  expect(cache.current()?.survey.facts.visits).toBe(8);
  await cache.close();
});

it("is not shown any more once the crawl has other seeds, even if nothing was fetched since", async () => {
  const dir = smallCrawl();
  (await surveyOf(dir)).close();
  const cache = new SurveyCache({ dir, isRunning: () => false });
  expect(cache.current()?.survey.facts.certificate.coverage).toBeGreaterThan(0);
  const store = openCrawl(dir);
  store.replaceTrust([{ url: 5, weight: 1 }]);
  const seeds = [{ url: `${SEED}later`, weight: 1 }];
  store.replaceSettings(JSON.stringify({ ...parseSettings(store.settings()), seeds }));
  store.close();
  const told = new Promise<void>((resolve) => cache.onSurveyed(() => resolve()));
  cache.refresh();
  expect(cache.current()).toBeUndefined();
  await told;
  // All trust is in a URL that nobody has fetched.
  expect(cache.current()).toMatchObject({ number: 2, survey: { facts: { certificate: { coverage: 0 } } } });
  await cache.close();
});

it("stays while pages are read again, as of its time, until there is a newer one", async () => {
  const dir = smallCrawl();
  // The last visit of the survey is replaced, and then another one.
  for (const number of [8, 1]) {
    (await surveyOf(dir)).close();
    const cache = new SurveyCache({ dir, isRunning: () => true });
    const before = cache.current()!.survey.facts.visits;
    change(dir, (store) => {
      const visit = [...store.visits()].find((each) => each.number === number)!;
      store.addVisit({ ...visit, number: store.nextVisit, atMs: visit.atMs + 1 }, number);
    });
    const next = new Promise<void>((resolve) => cache.onSurveyed(() => resolve()));
    cache.refresh();
    expect([cache.current()?.survey.facts.visits, cache.progress()?.task]).toEqual([before, "reading"]);
    await next;
    expect(cache.current()?.survey.facts.visits).toBe(before + 1);
    await cache.close();
  }
});

it("stays while the crawl cannot be read, and is of the one that is found there then, without a rest", async () => {
  const dir = smallCrawl();
  const cache = new SurveyCache({ dir, isRunning: () => false });
  const next = () => new Promise<void>((resolve) => cache.onSurveyed(() => resolve()));
  const first = next();
  cache.refresh();
  await first;
  const away = join(temporaryDirectory(), "away");
  renameSync(dir, away);
  cache.refresh();
  expect(cache.problem()).toContain("does not exist");
  expect(cache.current()?.survey.facts.visits).toBe(8);
  createCrawl(dir, JSON.stringify(settings())).close();
  const second = next();
  cache.refresh();
  expect(cache.progress()).toBeDefined();
  expect([cache.current(), cache.problem()]).toEqual([undefined, undefined]);
  await second;
  expect(cache.current()?.survey.facts.visits).toBe(0);
  await cache.close();
});

it("stays, and is made again, where only limits have changed: they do not touch what is certain", async () => {
  const dir = smallCrawl();
  (await surveyOf(dir)).close();
  const cache = new SurveyCache({ dir, isRunning: () => false });
  const store = openCrawl(dir);
  store.replaceSettings(JSON.stringify({ ...parseSettings(store.settings()), limits: { depth: 1 } }));
  store.close();
  const told = new Promise<void>((resolve) => cache.onSurveyed(() => resolve()));
  cache.refresh();
  expect(cache.current()?.number).toBe(1);
  await told;
  expect(cache.current()?.number).toBe(2);
  await cache.close();
});

it("is made anew where an older copy of the crawl was put in its place and went on another way", async () => {
  const dir = smallCrawl();
  const file = join(dir, "crawl.sqlite");
  const copy = readFileSync(file);
  const goOn = (outcome: "downloaded" | "dead", atMs: number) => {
    const store = openCrawl(dir);
    const links = outcome === "dead" ? null : new Uint32Array(0);
    store.addVisit({ ...LAST_VISIT, outcome, links, atMs });
    store.close();
  };
  goOn("downloaded", 1_700_000_000_100);
  const first = await surveyOf(dir);
  expect(first.facts.status.pages).toBe(3);
  first.close();
  writeFileSync(file, copy);
  goOn("dead", 1_700_000_000_200);
  const second = await surveyOf(dir);
  expect(second.facts.status.pages).toBe(2);
  second.close();
});

const LAST_VISIT = {
  ...BLANK_VISIT,
  number: 9,
  url: 5,
  status: 200,
  wireBytes: 10,
  milliseconds: 1,
};

it("says in words what went wrong", async () => {
  const dir = smallCrawl();
  writeFileSync(join(dir, "crawl.sqlite"), "damaged");
  await expect(surveyOf(dir)).rejects.toThrow(/crawl\.sqlite/);
});

function change(dir: string, act: (store: SqliteStore) => void): void {
  const store = openCrawl(dir);
  act(store);
  store.close();
}

/** Its eight visits end one after the other; `at` is the moment after one of them. */
function datedCrawl(): { readonly dir: string; readonly at: (visit: number) => { readonly atMs: number } } {
  const dir = smallCrawl();
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
  database.exec("UPDATE visits SET at_ms = 1000 * number");
  database.close();
  return { dir, at: (visit) => ({ atMs: 1000 * visit }) };
}

function surveyFiles(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => name.startsWith("survey"))
    .sort();
}

it("of an earlier moment is kept as well, and made again only if something else than visits has changed", async () => {
  const { dir, at } = datedCrawl();
  const path = join(dir, "survey-at-5.bin");
  /** Whether it was made for this. */
  const isMade = async (): Promise<boolean> => {
    const before = existsSync(path) ? statSync(path).ino : 0;
    const survey = await surveyOf(dir, at(5));
    expect([survey.facts.visits, survey.facts.lastVisitMs]).toEqual([5, 5000]);
    survey.close();
    return statSync(path).ino !== before;
  };
  expect([await isMade(), await isMade(), surveyFiles(dir)]).toEqual([true, false, ["survey-at-5.bin"]]);
  (await surveyOf(dir)).close();
  expect([await isMade(), surveyFiles(dir)]).toEqual([false, ["survey-at-5.bin", "survey.bin"]]);
  change(dir, (store) => {
    const [first] = store.visits();
    store.addVisit({ ...first, number: store.nextVisit, atMs: 9000 }, first.number);
  });
  expect(await isMade()).toBe(false);
  // What sitemaps list, and trust, are not dated.
  change(dir, (store) => store.putSitemap({ address: `${SEED}s.xml`, atMs: 1, entries: [{ url: 0, modifiedMs: 1 }] }));
  expect([await isMade(), await isMade()]).toEqual([true, false]);
  change(dir, (store) => store.replaceTrust([{ url: 1, weight: 1 }]));
  expect([await isMade(), await isMade()]).toEqual([true, false]);
  truncateSync(path, 100);
  expect(await isMade()).toBe(true);
  change(dir, (store) => {
    for (const numbers of store.deletableVisits({ newest: 1 })) store.deleteVisits(numbers);
  });
  await expect(surveyOf(dir, at(5))).rejects.toThrow("is no longer whole");
});

it("of an earlier moment stays while it is one of the three that were used last", async () => {
  const { dir, at } = datedCrawl();
  for (const visit of [3, 4, 5]) {
    (await surveyOf(dir, at(visit))).close();
    utimesSync(join(dir, `survey-at-${visit}.bin`), 100 * visit, 100 * visit);
  }
  (await surveyOf(dir, at(3))).close();
  (await surveyOf(dir, at(6))).close();
  expect(surveyFiles(dir)).toEqual(["survey-at-3.bin", "survey-at-5.bin", "survey-at-6.bin"]);
});
