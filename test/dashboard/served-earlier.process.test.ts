/** The dashboard of a crawl as it was known at an earlier moment. */
import { expect, it, onTestFinished } from "vitest";
import { makePlainTexts } from "../../src/content/index.ts";
import type { LogList, Overview, PageDetail, PageList, SearchList } from "../../src/dashboard/protocol/http.ts";
import { openCrawl, type SqliteStore } from "../../src/store/index.ts";
import { SurveyCache } from "../../src/survey/index.ts";
import { smallCrawl } from "../survey/small-survey.ts";
import { answer, ask } from "./support/asking.ts";
import { startSmall } from "./support/small-dashboard.ts";

const THEN_MS = 1_700_000_000_500;
const LATER_MS = 1_700_000_001_000;

function write(dir: string, act: (store: SqliteStore) => void): void {
  const store = openCrawl(dir);
  act(store);
  store.close();
}

/** Reads the first page again, with another title and text. */
function readAgain(store: SqliteStore, title: string): void {
  const page = [...store.visits()].find(({ url }) => url === 0)!;
  const number = store.nextVisit;
  store.addVisit({ ...page, number, title, atMs: title === "Old" ? THEN_MS : LATER_MS }, page.number);
  store.addTexts(number, makePlainTexts(`the ${title.toLowerCase()} text`, ["text"]));
}

async function started(dir: string, atMs?: number): Promise<string> {
  const survey = new SurveyCache({ dir, isRunning: () => false, atMs });
  onTestFinished(() => survey.close());
  const surveyed = new Promise<void>((resolve) => survey.onSurveyed(() => resolve()));
  const { url } = await startSmall({ dir, survey, atMs });
  survey.refresh();
  if (survey.current() === undefined) await surveyed;
  return url;
}

it("shows that moment in every view, whatever the crawl does meanwhile, and cannot be told otherwise", async () => {
  const dir = smallCrawl();
  write(dir, (store) => readAgain(store, "Old"));
  write(dir, (store) => readAgain(store, "New"));
  const [then, now] = [await started(dir, THEN_MS), await started(dir)];
  const overviewOf = async (url: string) => {
    const { state, asOfMs, lastVisitMs, survey } = await answer<Overview>(`${url}api/overview`);
    return { state, asOfMs, lastVisitMs, survey };
  };
  expect(await overviewOf(then)).toMatchObject({ state: "earlier", asOfMs: THEN_MS, lastVisitMs: THEN_MS });
  expect(await overviewOf(now)).toMatchObject({ state: "ended", lastVisitMs: LATER_MS });
  for (const url of [then, now]) expect((await ask(`${url}metrics`)).text).toContain("\ntidemark_running 0\n");
  const titles = async (url: string) => {
    const { rows } = await answer<PageList>(`${url}api/pages`);
    const { title, visits } = await answer<PageDetail>(`${url}api/pages/0`);
    const log = await answer<LogList>(`${url}api/log`);
    const found = await Promise.all(["old", "new"].map((q) => answer<SearchList>(`${url}api/search?q=${q}`)));
    return [rows[0].title, title, visits.at(-1)?.number, log.rows.length, ...found.map(({ total }) => total)];
  };
  const before = await titles(then);
  expect(before).toEqual(["Old", "Old", 9, before[3], 1, 0]);
  expect(await titles(now)).toEqual(["New", "New", 10, Number(before[3]) + 1, 0, 1]);
  write(dir, (store) => readAgain(store, "Newest"));
  expect(await titles(then)).toEqual(before);
  expect(await overviewOf(then)).toMatchObject({ state: "earlier", survey: { visits: 9 } });
  const control = { method: "POST", headers: { "content-type": "application/json" }, body: '{"action":"pause"}' };
  expect((await ask(`${then}api/control`, control)).status).not.toBe(200);
  // What was known then is no longer whole.
  write(dir, (store) => {
    for (const numbers of store.deletableVisits({ newest: 1 })) store.deleteVisits(numbers);
  });
  const { status, text } = await ask(`${then}api/pages`);
  expect([status, text]).toEqual([410, expect.stringContaining("is no longer whole")]);
});
