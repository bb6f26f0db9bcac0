/** The demo web on loopback: one server for all of its hosts, which differ in the Host header. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { FailureError, messageOf, systemTimers } from "../base/index.ts";
import { demoReply } from "./pages.ts";
import { DEMO_DOMAIN } from "./sites.ts";

export interface DemoServer {
  readonly port: number;
  /** The addresses of its hosts, for `tidemark crawl --resolve`. */
  readonly resolve: readonly string[];
  close(): Promise<void>;
}

/** Requests are counted for so many paths; then counting starts again. */
const PATHS_COUNTED_MAX = 100_000;

/** `port` 0 is any free port. */
export async function startDemoServer(port = 0): Promise<DemoServer> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    const path = request.url ?? "/";
    const requests = (counts.get(host + path) ?? 0) + 1;
    if (counts.size >= PATHS_COUNTED_MAX) counts.clear();
    counts.set(host + path, requests);
    const { status, headers, body, delayMs } = demoReply(host, path, requests);
    const send = (): void => {
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
      response.end(request.method === "HEAD" ? "" : body);
    };
    if (delayMs === 0) send();
    else systemTimers.after(delayMs, send);
  });
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "EADDRINUSE" ? "it is in use" : messageOf(error);
    throw new FailureError(`port ${port} of this machine cannot be used: ${why}`);
  }
  const { port: at } = server.address() as AddressInfo;
  return {
    port: at,
    resolve: [`${DEMO_DOMAIN}:127.0.0.1:${at}`, `*.${DEMO_DOMAIN}:127.0.0.1:${at}`],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
