/**
 * A crawl resumed with other limits, another order or other seeds: what is on disk counts, and nothing is requested
 * twice.
 */
import { describe, expect, it } from "vitest";
import { certifyLog } from "../../src/crawl/index.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join("");
const scope = { kind: "domain" as const, seeds: [SITE] };

/** A tree of 40 pages, four links a page. */
function tree(): TimedWeb {
  return new TimedWeb({
    serve: ({ pathname }) => {
      if (pathname === "/robots.txt") return undefined;
      const number = Number(pathname.slice(1));
      const children = [1, 2, 3, 4].map((k) => 4 * number + k).filter((k) => k < 40);
      return `${number}${links(...children.map((k) => `/${k}`))}`;
    },
  });
}

const pagesAsked = (web: TimedWeb) => web.requests.map(({ url }) => url).filter((url) => !url.endsWith("robots.txt"));

describe("a resumed crawl", () => {
  it("continues through every limit and order to the pages of an undisturbed one, each requested once", async () => {
    const whole = await crawlTimed(tree(), [SITE]);
    const web = tree();
    const { store } = await crawlTimed(web, [SITE], { limits: { pages: 3 } });
    await crawlTimed(web, [SITE], { limits: { depth: 1 }, order: "lneighbor" }, store);
    await crawlTimed(web, [SITE], { limits: { coverage: 0.3 }, order: "windowed:20" }, store);
    await crawlTimed(web, [SITE], { limits: { timeMs: 100 }, order: "opic" }, store);
    const { end, fates } = await crawlTimed(web, [SITE], { order: "random:1" }, store);
    expect(end.reason).toBe("frontier-empty");
    expect([...fates.keys()].sort()).toEqual([...whole.fates.keys()].sort());
    expect(new Set(pagesAsked(web)).size).toBe(pagesAsked(web).length);
    const { certificate } = certifyLog(store);
    expect(certificate.coverage).toBeCloseTo(certifyLog(whole.store).certificate.coverage, 12);
  });

  it("with other seeds measures by the new trust, and fetches a seed that is no longer one all the same", async () => {
    const web = tree();
    const { store } = await crawlTimed(web, [`${SITE}1`, `${SITE}2`], {
      limits: { pages: 1 },
      web: { scope },
    });
    const { end, fates } = await crawlTimed(web, [`${SITE}3`], { web: { scope } }, store);
    expect(end).toMatchObject({ reason: "frontier-empty", status: { frontier: 0 } });
    for (const path of ["1", "2", "3"]) expect(fates.get(SITE + path)?.outcome).toBe("downloaded");
    expect([...store.trust()]).toEqual([{ url: [...store.urls()].find(({ path }) => path === "/3")!.id, weight: 1 }]);
    // All trust is on /3 now, and everything it leads to is had.
    expect(certifyLog(store).certificate.coverage).toBe(1);
  });
});
