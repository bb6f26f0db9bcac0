/** What becomes of a simulated web from one day to the next. */
import type { Random } from "../../../src/base/index.ts";
import { draw, drawPage, type SimulatedPage, SimulatedWeb } from "./web.ts";

/** Pages that come new in a day, at most. */
const NEW_PAGES_MAX = 3;

/**
 * Pages are edited, get and lose links, vanish, move for good or for a while, and come back; new ones are there, and
 * linked to by pages that were edited. Some hosts have a bad day.
 */
export function nextDay(web: SimulatedWeb, random: Random): SimulatedWeb {
  const hostCount = web.hosts.length;
  const pageCount = web.pages.length + random.below(NEW_PAGES_MAX + 1);
  const old = web.pages.map((page) => changedPage(page, random, pageCount));
  const added = Array.from({ length: pageCount - old.length }, (_, k) =>
    drawPage(random, old.length + k, { hostCount, pageCount }),
  );
  const hosts = web.hosts.map((host) => ({ ...host, hasBadDay: random.below(6) === 0 }));
  return new SimulatedWeb({ hosts, seeds: web.seeds, pages: [...old, ...added] });
}

/** The same object if it stays as it is. */
export function changedPage(page: SimulatedPage, random: Random, pageCount: number): SimulatedPage {
  const change = draw(random, { none: 12, edited: 4, relinked: 4, vanished: 2, moved: 2, away: 1, cut: 1, back: 2 });
  const version = page.version + 1;
  const place = { links: [random.below(pageCount)], nofollow: [false], redirectOutside: random.below(6) === 0 };
  switch (change) {
    case "none":
      return page;
    case "edited":
      return { ...page, version };
    case "relinked": {
      // A redirect that leads elsewhere from now on, too.
      const links = Array.from({ length: 1 + random.below(7) }, () => random.below(pageCount));
      const nofollow = links.map(() => random.below(10) === 0);
      return { ...page, links, nofollow, linksOutside: random.below(10) === 0 };
    }
    case "vanished":
      return { ...page, fate: random.below(2) === 0 ? "dead" : "gone" };
    case "moved":
      return { ...page, ...place, fate: "redirect", isTemporary: false };
    case "away":
      return { ...page, ...place, fate: "redirect", isTemporary: true };
    case "cut":
      return { ...page, fate: "partly", version };
    case "back":
      return { ...page, fate: "page", version };
  }
}
