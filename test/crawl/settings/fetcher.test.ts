/** The fetcher does what the settings of the network say. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { type CrawlOptions, crawlSettings, openFetcher } from "../../../src/crawl/index.ts";
import type { Reply } from "../../../src/fetch/index.ts";

const DIRECT = { http: null, https: null, except: "*" };

it("names itself as the settings say, and connects where they say", async () => {
  const requests: IncomingMessage[] = [];
  const port = await listening((request, respond) => {
    requests.push(request);
    respond();
  });
  const resolve = [`www.example.org:127.0.0.1:${port}`];
  const reply = await fetched("http://www.example.org/", {
    resolve,
    allowPrivate: true,
    contact: "me@a.example",
  });
  expect(reply).toMatchObject({ kind: "answer", status: 200 });
  expect(requests[0]?.headers).toMatchObject({
    host: "www.example.org",
    "user-agent": expect.stringMatching(/^tidemark\/\S+ \(\+me@a\.example\)$/) as string,
  });
});

it("gives up after the time of the settings", async () => {
  const port = await listening(() => {});
  const reply = await fetched(`http://127.0.0.1:${port}/`, { timeout: 150, allowPrivate: true });
  expect(reply).toMatchObject({ kind: "failure", failure: "total-timeout" });
});

it("refuses private addresses by default", async () => {
  expect(await fetched("http://127.0.0.1:9/", {})).toMatchObject({
    kind: "failure",
    failure: "address-refused",
  });
});

async function fetched(url: string, options: CrawlOptions): Promise<Reply> {
  const { network } = crawlSettings({ ...options, urls: [url] });
  const fetcher = openFetcher(network, 1, DIRECT);
  onTestFinished(() => fetcher.close());
  return new Promise((done) => fetcher.fetch({ url, purpose: "page" }, done));
}

async function listening(answer: (request: IncomingMessage, respond: () => void) => void): Promise<number> {
  const server = createServer((request, response) => answer(request, () => response.end("hello")));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
