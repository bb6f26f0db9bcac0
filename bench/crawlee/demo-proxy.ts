/**
 * The demo web for crawlers that have no setting for name resolution: a proxy that knows nothing but its hosts, and
 * counts requests.
 */
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { startDemoServer } from "../../src/demo/index.ts";

export interface DemoProxy {
  readonly url: string;
  /** How many requests were made, redirects included. */
  readonly requests: number;
  close(): Promise<void>;
}

export async function startDemoProxy(): Promise<DemoProxy> {
  const web = await startDemoServer();
  let requests = 0;
  const proxy = createServer((request, response) => {
    requests++;
    const { host, pathname, search } = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const asked = { port: web.port, path: pathname + search, headers: { host }, method: request.method ?? "GET" };
    send({ host: "127.0.0.1", ...asked }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    })
      .on("error", () => response.destroy())
      .end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => {
        proxy.close(resolve);
      });
      await web.close();
    },
  };
}
