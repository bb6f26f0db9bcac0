import type { CrawlLog } from "../../src/log/index.ts";
import type { RefreshedLog } from "../../src/survey/risen-tide.ts";

/** The log, of which no page was read again, as it was when so many visits had ended; a round that began after the last of them has not begun. */
export function upTo(log: CrawlLog, visits: number): RefreshedLog {
  const urls = [...log.urls()].filter(({ discoveredAt }) => discoveredAt <= visits);
  return {
    settings: () => log.settings(),
    origins: (first) => log.origins(first),
    urls: (first = 0) => urls.slice(first),
    visits: (first) => [...log.visits(first)].filter(({ number }) => number <= visits),
    trust: () => log.trust(),
    received: () => log.received(),
    looks: () => log.looks(),
    rounds: () => [...log.rounds()].filter(({ afterVisit }) => afterVisit < visits),
    cuts: () => log.cuts(),
    listedUrls: () => log.listedUrls(),
    urlCount: urls.length,
    generation: 0,
    replacedVisits: () => [],
  };
}
