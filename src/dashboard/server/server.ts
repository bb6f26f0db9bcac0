/**
 * The dashboard's server. Every response has strict headers, set before anything else sees the request. The guard comes
 * next, and only accepted requests reach the app. Everything is bounded: headers, bodies, connections, viewers, and the
 * time that a request may take to arrive.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { getRequestListener } from "@hono/node-server";
import { FailureError, systemTimers, type Timers, UsageError } from "../../base/index.ts";
import type { RefreshStatus } from "../../crawl/index.ts";
import { openWindow, type ReadOptions } from "../../store/index.ts";
import type { SurveySource } from "../../survey/index.ts";
import type { CrawlPort } from "./server-thread.ts";
import { createApp } from "./app.ts";
import { loadAssets } from "./assets.ts";
import { Guard, tokenFor, urlHost } from "./guard.ts";

/** Options of `startServer`. */
export interface ServerOptions extends ReadOptions {
  readonly dir: string;
  /** Of the same moment. */
  readonly survey: SurveySource;
  /** Left out if the crawl does not run in this process. */
  readonly feed?: CrawlPort;
  /** What a refresh in this process has last reported, null if nothing yet; undefined before it begins. */
  readonly refresh?: () => RefreshStatus | null | undefined;
  /** An address or a name of this machine; with 127.0.0.1 only this machine has access. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Access token; generated if other machines can reach the server. */
  readonly token?: string;
  /** Called with errors that occur while the server responds. */
  readonly onError?: (error: unknown) => void;
  readonly timers?: Timers;
  /** The folder of the built page, for tests. */
  readonly page?: URL;
}

/** A dashboard that is served. */
export interface DashboardServer {
  /** For the user to open: with the token if one is required. */
  readonly url: string;
  /** Ends at once, also for viewers. The caller closes the survey source. */
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 256;
const HEADER_BYTES_MAX = 16_384;
const REQUEST_MS_MAX = 10_000;
const HEADERS_MS_MAX = 5000;
const KEEP_ALIVE_MS = 10_000;

const STRICT: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Serves the dashboard of a crawl directory. */
export async function startServer(options: ServerOptions): Promise<DashboardServer> {
  const { dir, survey, feed, refresh, host, atMs, timers = systemTimers, onError = () => {} } = options;
  const token = tokenFor(host, options.token);
  const assets = loadAssets(options.page);
  const window = openWindow(dir, timers, { atMs });
  let server: Server | undefined;
  try {
    const source = survey;
    const { hono, events, searches } = createApp({ dir, window, source, feed, refresh, assets, timers, onError, atMs });
    const answer = getRequestListener(hono.fetch, { overrideGlobalObjects: false });
    server = createServer({
      maxHeaderSize: HEADER_BYTES_MAX,
      requestTimeout: REQUEST_MS_MAX,
      headersTimeout: HEADERS_MS_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1000,
    });
    server.maxConnections = CONNECTIONS_MAX;
    const port = await listen(server, options);
    const guard = new Guard({ host, port, token });
    server.on("request", (request, response) => {
      if (isAccepted(guard, request, response)) void answer(request, response);
    });
    const listening = server;
    return {
      url: `http://${shownHost(host)}:${port}/${token === undefined ? "" : `?token=${token}`}`,
      close: async () => {
        events.close();
        const closed = new Promise((resolve) => listening.close(resolve));
        listening.closeAllConnections();
        await closed;
        searches.close();
        window.close();
      },
    };
  } catch (error) {
    server?.close();
    window.close();
    throw error;
  }
}

/** A server that listens on every address is reached by the name of the machine. */
function shownHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? hostname().toLowerCase() : urlHost(host);
}

/** Sets the strict headers, and responds to a request that is not accepted. */
function isAccepted(guard: Guard, request: IncomingMessage, response: ServerResponse): boolean {
  for (const [name, value] of Object.entries(STRICT)) response.setHeader(name, value);
  const verdict = guard.judge(request);
  if (verdict.kind === "accepted") return true;
  // The rest of a rejected request is not read.
  response.setHeader("connection", "close");
  if (verdict.kind === "login") {
    response.setHeader("set-cookie", verdict.cookie);
    response.writeHead(303, { location: "/" }).end();
    return false;
  }
  if (verdict.status === 405) response.setHeader("allow", "GET, HEAD");
  if (verdict.status === 401) response.setHeader("www-authenticate", "Bearer");
  response.writeHead(verdict.status, { "content-type": "text/plain; charset=utf-8" });
  response.end(request.method === "HEAD" ? undefined : `${verdict.text}\n`);
  return false;
}

async function listen(server: Server, { host, port }: ServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(notListening(error, host, port)));
    server.listen({ host, port, exclusive: true }, () => resolve((server.address() as AddressInfo).port));
  });
}

function notListening(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const cause = { cause: error };
  switch (error.code) {
    case "EADDRINUSE":
      return new UsageError(
        `port ${port} of ${host} is used by another program: choose another port, or 0 for any free one`,
        cause,
      );
    case "EACCES":
      return new UsageError(`this user may not use port ${port}: expected one from 1024, or 0 for any free one`, cause);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UsageError(
        `${host} is not an address of this machine: expected one, or 127.0.0.1 for this machine only`,
        cause,
      );
    default:
      return new FailureError(`the dashboard cannot listen on ${host}, port ${port}: ${error.message}`, cause);
  }
}
