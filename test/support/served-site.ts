/** A small site on loopback for tests with a real network: what each path answers, and what was requested. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** HTML, or a type and a body, or a redirect. */
export type ServedFile = string | { readonly type: string; readonly body: string } | { readonly redirect: string };

export interface ServedSite {
  readonly port: number;
  readonly origin: string;
  /** Paths, in order. */
  readonly requested: readonly string[];
  close(): Promise<void>;
}

/** What is undefined is not found. */
export async function serveSite(serve: (path: string, origin: string) => ServedFile | undefined): Promise<ServedSite> {
  const requested: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "/";
    requested.push(path);
    const file = serve(path, `http://${request.headers.host}`);
    if (file === undefined) return response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    if (typeof file === "string") return response.writeHead(200, { "content-type": "text/html" }).end(file);
    if ("redirect" in file) return response.writeHead(302, { location: file.redirect }).end();
    return response.writeHead(200, { "content-type": file.type }).end(file.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    requested,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
