/** Events in words: what a terminal and a log tell of hosts, of seeds and of the crawl itself. */
import { formatSeconds, percentAtLeast } from "../base/index.ts";
import type { CrawlEvent, SeedInTrouble, SeedLost } from "../crawl/index.ts";
import { lossInWords, reasonInWords } from "./outcomes.ts";

/** Without a capital letter and a full stop, so that it may stand in a line. */
export function eventInWords(event: CrawlEvent): string {
  switch (event.name) {
    case "host-paused":
      return `${event.host} ${reasonInWords(event.reason)}: left alone for ${waitInWords(event.forMs)}`;
    case "host-given-up":
      return `${event.host} is given up: it ${reasonInWords(event.reason)}`;
    case "seed-lost":
      return seedLostInWords(event);
    case "seed-in-trouble":
      return seedTroubleInWords(event);
    case "paused":
      return "paused: nothing new is fetched";
    case "resumed":
      return "goes on";
    case "limits-changed": {
      const { coverage } = event.limits;
      return coverage === undefined
        ? "limits were changed"
        : `limits were changed; the target is ${percentAtLeast(coverage)}`;
    }
    case "stopping":
      return `stopping: ${event.reason.replaceAll("-", " ")}`;
  }
}

function seedLostInWords({ url, reason, detail }: SeedLost): string {
  return `the seed ${url} ${lossInWords(reason, detail)}`;
}

function seedTroubleInWords({ url, reason, isRobots, waitMs }: SeedInTrouble): string {
  // What an answer says is about robots.txt alone; that there is none is about the whole host.
  const whose = isRobots && reason.startsWith("status-") ? "the robots.txt before the seed" : "the seed";
  return `${whose} ${url} ${reasonInWords(reason)}; it is tried again in ${waitInWords(waitMs)}`;
}

/** Whole seconds, one at the least. */
export function waitInWords(ms: number): string {
  return formatSeconds(Math.max(1, Math.round(ms / 1000)));
}
