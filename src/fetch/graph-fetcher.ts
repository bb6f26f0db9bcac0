/**
 * A simulated network: serves the pages of a web graph as HTML, with the contract of the real fetcher and without a
 * socket.
 *
 * So the engine that crawls the web can run on a graph whose truth is known. Links are absolute and in the order of the
 * row; a URL that is not a page of the graph gives 404. Replies are delivered by `schedule`, one call each and in the
 * order of the requests, never from inside `fetch`, so the engine is not re-entered while it sends requests. Nothing is
 * kept per page: the web may be larger than memory if `rowOf` and `pageOf` compute.
 *
 * Cost: one string and one encoding per page, about 0.3 microseconds per link.
 */
import { type Graph, successors } from "../graph/index.ts";
import { aborted, type Answer, type Fetcher, type FetchRequest, type Reply } from "./contract.ts";

/** A web that `GraphFetcher` serves. */
export interface ServedWeb {
  /** Absolute and canonical. */
  urlOf(page: number): string;
  /** The links of a page. They are read before the next call, so one array may be used for all pages. */
  rowOf(page: number): ArrayLike<number>;
  /** The page of a URL; -1 if it is none. */
  pageOf(url: string): number;
  /** The robots.txt at this URL; null if there is none (default: none anywhere). */
  robotsOf?(url: string): string | null;
  /** Runs a callback later, once, in the order of the calls (default: `setImmediate`). */
  schedule?(callback: () => void): void;
}

interface Waiting {
  readonly request: FetchRequest;
  readonly done: (reply: Reply) => void;
}

/** Serves a web graph instead of the network, for tests and experiments. */
export class GraphFetcher implements Fetcher {
  readonly #web: ServedWeb;
  readonly #schedule: (callback: () => void) => void;
  readonly #waiting = new Set<Waiting>();
  #closed = false;

  constructor(web: ServedWeb) {
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
    for (let i = 0; i < row.length; i++) html += `<a href="${escaped(this.#web.urlOf(row[i]))}">${row[i]}</a>\n`;
    return html;
  }
}

/** Serves a graph in memory, with a map of all URLs: for more than a few million pages use `GraphFetcher`. */
export function fetcherOfGraph(
  graph: Graph,
  urlOf: (page: number) => string,
  options: Pick<ServedWeb, "robotsOf" | "schedule"> = {},
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

/** Canonical URLs contain no angle brackets; a query may contain `&`. */
function escaped(url: string): string {
  return url.includes("&") || url.includes('"') ? url.replaceAll("&", "&amp;").replaceAll('"', "&quot;") : url;
}
