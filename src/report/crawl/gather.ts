/** Reads from the directory of a crawl, which may be running, what a report shows beside the survey. */
import { endOfLastRun, parseSettings } from "../../crawl/index.ts";
import { type CrawlWindow, openCrawlReadOnly, openWindow } from "../../store/index.ts";
import type { Survey } from "../../survey/index.ts";
import { choosePages, urlsOf } from "./choose.ts";
import type { CrawlContents, PageText, RereadSummary } from "./contents.ts";
import { summariseRereads } from "./rereads.ts";

export function gatherContents(dir: string, survey: Survey): CrawlContents {
  const chosen = choosePages(survey);
  const rereads = rereadsOf(dir, survey);
  const wanted = [...urlsOf(chosen), ...(rereads?.lost ?? []).map(({ url }) => url)];
  const window = openWindow(dir);
  try {
    return {
      survey,
      settings: parseSettings(window.settings()),
      end: window.isHeld() ? "running" : (endOfLastRun(window)?.reason ?? "cut-off"),
      chosen,
      texts: textsOf(window, wanted),
      ...(rereads === undefined ? {} : { rereads }),
    };
  } finally {
    window.close();
  }
}

function rereadsOf(dir: string, survey: Survey): RereadSummary | undefined {
  const store = openCrawlReadOnly(dir);
  try {
    return summariseRereads(store.rereads(), survey);
  } finally {
    store.close();
  }
}

function textsOf(window: CrawlWindow, urls: readonly number[]): Map<number, PageText> {
  return new Map(window.lines(urls).map((line) => [line.id, line]));
}
