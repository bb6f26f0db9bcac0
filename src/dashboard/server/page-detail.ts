/** One page: everything that is known about it, the pages that link to it, and the pages it links to. */
import { encodeReason } from "../../log/index.ts";
import type { CrawlWindow, WindowVisit } from "../../store/index.ts";
import { shortReason, shownInLine } from "../../text/index.ts";
import { hostOfOrigin, splitUrl } from "../../web/index.ts";
import { distinct, type NumberedSurvey, type Survey } from "../../survey/index.ts";
import type { LinkLine, LinkList, PageDetail, VisitLine } from "../protocol/http.ts";
import { pageLine, type Pages, shareOf } from "./pages.ts";
import { HttpError, type Rows } from "./requests.ts";
import { RecentCache } from "./recent-cache.ts";

/** Shown attempts per page. */
const ATTEMPTS_MAX = 100;
/** So many of the linking pages are sorted by share; the others follow in the order of their ids. */
const SORTED_MAX = 10_000;
const LISTS_MAX = 8;
const LINKS_MAX = 2 ** 22;

/** The pages at the other end of a page's links, each once. */
interface Ends {
  readonly ids: Uint32Array;
  readonly carries: Float64Array;
  readonly times: Uint32Array;
}

export class PageDetails {
  readonly #window: CrawlWindow;
  readonly #pages: Pages;
  readonly #damping: () => number;
  readonly #ends = new RecentCache<Ends>({ entries: LISTS_MAX, size: LINKS_MAX }, ({ ids }) => ids.length);

  constructor(window: CrawlWindow, pages: Pages, damping: () => number) {
    this.#window = window;
    this.#pages = pages;
    this.#damping = damping;
  }

  detail({ number, survey }: NumberedSurvey, id: number): PageDetail {
    const [line] = this.#window.lines([id]);
    if (line === undefined) throw new HttpError(404, `There is no page ${id}.`);
    const isSurveyed = id < survey.facts.urls;
    const place = isSurveyed ? survey.place(id) : 0;
    const missing = isSurveyed ? survey.missing(id) : undefined;
    const outside = isSurveyed ? survey.outside(id) : undefined;
    const { source, contentType, bytes, target } = line;
    const { rereads, isWhole } = this.#window.rereads(id);
    return {
      ...pageLine(survey, line),
      survey: number,
      host: hostOf(line.url),
      source,
      place: place === 0 ? null : { place, isCertain: place <= survey.facts.certainPlaces },
      missing: missing ?? null,
      outside: outside ?? null,
      trust: this.#window.trustOf(id) ?? null,
      contentType,
      bytes,
      target,
      linksIn: isSurveyed ? pagesLinkingTo(survey, id) : 0,
      linksOut: this.#out({ number, survey }, id).ids.length,
      visits: this.#visits(survey, id),
      rereads,
      ...(isWhole ? {} : { hasOlderRereads: true }),
    };
  }

  linksIn({ number, survey }: NumberedSurvey, id: number, rows: Rows): LinkList {
    if (id >= survey.facts.urls) return { total: 0, rows: [] };
    const ends = this.#ends.get(`in ${number} ${id}`, () => endsInto(survey, id, this.#damping()));
    return this.#linkList(survey, ends, rows);
  }

  linksOut(numbered: Pick<NumberedSurvey, "number" | "survey">, id: number, rows: Rows): LinkList {
    return this.#linkList(numbered.survey, this.#out(numbered, id), rows);
  }

  #out({ number, survey }: Pick<NumberedSurvey, "number" | "survey">, id: number): Ends {
    return this.#ends.get(`out ${number} ${id}`, () => {
      const links = this.#window.linksOf(id).filter((target) => target !== id);
      const each = (this.#damping() * shareOf(survey, id).low) / links.length;
      const times = new Map<number, number>();
      for (const target of links) times.set(target, (times.get(target) ?? 0) + 1);
      return {
        ids: Uint32Array.from(times.keys()),
        carries: Float64Array.from(times.values(), (count) => count * each),
        times: Uint32Array.from(times.values()),
      };
    });
  }

  #linkList(survey: Survey, { ids, carries, times }: Ends, { from, count }: Rows): LinkList {
    const lines = this.#pages.lines(survey, ids.subarray(from, from + count));
    const rows: LinkLine[] = lines.map((page, k) => ({ page, carries: carries[from + k], times: times[from + k] }));
    return { total: ids.length, rows };
  }

  #visits(survey: Survey, id: number): VisitLine[] {
    const tried = id < survey.facts.urls ? survey.attempts(id).slice(-ATTEMPTS_MAX) : [];
    const last = this.#window.finalVisit(id);
    return [...this.#window.visits(tried), ...(last === undefined ? [] : [last])].map(visitLine);
  }
}

/** How many pages link to a URL, each counted once. */
export function pagesLinkingTo(survey: Survey, id: number): number {
  return distinct(survey.linksTo(id));
}

/** Empty for a sink: it represents everything on an origin that is never followed, and has no URL. */
export function hostOf(url: string): string {
  return url.startsWith("http") ? hostOfOrigin(splitUrl(url).origin) : "";
}

/** Largest share first. With a million linking pages, only the largest are sorted. */
function endsInto(survey: Survey, id: number, damping: number): Ends {
  const sources = survey.linksTo(id);
  const count = distinct(sources);
  const unsorted = { ids: new Uint32Array(count), carries: new Float64Array(count), times: new Uint32Array(count) };
  let at = -1;
  for (let k = 0; k < sources.length; k++) {
    if (k === 0 || sources[k] !== sources[k - 1]) unsorted.ids[++at] = sources[k];
    unsorted.times[at]++;
  }
  for (let k = 0; k < count; k++) {
    const source = unsorted.ids[k];
    const each = (damping * survey.interval(source).low) / Math.max(1, survey.linkCount(source));
    unsorted.carries[k] = each * unsorted.times[k];
  }
  return reordered(unsorted, largestFirst(unsorted.carries));
}

function largestFirst(values: Float64Array): Uint32Array {
  const least = values.length <= SORTED_MAX ? 0 : values.toSorted()[values.length - SORTED_MAX];
  const all = Uint32Array.from({ length: values.length }, (_, k) => k);
  const large = all.filter((k) => values[k] >= least).sort((a, b) => values[b] - values[a] || a - b);
  const small = all.filter((k) => values[k] < least);
  const order = new Uint32Array(values.length);
  order.set(large);
  order.set(small, large.length);
  return order;
}

function reordered({ ids, carries, times }: Ends, order: Uint32Array): Ends {
  return {
    ids: order.map((k) => ids[k]),
    carries: Float64Array.from(order, (k) => carries[k]),
    times: order.map((k) => times[k]),
  };
}

function visitLine(visit: WindowVisit): VisitLine {
  const { number, atMs, outcome, status, milliseconds, wireBytes } = visit;
  const why = shownInLine(shortReason(visit));
  return { number, atMs, outcome, reason: encodeReason(visit), why, status, milliseconds, bytes: wireBytes };
}
