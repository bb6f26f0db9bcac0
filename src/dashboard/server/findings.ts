/** What the owner of a site would fix, with the names of all URLs. Kept until the next survey. */
import { assert } from "../../base/index.ts";
import { brokenLinkTexts, type FindingsSummary, urlsOfFindings } from "../../findings/index.ts";
import { asSeen, decodeReason } from "../../log/index.ts";
import type { CrawlWindow, WindowLine } from "../../store/index.ts";
import type { NumberedSurvey, Survey } from "../../survey/index.ts";
import { linkEndInWords, shownInLine } from "../../text/index.ts";
import type { Findings, GroupsOfPages, UrlName } from "../protocol/http.ts";

export class FindingsQuery {
  readonly #window: CrawlWindow;
  #last: Findings | undefined;

  constructor(window: CrawlWindow) {
    this.#window = window;
  }

  all({ number, survey }: NumberedSurvey): Findings {
    if (this.#last?.survey !== number) this.#last = this.#named(number, survey);
    return this.#last;
  }

  #named(number: number, survey: Survey): Findings {
    const { brokenLinks, redirects, duplicates, nearDuplicates, orphans } = survey.facts.findings;
    const lines = new Map(this.#window.allLines(urlsOfFindings(survey.facts.findings)).map((line) => [line.id, line]));
    const lineOf = (id: number): WindowLine => {
      const line = lines.get(id);
      assert(line !== undefined, `URL ${id} of a survey is in its crawl`);
      return line;
    };
    const texts = brokenLinkTexts(survey.facts.findings, this.#window);
    const named = (ids: readonly number[]): UrlName[] =>
      ids.map((id) => {
        const { url, title } = lineOf(id);
        return { id, url, title };
      });
    const response = (way: readonly number[]): string => {
      const line = lineOf(way[way.length - 1]);
      const { state, reason } = asSeen(line, survey.state[line.id]);
      return shownInLine(linkEndInWords({ state, status: line.status, ...decodeReason(state, reason) }));
    };
    const groupsOf = ({ pages, groups, first }: FindingsSummary["duplicates"]): GroupsOfPages => ({
      pages,
      groups,
      rows: first.map(({ pages, copies }) => ({ pages: named(pages), copies })),
    });
    return {
      survey: number,
      brokenLinks: {
        links: brokenLinks.links,
        pages: brokenLinks.pages,
        rows: brokenLinks.first.map(({ source, way }, k) => ({
          source: named([source])[0],
          text: texts[k],
          way: named(way),
          response: response(way),
        })),
      },
      redirects: {
        urls: redirects.urls,
        chains: redirects.chains,
        loops: redirects.loops,
        rows: redirects.first.map(({ way, linkedFrom }) => ({ way: named(way), response: response(way), linkedFrom })),
      },
      duplicates: groupsOf(duplicates),
      nearDuplicates: nearDuplicates && groupsOf(nearDuplicates),
      orphans: {
        urls: orphans.urls,
        rows: orphans.first.map((id) => ({ page: named([id])[0], response: response([id]) })),
      },
    };
  }
}
