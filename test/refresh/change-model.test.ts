/** What is known of pages, and what reading them is worth: against formulas for pages whose rates are certain. */
import { describe, expect, it } from "vitest";
import { ChangeModel, type PageHistory } from "../../src/refresh/change-model.ts";
import { learnPrior, ModifiedTrust, planReads, readingGain } from "../../src/refresh/index.ts";

const DAY = 86_400_000;
const YEAR = 365.25 * DAY;

/** A page of which so much was seen that its rate is certain: one change in 10 days. */
const certain: PageHistory = {
  host: 0,
  importance: 0.5,
  lastReadMs: 0,
  changedAfterMs: [],
  unchangedMs: 5000 * DAY,
  ageMs: null,
};

function modelOf(page: Partial<PageHistory> = {}, options: ConstructorParameters<typeof ChangeModel>[0] = {}) {
  const model = new ChangeModel({ sources: 2, ...options });
  model.set(0, { ...certain, ...page });
  return model;
}

/** Dates 500 changes within 5,000 days; the grid of rates has a step of 1.5. */
function dated(model: ChangeModel, page = 0): ChangeModel {
  for (let k = 1; k <= 40; k++)
    model.read(page, { atMs: k * 10 * DAY, isChanged: true, modifiedMs: (k * 10 - 5) * DAY });
  return model;
}

describe("the value of a read", () => {
  it("without signals is the mean of today's formula over the likely rates, as the plan has it", () => {
    const history = { ...certain, changedAfterMs: [8 * DAY, 16 * DAY], unchangedMs: 20 * DAY };
    const model = modelOf(history);
    // Where no read is worth its price, there is nothing to learn for.
    model.price = 1e30;
    // The same prior, and times that are kept exactly.
    const [planned] = planReads([history], { nowMs: 7 * DAY, budget: 1, prior: learnPrior([]) });
    expect(model.valueAt(0, 7 * DAY) / planned.gain).toBeCloseTo(1, 3);
    expect(1 - model.currentChance(0, 7 * DAY)).toBeCloseTo(planned.staleChance, 6);
  });

  it("is today's formula for a page whose rate is certain, and the lesson is worth nothing then", () => {
    const model = dated(modelOf({ unchangedMs: 0 }));
    model.price = 0;
    const { changeRate, sinceReadMs } = model.explain(0, 407 * DAY);
    expect(changeRate * 5 * DAY).toBeGreaterThan(0.7);
    expect(changeRate * 5 * DAY).toBeLessThan(1.4);
    expect(sinceReadMs).toBe(7 * DAY);
    expect(model.valueAt(0, 407 * DAY) / readingGain(0.5, changeRate, 7 * DAY)).toBeCloseTo(1, 1);
    expect(model.currentChance(0, 407 * DAY)).toBeCloseTo(Math.exp(-changeRate * 7 * DAY), 1);
  });

  it("is nothing for a page of no importance, also just after a read, whatever a read must gain", () => {
    const model = modelOf({ importance: 0 });
    model.price = 1e6;
    expect(model.valueAt(0, 0)).toBe(0);
    expect(model.valueAt(0, 10 * DAY)).toBe(0);
    expect(model.belowUntilMs(0, 1, 0)).toBe(Infinity);
  });

  it("takes a page that was signalled often for a fast one, and one that was not for a slow one", () => {
    const model = new ChangeModel({ sources: 1 });
    const unknown = { ...certain, unchangedMs: 0 };
    for (const page of [0, 1, 2]) model.set(page, { ...unknown, host: page === 2 ? 1 : 0 });
    for (let k = 0; k < 4; k++) model.signal(0, 0);
    const [signalled, unsignalled, silentHost] = [0, 1, 2].map((page) => model.explain(page, 20 * DAY).changeRate);
    expect(signalled).toBeGreaterThan(3 * unsignalled);
    expect(unsignalled).toBeLessThan(silentHost);
  });

  it("of a new page is what it is fresh in a year", () => {
    const model = modelOf({ lastReadMs: null, unchangedMs: 1e6 * DAY });
    // One change in 16 years at most: fresh for the year, nearly.
    expect(model.valueAt(0, 0) / (0.5 * YEAR)).toBeGreaterThan(0.9);
    expect(model.valueAt(0, 0) / (0.5 * YEAR)).toBeLessThan(1);
    expect(model.explain(0, 0)).toMatchObject({ sinceReadMs: null, staleChance: 1, importance: 0.5 });
    expect(model.currentChance(0, 0)).toBe(0);
    expect(model.belowUntilMs(0, 1e99, 0)).toBe(Infinity);
  });

  it("rises with each signal, and falls to nothing when the page is read", () => {
    const model = modelOf();
    const at = 30 * DAY;
    const values = [model.valueAt(0, at)];
    for (const source of [0, 0, 1]) {
      model.signal(0, source);
      values.push(model.valueAt(0, at));
    }
    for (let k = 1; k < values.length; k++) expect(values[k]).toBeGreaterThan(values[k - 1]);
    expect(model.explain(0, at).signals).toEqual([2, 1]);
    model.read(0, { atMs: at, isChanged: true });
    expect(model.explain(0, at)).toMatchObject({ signals: [0, 0], value: 0, staleChance: 0 });
  });

  it("is nothing for a page of no importance, or at a time before its last read", () => {
    const model = modelOf({ lastReadMs: 100 * DAY });
    expect(model.valueAt(0, 50 * DAY)).toBe(0);
    expect(model.currentChance(0, 50 * DAY)).toBeCloseTo(1, 12);
    model.setImportance(0, 0);
    expect(model.valueAt(0, 500 * DAY)).toBe(0);
    expect(model.belowUntilMs(0, 1, 500 * DAY)).toBe(Infinity);
  });
});

describe("what is learnt of a page", () => {
  const rateOf = (model: ChangeModel, atMs: number): number => model.explain(0, atMs).changeRate * DAY;

  it("is a lower rate from reads that find no change, a higher one from those that do", () => {
    const model = modelOf({ unchangedMs: 0 });
    const before = rateOf(model, 0);
    model.read(0, { atMs: 30 * DAY, isChanged: false });
    const quiet = rateOf(model, 30 * DAY);
    model.read(0, { atMs: 31 * DAY, isChanged: true });
    const lively = rateOf(model, 31 * DAY);
    expect(quiet).toBeLessThan(before);
    expect(lively).toBeGreaterThan(quiet);
  });

  it("is more from a dated change, unless dates of the host proved wrong", () => {
    const model = modelOf({ unchangedMs: 0 });
    model.set(1, { ...certain, unchangedMs: 0 });
    model.read(0, { atMs: 30 * DAY, isChanged: true, modifiedMs: 29.9 * DAY });
    model.read(1, { atMs: 30 * DAY, isChanged: true });
    // It changed an hour or two ago, so probably often.
    expect(rateOf(model, 30 * DAY)).toBeGreaterThan(model.explain(1, 30 * DAY).changeRate * DAY);
    const liar = modelOf({ unchangedMs: 0 });
    liar.set(1, { ...certain, unchangedMs: 0 });
    liar.read(1, { atMs: DAY, isChanged: false, modifiedMs: DAY / 2 });
    liar.read(0, { atMs: 30 * DAY, isChanged: true, modifiedMs: 29.9 * DAY });
    expect(rateOf(liar, 30 * DAY)).toBeLessThan(rateOf(model, 30 * DAY));
  });

  it("is that a date after the content was first seen is wrong: once per content, and not if it is put right", () => {
    const dates = new ModifiedTrust();
    const model = modelOf({ unchangedMs: 0 }, { dates });
    const isTrusted = (): boolean => dates.isTrusted(0);
    for (let k = 1; k <= 9; k++) model.read(0, { atMs: k * DAY, isChanged: false, modifiedMs: (k - 0.5) * DAY });
    expect(isTrusted()).toBe(false);
    // 5 of 7, with 3 of 4 assumed: the nine reads count as one.
    for (const day of [10, 11]) model.read(0, { atMs: day * DAY, isChanged: true, modifiedMs: (day - 0.5) * DAY });
    expect(isTrusted()).toBe(true);
    model.read(0, { atMs: 12 * DAY, isChanged: false, modifiedMs: 11.5 * DAY });
    expect(isTrusted()).toBe(false);
    model.read(0, { atMs: 13 * DAY, isChanged: false, modifiedMs: 10.5 * DAY });
    expect(isTrusted()).toBe(true);
  });

  it("is the same from a history as from reads one by one, however many they are", () => {
    const dates = new ModifiedTrust();
    const live = modelOf({ lastReadMs: null, unchangedMs: 0 }, { dates });
    live.read(0, { atMs: 0, isChanged: false, modifiedMs: -9 * DAY });
    const changes = Array.from({ length: 150 }, (_, k) => {
      const [sinceMs, isDated] = [k * 5 * DAY, k % 3 === 0];
      live.read(0, { atMs: sinceMs + 2 * DAY, isChanged: false });
      const atMs = sinceMs + 5 * DAY;
      live.read(0, { atMs, isChanged: true, modifiedMs: isDated ? atMs - DAY : null });
      return { quietMs: 2 * DAY, afterMs: 3 * DAY, ageMs: isDated ? DAY : null };
    });
    const lastReadMs = 752 * DAY;
    live.read(0, { atMs: lastReadMs, isChanged: false });
    const history = { lastReadMs, changes, unchangedMs: 2 * DAY, ageMs: 9 * DAY, sinceMs: 750 * DAY };
    expect(modelOf(history, { dates }).explain(0, 760 * DAY)).toEqual(live.explain(0, 760 * DAY));
  });

  it("is the age of a new page by its date, at its first read", () => {
    const young = modelOf({ lastReadMs: null, unchangedMs: 0 });
    young.read(0, { atMs: 0, isChanged: false, modifiedMs: -DAY });
    const old = modelOf({ lastReadMs: null, unchangedMs: 0 });
    old.read(0, { atMs: 0, isChanged: false, modifiedMs: -900 * DAY });
    expect(rateOf(young, 0)).toBeGreaterThan(20 * rateOf(old, 0));
    // A date in the future says nothing.
    const future = modelOf({ lastReadMs: null, unchangedMs: 0 });
    future.read(0, { atMs: 0, isChanged: false, modifiedMs: DAY });
    expect(rateOf(future, 0)).toBeCloseTo(rateOf(modelOf({ unchangedMs: 0 }), 0), 9);
  });

  it("is that a page which signals nothing on a host that signals well is a slow one", () => {
    const model = modelOf({ unchangedMs: 0 });
    const before = rateOf(model, 0);
    expect(rateOf(model, 300 * DAY)).toBeCloseTo(before, 9);
    model.set(1, { ...certain, host: 0 });
    model.signal(1, 0);
    expect(rateOf(model, 300 * DAY)).toBeLessThan(before / 2);
  });

  it("is a higher rate from signals that proved true, and counts them", () => {
    const [heard, unheard] = [modelOf({ unchangedMs: 0 }), modelOf({ unchangedMs: 0 })];
    for (const model of [heard, unheard]) {
      model.set(1, { ...certain, host: 0 });
      model.signal(1, 0);
    }
    for (let k = 0; k < 8; k++) heard.signal(0, 0);
    heard.read(0, { atMs: 40 * DAY, isChanged: true });
    unheard.read(0, { atMs: 40 * DAY, isChanged: true });
    expect(rateOf(heard, 40 * DAY)).toBeGreaterThan(2 * rateOf(unheard, 40 * DAY));
  });

  it("is how often other pages of its host change", () => {
    const model = new ChangeModel();
    const history = { importance: 1, lastReadMs: 0, changedAfterMs: [], unchangedMs: 0, ageMs: null };
    for (let page = 0; page < 100; page++) {
      const host = page % 2;
      model.set(page, { ...history, host });
      if (page < 2) continue;
      for (let day = 1; day <= 5; day++) model.read(page, { atMs: day * DAY, isChanged: host === 1 });
    }
    const before = model.explain(0, DAY).changeRate;
    expect(model.explain(1, DAY).changeRate).toBe(before);
    model.learnPriors();
    expect(model.explain(0, DAY).changeRate).toBeLessThan(before);
    expect(model.explain(1, DAY).changeRate).toBeGreaterThan(5 * before);
  });
});
