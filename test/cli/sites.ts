/** Sites that a test serves itself. */
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** The URL of its front page; it is closed when the test is over. */
export async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A front page that links to /1, /2 and so on, which answer once so many of them are requested at the same time. */
export function crowdedSite(crowd: number): Promise<string> {
  const waiting: ServerResponse[] = [];
  const links = Array.from({ length: crowd }, (_, k) => `<a href="/${k + 1}">${k + 1}</a>`).join("");
  return served((request, response) => {
    response.setHeader("content-type", "text/html");
    if (request.url === "/") response.end(links);
    else if (!/^\/\d+$/.test(request.url ?? "")) response.writeHead(404).end();
    else if (waiting.push(response) === crowd) for (const each of waiting.splice(0)) each.end("page");
  });
}
