/** People's fonts differ: what the page says must be legible with the widest letters as with the narrowest. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fonts } from "../support/browser.ts";
import { type Mock, startMock } from "./page-mock.ts";
import { eventually, isWithinWindow, Visitor } from "./support/visitor.ts";

/** Of the picture of the rest: every reason's name as it is seen, where it leads, and whether its box cuts it. */
const NAMES = `(() => {
  const isOutside = (name, cell) => {
    const [inner, outer] = [name.getBoundingClientRect(), cell.getBoundingClientRect()];
    return inner.right > outer.right || inner.bottom > outer.bottom;
  };
  return [...document.querySelectorAll(".cell:not(.cell-child) .cell-name, .picture-key-name")].map((name) => ({
    name: name.innerText.trim(),
    leadsTo: name.closest("a").hash,
    isCut: name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 4
      || isOutside(name, name.closest(".cell, .picture")),
  }));
})()`;

interface Name {
  readonly name: string;
  readonly leadsTo: string;
  readonly isCut: boolean;
}

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 1000, height: 420 },
  { width: 390, height: 844 },
];

let mock: Mock;
let visitor: Visitor;

beforeAll(async () => {
  mock = await startMock({ scenario: "ended", known: 100_000, tickMs: 0 });
});

afterAll(() => mock?.close());

describe.each<Fonts>(["dejavu", "system"])("with the fonts called %s", (fonts) => {
  beforeAll(async () => {
    visitor = await Visitor.arrive(fonts);
  });

  afterAll(() => visitor?.leave());

  test.each(WINDOWS)("every reason has a name to click in the picture, at $width by $height", async (viewport) => {
    const clicking = async (page: Page): Promise<void> => {
      for (const { name, leadsTo } of await expectAllNames(page)) {
        await page.locator(".cell-name, .picture-key-name", { hasText: name }).click();
        await eventually(() => new URL(page.url()).hash).toBe(leadsTo);
        await page.goBack();
      }
    };
    await visitor.visit(`${mock.url}/`, "#/missing", clicking, { options: { viewport } });
  });

  test.each(["", "#/missing", "#/pages", "#/hosts", "#/log"])("the view %j is no wider than a phone", async (view) => {
    const fitting = async (page: Page): Promise<void> => {
      await page.locator("main .panel, main .rows").first().waitFor();
      expect(await isWithinWindow(page)).toBe(true);
    };
    await visitor.visit(`${mock.url}/`, view, fitting, {
      options: { viewport: { width: 390, height: 844 } },
    });
  });

  test.each(WINDOWS)(
    "letters of a typewriter leave no reason without a name, at $width by $height",
    async (viewport) => {
      const typed = async (page: Page): Promise<void> => {
        await page.route("**/theme.css", async (route) => {
          const reply = await route.fetch();
          await route.fulfill({
            response: reply,
            body: `${await reply.text()} :root:root { --font: monospace }`,
          });
        });
        await page.reload();
        await expectAllNames(page);
      };
      await visitor.visit(`${mock.url}/`, "#/missing", typed, { options: { viewport } });
    },
  );
});

/** What the list next to the picture says in words is in the picture, whole. */
async function expectAllNames(page: Page): Promise<readonly Name[]> {
  await page.locator(".cell").first().waitFor();
  const names = (await page.evaluate(NAMES)) as readonly Name[];
  expect(names.filter(({ isCut }) => isCut)).toEqual([]);
  const links = page.locator(".shares .share-head a");
  expect(await links.count()).toBe(mock.crawl.missing().reasons.length);
  expect(names.map(({ name }) => name).sort()).toEqual((await links.allInnerTexts()).sort());
  const reasons = mock.crawl.missing().reasons.map(({ reason }) => `#/missing?reason=${reason}`);
  expect(names.map(({ leadsTo }) => leadsTo).sort()).toEqual(reasons.sort());
  return names;
}
