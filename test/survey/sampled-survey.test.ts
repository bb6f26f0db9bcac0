/** A survey of a crawl that sampled: its tide has what the walks had shown by then. */
import { expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { certifyLog, launchCrawl, parseSettings } from "../../src/crawl/index.ts";
import { sampledTide } from "../support/sampled-tide.ts";
import { MemoryStore } from "../../src/store/index.ts";
import type { SurveyFacts } from "../../src/survey/index.ts";
import { Surveyor } from "../../src/survey/surveyor.ts";
import { InlineWeb, inlineSettings } from "../support/inline-web.ts";

const SITE = "http://site.example/";
const PAGES = 1000;

/** Every page leads to the front page, to its children and to a few popular pages. */
const web = () =>
  new InlineWeb(({ pathname }) => {
    const page = Number(pathname.slice(1) || "0");
    if (!(page < PAGES)) return undefined;
    const random = new Random(1, page);
    const popular = Array.from({ length: 6 }, () => Math.floor(PAGES * random.float() ** 4));
    const links = [0, 2 * page + 1, 2 * page + 2, ...popular].filter((to) => to < PAGES && to !== page);
    return links.map((to) => `<a href="/${to === 0 ? "" : to}">x</a>`).join("");
  });

function surveyed(surveyor: Surveyor, store: MemoryStore): SurveyFacts {
  for (const _ of surveyor.read(store));
  return surveyor.survey().facts;
}

it("has every step of what sampling showed, also after a resume, and one number at the end", async () => {
  const changes = { limits: { coverage: 0.9, pages: 300 }, confidence: 0.99, seed: 7 };
  const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], changes)));
  const surveyor = new Surveyor(parseSettings(store.settings()));
  for (const limits of [{ coverage: 0.7 }, { coverage: 0.9 }]) {
    const settings = inlineSettings([SITE], { ...changes, limits });
    const crawl = await launchCrawl({ store, settings, fetcher: web(), readers: 0 });
    const { status } = await crawl.run();
    const { tide, status: found } = surveyed(surveyor, store);
    expect(found.sampled).toEqual(status.sampled);
    expect(found.sampled).toEqual(certifyLog(store).sampled);
    expect(tide.at(-1)?.[4]).toBe(limits.coverage);
    const { steps } = sampledTide(store);
    for (const { pages, coverage } of steps) expect(tide.find((point) => point[0] === pages)?.[4]).toBe(coverage);
    // What is shown stays shown, and what is proved is not touched by it.
    for (const [k, point] of tide.entries()) {
      if (k === 0) continue;
      expect(point[0]).toBeGreaterThan(tide[k - 1][0]);
      expect(point[1]).toBeGreaterThanOrEqual(tide[k - 1][1]);
      expect(point[2]).toBeGreaterThanOrEqual(tide[k - 1][2]);
      expect(point[4] ?? 0).toBeGreaterThanOrEqual(tide[k - 1][4] ?? 0);
    }
  }
});
