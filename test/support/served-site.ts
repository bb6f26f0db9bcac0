/** A small site on loopback for tests with a real network: what each path answers, and what was requested. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** HTML, or a type and a body, or a redirect, or the beginning of a response that does not end. */
export type ServedFile =
  | string
  | { readonly endless: string }
  | { readonly type: string; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly redirect: string };

export interface ServedSite {
  readonly port: number;
  readonly origin: string;
  /** Paths, in order. */
  readonly requested: readonly string[];
  /** So many were made, with or without a request. */
  connections(): number;
  close(): Promise<void>;
}

/** What is undefined is not found. */
export type Serve = (path: string, origin: string, headers: IncomingHttpHeaders) => ServedFile | undefined;

export async function serveSite(serve: Serve): Promise<ServedSite> {
  const requested: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "/";
    requested.push(path);
    const file = serve(path, `http://${request.headers.host}`, request.headers);
    if (file === undefined) return response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    if (typeof file === "string") return response.writeHead(200, { "content-type": "text/html" }).end(file);
    if ("endless" in file) return response.writeHead(200, { "content-type": "text/plain" }).write(file.endless);
    if ("redirect" in file) return response.writeHead(302, { location: file.redirect }).end();
    return response.writeHead(200, { "content-type": file.type, ...file.headers }).end(file.body);
  });
  let connections = 0;
  server.on("connection", () => void connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    requested,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
