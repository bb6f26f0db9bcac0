/**
 * The entry of the thread on which a dashboard runs beside a crawl. It hears of the crawl by messages, so that nothing that happens here can
 * hold up a page there; a failure is told and ends this thread alone.
 */
import { parentPort, workerData } from "node:worker_threads";
import { assert, messageOf, UsageError } from "../../base/index.ts";
import type { FromCrawl, ToCrawl } from "../protocol/thread.ts";
import { SurveyKeeper } from "../../survey/index.ts";
import type { CrawlPort } from "./live.ts";
import { startServer } from "./server.ts";

/** What the thread is begun with. */
export interface ThreadOptions {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

/** The words that only the two ends of the thread say to each other. */
export type ToThread = FromCrawl | { readonly type: "close" };
export type FromThread = ToCrawl | { readonly type: "trouble"; readonly message: string };

const port = parentPort;
assert(port !== null, "this is the entry of a thread");
const say = (message: FromThread): void => port.postMessage(message);

const { dir, host, port: number, token } = workerData as ThreadOptions;
const listeners: ((message: FromCrawl) => void)[] = [];
let hasEnded = false;
let close: () => Promise<void> = async () => {};

const feed: CrawlPort = {
  send: say,
  onMessage: (listener) => {
    listeners.push(listener);
  },
};

port.on("message", (message: ToThread) => {
  if (message.type === "close") {
    void close().finally(() => port.close());
    return;
  }
  if (message.type === "ended") hasEnded = true;
  for (const listener of listeners) listener(message);
});

try {
  const survey = new SurveyKeeper({ dir, isRunning: () => !hasEnded });
  close = () => survey.close();
  const server = await startServer({
    dir,
    survey,
    feed,
    host,
    port: number,
    ...(token === undefined ? {} : { token }),
    onTrouble: (error) => say({ type: "trouble", message: messageOf(error) }),
  });
  close = async () => {
    await server.close();
    await survey.close();
  };
  say({ type: "listening", url: server.url });
} catch (error) {
  await close();
  say({ type: "failed", message: messageOf(error), isUsage: error instanceof UsageError });
  port.close();
}
