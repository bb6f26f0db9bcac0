/**
 * A server that looks like the dashboard's and invents what it says: for tests of the page, and to look at it while one
 * changes it. Not shipped. By hand, after `npm run build`:
 *
 *     npx rolldown test/dashboard/page-mock.ts --platform node --file out/page-mock.mjs && node out/page-mock.mjs running 4600
 *
 * where the words are a `Scenario` and a port. Node reads no TypeScript in the versions that we support, hence the
 * bundle.
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Control, ControlAnswer } from "../../src/dashboard/protocol/http.ts";
import { sharedStyle } from "../../src/report/pieces/style.ts";
import { MockCrawl, type Scenario } from "./mock/crawl.ts";
import { frontier, hostList, links, logList, pageDetail, pageList } from "./mock/lists.ts";

export interface MockOptions {
  readonly scenario: Scenario;
  readonly port?: number;
  readonly known?: number;
  /** Between two seconds of the made-up crawl; it stands still where this is 0, until `tick` is called. */
  readonly tickMs?: number;
}

export interface Mock {
  readonly url: string;
  readonly port: number;
  readonly crawl: MockCrawl;
  /** Requests by POST, in sequence. */
  readonly controls: readonly Control[];
  /** A second of the made-up crawl goes by. */
  tick(): void;
  /** Sends to all listeners. */
  send(event: string, value: unknown): void;
  /** A new survey is there. */
  resurvey(): void;
  close(): Promise<void>;
}

const PAGE = join(process.cwd(), "dist/dashboard/page");
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export async function startMock({ scenario, port = 0, known = 1_000_000, tickMs = 1000 }: MockOptions): Promise<Mock> {
  const crawl = new MockCrawl(scenario, known);
  const controls: Control[] = [];
  const listeners = new Set<ServerResponse>();
  const send = (event: string, value: unknown): void => {
    for (const listener of listeners) listener.write(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
  };
  const tick = (): void => {
    const before = crawl.asked;
    const points = crawl.advance();
    send("overview", crawl.overview());
    if (points.length > 0) send("tide", points);
    const fresh = Array.from({ length: crawl.asked - before }, (_, index) => crawl.entry(before + index));
    if (fresh.length > 0) send("log", fresh.slice(-20));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/api/events") {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
      response.write(`event: overview\ndata: ${JSON.stringify(crawl.overview())}\n\n`);
    } else if (url.pathname === "/api/control") {
      void body(request).then((text) => {
        const change = JSON.parse(text) as Control;
        controls.push(change);
        const problem = crawl.control(change);
        const answer: ControlAnswer = { state: crawl.state, limits: crawl.limits };
        json(response, problem === null ? 200 : 409, problem === null ? answer : { problem });
        send("overview", crawl.overview());
        if (problem === null) send("log", [crawl.events[0]]);
      });
    } else if (url.pathname.startsWith("/api/")) {
      answer(crawl, url, response);
    } else {
      file(url.pathname, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const timer = tickMs === 0 ? undefined : setInterval(tick, tickMs);
  const actualPort = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${actualPort}`,
    port: actualPort,
    crawl,
    controls,
    tick,
    send,
    resurvey() {
      crawl.survey++;
      crawl.surveyedPages = crawl.pages;
      send("surveyed", crawl.overview().survey);
    },
    close() {
      clearInterval(timer);
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(crawl: MockCrawl, { pathname, searchParams }: URL, response: ServerResponse): void {
  if (pathname === "/api/overview") return json(response, 200, crawl.overview());
  if (pathname === "/api/tide") return json(response, 200, crawl.tide());
  if (pathname === "/api/freshness") return json(response, 200, { refresh: crawl.refresh ?? null });
  if (pathname === "/api/log") return json(response, 200, logList(crawl, searchParams));
  const { surveying } = crawl;
  if (surveying !== null) return json(response, 503, { problem: "The first survey is being made.", surveying });
  const value = surveyed(crawl, pathname, searchParams);
  return value === null
    ? json(response, 404, { problem: `There is no ${pathname} in this crawl.` })
    : json(response, 200, value);
}

function surveyed(crawl: MockCrawl, pathname: string, query: URLSearchParams): unknown {
  if (pathname === "/api/missing") return crawl.missing();
  if (pathname === "/api/missing/hosts") {
    return crawl.missingHosts().find(({ reason }) => reason === query.get("reason")) ?? null;
  }
  if (pathname === "/api/pages") return pageList(crawl, query);
  if (pathname === "/api/hosts") return hostList(crawl, query);
  if (pathname === "/api/frontier") return frontier(crawl, query);
  const [, id, side] = /^\/api\/pages\/(\d+)(?:\/(in|out))?$/.exec(pathname) ?? [];
  if (id === undefined) return null;
  return side === undefined ? pageDetail(crawl, Number(id)) : links(crawl, Number(id), side as "in" | "out", query);
}

function file(pathname: string, response: ServerResponse): void {
  const headers = { "content-security-policy": POLICY, "x-content-type-options": "nosniff" };
  if (pathname === "/theme.css") {
    response.writeHead(200, { ...headers, "content-type": "text/css" }).end(sharedStyle);
    return;
  }
  const name = pathname === "/" ? "index.html" : pathname.slice(1);
  try {
    if (!/^(index\.html|assets\/[\w.-]+)$/.test(name)) throw new Error("not a file of the page");
    const bytes = readFileSync(join(PAGE, name));
    response.writeHead(200, { ...headers, "content-type": TYPES[extname(name)] ?? "text/plain" }).end(bytes);
  } catch {
    response.writeHead(404, headers).end();
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(value));
}

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}

const [, script = "", scenario = "running", port = "4600"] = process.argv;
if (script.endsWith("page-mock.mjs")) {
  const mock = await startMock({ scenario: scenario as Scenario, port: Number(port) });
  console.log(`${scenario} at ${mock.url}`);
}
