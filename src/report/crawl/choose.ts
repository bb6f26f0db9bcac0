/**
 * Which URLs a report names, in one pass over all of them in the order of importance. Of dead and of refused URLs what is missing there is in
 * proportion to what certainly arrives, which is that order; so the first ones are those of most mass.
 */
import { PageState, type RefusalReason, refusalReasons } from "../../coverage/index.ts";
import type { Survey } from "../../survey/index.ts";
import type { ChosenPages, DeadLink, RefusedPages } from "./contents.ts";

export const TOP_MAX = 50;
export const DEAD_MAX = 50;
export const LINKING_MAX = 3;
export const EXAMPLES_MAX = 5;
/** Of a URL that half of the web links to, so many of the pages that do are compared. */
const LINKS_COMPARED_MAX = 10_000;

export function choosePages(survey: Survey): ChosenPages {
  const { byImportance, state } = survey;
  const top: number[] = [];
  const dead: number[] = [];
  let deadCount = 0;
  const refused = refusalReasons.map(() => ({ count: 0, examples: [] as number[] }));
  for (const url of byImportance) {
    const now = state[url];
    if (now === PageState.Downloaded || now === PageState.LinksUnknown) {
      if (top.length < TOP_MAX) top.push(url);
    } else if (now === PageState.Dead) {
      deadCount++;
      if (dead.length < DEAD_MAX) dead.push(url);
    } else if (now >= PageState.Refused) {
      const group = refused[now - PageState.Refused];
      group.count++;
      if (group.examples.length < EXAMPLES_MAX) group.examples.push(url);
    }
  }
  return {
    top,
    dead: dead.map((url) => deadLink(survey, url)).filter(({ fromCount, mass }) => mass > 0 || fromCount > 0),
    deadCount,
    refused: refused
      .map((group, index) => refusedPages(survey, refusalReasons[index], group))
      .filter(({ count, mass }) => count > 0 || mass > 0)
      .sort((a, b) => b.mass - a.mass),
  };
}

/** All URLs whose texts are needed. */
export function urlsOf({ top, dead, refused }: ChosenPages): Set<number> {
  return new Set([
    ...top,
    ...dead.flatMap(({ url, from }) => [url, ...from]),
    ...refused.flatMap(({ examples }) => examples.map(({ url }) => url)),
  ]);
}

function deadLink(survey: Survey, url: number): DeadLink {
  const linking = survey.linksTo(url);
  const from: { readonly page: number; readonly loses: number }[] = [];
  let fromCount = 0;
  for (let k = 0; k < linking.length; k++) {
    const page = linking[k];
    // In the order of ids, a page as often as it links there.
    if (k > 0 && page === linking[k - 1]) continue;
    if (fromCount++ >= LINKS_COMPARED_MAX) continue;
    const loses = survey.interval(page).low / Math.max(1, survey.linkCount(page));
    const at = from.findIndex((other) => other.loses < loses);
    from.splice(at < 0 ? from.length : at, 0, { page, loses });
    if (from.length > LINKING_MAX) from.pop();
  }
  return {
    url,
    mass: survey.missing(url)?.mass ?? 0,
    from: from.map(({ page }) => page),
    fromCount,
  };
}

function refusedPages(
  survey: Survey,
  reason: RefusalReason,
  { count, examples }: { readonly count: number; readonly examples: readonly number[] },
): RefusedPages {
  return {
    reason,
    count,
    mass: survey.facts.missing.find((share) => share.reason === reason)?.mass ?? 0,
    examples: examples.map((url) => ({ url, mass: survey.missing(url)?.mass ?? 0 })),
  };
}
