/** The demonstration web on loopback: one server for all of its hosts, which are told apart by their Host header. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { FailureError, systemTimers } from "../base/index.ts";
import { demoReply } from "./pages.ts";
import { DEMO_DOMAIN } from "./sites.ts";

export interface DemoServer {
  readonly port: number;
  /** As `tidemark crawl --resolve` takes them: where the hosts of this web are. */
  readonly resolve: readonly string[];
  close(): Promise<void>;
}

/** Which paths were asked is kept for so many; then the memory begins anew. */
const PATHS_KEPT_MAX = 100_000;

/** On any free port unless one is given. */
export async function startDemoServer(port = 0): Promise<DemoServer> {
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    const path = request.url ?? "/";
    const times = (asked.get(host + path) ?? 0) + 1;
    if (asked.size >= PATHS_KEPT_MAX) asked.clear();
    asked.set(host + path, times);
    const { status, headers, body, delayMs } = demoReply(host, path, times);
    const send = (): void => {
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
      response.end(request.method === "HEAD" ? "" : body);
    };
    if (delayMs === 0) send();
    else systemTimers.after(delayMs, send);
  });
  const at = await listening(server, port);
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

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "it is in use" : error.message;
      reject(new FailureError(`the port ${port} of this machine cannot be used: ${why}`));
    });
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
