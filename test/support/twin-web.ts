/**
 * A web of many hosts that this process serves on one port, every page of which can be reached, and a record of who was
 * asked when. `Host` says which host is meant; the crawler is told with --resolve where all of them are.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Random } from "../../src/base/index.ts";

export interface TwinWeb {
  readonly seed: string;
  /** For --resolve. */
  readonly resolve: string;
  readonly pages: number;
  pageOf(url: string): number;
  /** As its nth request finds them, counted from 1; the ETag of the answer has that number. */
  linksOf(page: number, nth?: number): readonly number[];
  /** By host: when each request began and ended, in the order in which they began. */
  readonly requests: ReadonlyMap<string, readonly { readonly fromMs: number; toMs: number }[]>;
  close(): void;
}

const PAGES_PER_HOST = 25;

export interface TwinOptions {
  /** A page that is requested again has other links, but for those by which every page is reached (default: false). */
  readonly isChanging?: boolean;
}

export async function serveTwin(pages: number, { isChanging = false }: TwinOptions = {}): Promise<TwinWeb> {
  const hosts = Math.max(2, Math.ceil(pages / PAGES_PER_HOST));
  const urlOf = (page: number): string => `http://h${page % hosts}.twin.test/p${page}`;
  const linksOf = (page: number, nth = 1): number[] => {
    const random = new Random(page, isChanging ? 4 + nth : 5);
    // A tree, so that every page is reached, and some more.
    const links = [2 * page + 1, 2 * page + 2, ...Array.from({ length: 4 }, () => random.below(pages))];
    return [...new Set(links.filter((target) => target < pages && target !== page))];
  };
  const requests = new Map<string, { fromMs: number; toMs: number }[]>();
  const counts = new Map<number, number>();
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const noted = { fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY };
    const all = requests.get(host);
    if (all === undefined) requests.set(host, [noted]);
    else all.push(noted);
    // It is over when the last byte is on its way, or when the crawler has gone.
    const end = (): void => {
      noted.toMs = Math.min(noted.toMs, performance.now());
    };
    response.on("close", end);
    const page = Number(/^\/p(\d+)$/.exec(request.url ?? "")?.[1] ?? -1);
    if (page < 0 || page >= pages) {
      end();
      response.writeHead(404).end();
      return;
    }
    const nth = (counts.get(page) ?? 0) + 1;
    counts.set(page, nth);
    const links = linksOf(page, nth).map((target) => `<a href="${urlOf(target)}">page ${target}</a>`);
    end();
    response.writeHead(200, { "content-type": "text/html", etag: `"${nth}"` });
    response.end(`<title>${page}</title><p>Page ${page}.</p>${links.join(" ")}`);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    seed: urlOf(0),
    resolve: `*.twin.test:127.0.0.1:${port}`,
    pages,
    pageOf: (url) => Number(/\/p(\d+)$/.exec(url)?.[1] ?? -1),
    linksOf,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
