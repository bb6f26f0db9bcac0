/**
 * The twin of the network: serves the pages of a web graph as HTML, with the contract of the real fetcher and without a socket.
 *
 * The very engine that crawls the web can so be run on a graph whose truth is known. Links stand in the order of the row, absolute;
 * what is no page of the graph answers 404. Replies are handed over by `schedule`, one call each and in the order of the requests,
 * never from inside `fetch`, so the engine is not entered while it is still asking. Nothing is kept per page: the web may be larger
 * than memory if `rowOf` and `pageOf` compute.
 *
 * Cost: one string and one encoding a page, about 0.3 microseconds a link.
 */
import { type Graph, successors } from "../graph/index.ts";
import type { Answer, Fetcher, FetchRequest, Reply } from "./contract.ts";

export interface TwinWeb {
  /** Absolute and canonical. */
  urlOf(page: number): string;
  /** The links of a page; read before the next call, so one array may be used for all. */
  rowOf(page: number): ArrayLike<number>;
  /** -1 for a URL that is no page. */
  pageOf(url: string): number;
  /** The robots.txt at this URL; null, or no such function: there is none (404). */
  robotsOf?(url: string): string | null;
  /** How replies are delivered; setImmediate unless given. A callback runs later, once, in the order of the calls. */
  schedule?(callback: () => void): void;
}

interface Waiting {
  readonly request: FetchRequest;
  readonly done: (reply: Reply) => void;
}

export class GraphFetcher implements Fetcher {
  readonly #web: TwinWeb;
  readonly #schedule: (callback: () => void) => void;
  readonly #waiting = new Set<Waiting>();
  #closed = false;

  constructor(web: TwinWeb) {
    this.#web = web;
    this.#schedule = web.schedule?.bind(web) ?? ((callback) => void setImmediate(callback));
  }

  fetch(request: FetchRequest, done: (reply: Reply) => void): void {
    const waiting = { request, done };
    this.#waiting.add(waiting);
    this.#schedule(() => {
      if (!this.#waiting.delete(waiting)) return;
      done(this.#closed ? aborted : this.#reply(request));
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const ended = [...this.#waiting];
    this.#waiting.clear();
    for (const { done } of ended) done(aborted);
  }

  #reply(request: FetchRequest): Reply {
    if (request.purpose === "robots") {
      const text = this.#web.robotsOf?.(request.url) ?? null;
      return text === null ? notFound : answer(200, "text/plain; charset=utf-8", text);
    }
    const page = this.#web.pageOf(request.url);
    return page < 0 ? notFound : answer(200, "text/html; charset=utf-8", this.#html(page));
  }

  #html(page: number): string {
    const row = this.#web.rowOf(page);
    let html = `<!doctype html><title>${page}</title>\n`;
    for (let i = 0; i < row.length; i++)
      html += `<a href="${escaped(this.#web.urlOf(row[i]))}">${row[i]}</a>\n`;
    return html;
  }
}

/** A twin for a graph in memory. It keeps a map of all URLs: for more than some million pages give `pageOf` by hand. */
export function twinOfGraph(
  graph: Graph,
  urlOf: (page: number) => string,
  options: Pick<TwinWeb, "robotsOf" | "schedule"> = {},
): GraphFetcher {
  const pages = new Map<string, number>();
  for (let page = 0; page < graph.pages; page++) pages.set(urlOf(page), page);
  return new GraphFetcher({
    ...options,
    urlOf,
    rowOf: (page) => successors(graph, page),
    pageOf: (url) => pages.get(url) ?? -1,
  });
}

const aborted: Reply = {
  kind: "failure",
  failure: "aborted",
  message: "the crawl is stopping",
  address: null,
  milliseconds: 0,
};

const notFound: Reply = answer(404, "text/plain", "");

function answer(status: number, contentType: string, text: string): Answer {
  const body = Buffer.from(text);
  return {
    kind: "answer",
    status,
    headers: { "content-type": contentType },
    body,
    truncated: false,
    wireBytes: body.length,
    address: null,
    milliseconds: 0,
  };
}

/** Canonical URLs hold neither quotes nor angle brackets; a query may hold `&`. */
function escaped(url: string): string {
  return url.includes("&") || url.includes('"')
    ? url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
    : url;
}
