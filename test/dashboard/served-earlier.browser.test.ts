/** `tidemark serve --at` in a real browser: every view says as of when it speaks, once, and nothing as if it were now. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCrawl } from "../../src/store/index.ts";
import { go, graveProblems, isWithinWindow, Visitor } from "./support/visitor.ts";
import { Workshop } from "./support/workshop.ts";

const VIEWS = ["#/", "#/missing", "#/pages", "#/page/0", "#/search?q=harbour", "#/hosts", "#/frontier", "#/log"];

let visitor: Visitor;
let workshop: Workshop;
let url: string;

beforeAll(async () => {
  workshop = new Workshop();
  const made = workshop.run(["demo", "--coverage", "0.5", "--dir", "c", "--no-serve", "--quiet"]);
  visitor = await Visitor.arrive();
  expect(await made).toMatchObject({ code: 0 });
  readFirstPageAgain(workshop.at("c"), Date.parse("2999-06-01"));
  ({ url } = await workshop.serve("c", "0", ["--at", "2999-01-01"]));
});

afterAll(async () => {
  await Promise.all([visitor?.leave(), workshop?.close()]);
});

function readFirstPageAgain(dir: string, atMs: number): void {
  const store = openCrawl(dir);
  const [page] = store.visits();
  store.addVisit({ ...page, number: store.nextVisit, title: "Only later", atMs }, page.number);
  store.close();
}

test.each([
  ["a desktop", 1280],
  ["a phone", 390],
])("one notice says so above every view, on %s", async (_, width) => {
  await visitor.visit(
    url,
    "",
    async (page) => {
      for (const view of VIEWS) {
        await go(page, view);
        const text = await page.locator("body").innerText();
        expect([view, await page.locator(".notice").allInnerTexts()]).toEqual([
          view,
          ["As it was known on 1 Jan 2999, 23:59 UTC. The crawl has gone on since, and nothing here changes."],
        ]);
        expect([view, text.match(/gone on/g)]).toEqual([view, ["gone on"]]);
        expect([view, text.match(/still fetching|As of|Only later/g)]).toEqual([view, null]);
        expect([view, await isWithinWindow(page), await graveProblems(page)]).toEqual([view, true, []]);
      }
    },
    { options: { viewport: { width, height: 844 } } },
  );
});
