/**
 * The entry of the thread in which the dashboard's server runs next to a crawl or a refresh. It learns of them by
 * messages, so nothing here can delay them. A failure is reported and ends this thread only.
 */
import { parentPort, workerData } from "node:worker_threads";
import { assert, messageOf, UsageError } from "../../base/index.ts";
import type { RefreshStatus } from "../../crawl/index.ts";
import { SurveyCache } from "../../survey/index.ts";
import type { CrawlPort, FromCrawl, FromThread, ThreadOptions, ToThread } from "./server-thread.ts";
import { startServer } from "./server.ts";

const port = parentPort;
assert(port !== null, "server-worker runs as a worker thread only");
const send = (message: FromThread): void => port.postMessage(message);

const { beside, ...options } = workerData as ThreadOptions;
const listeners: ((message: FromCrawl) => void)[] = [];
let hasEnded = false;
let refresh: RefreshStatus | null | undefined;
let close: () => Promise<void> = async () => {};

const feed: CrawlPort = {
  send,
  onMessage: (listener) => {
    listeners.push(listener);
  },
};

port.on("message", (message: ToThread) => {
  if (message.type === "close") {
    void close().finally(() => port.close());
    return;
  }
  if (message.type === "refresh") {
    refresh = message.status;
    return;
  }
  if (message.type === "ended") hasEnded = true;
  for (const listener of listeners) listener(message);
});

try {
  const survey = new SurveyCache({ dir: options.dir, isRunning: () => !hasEnded });
  close = () => survey.close();
  const server = await startServer({
    ...options,
    survey,
    ...(beside === "crawl" ? { feed } : { refresh: () => refresh }),
    onError: (error) => send({ type: "error", message: messageOf(error) }),
  });
  close = async () => {
    await server.close();
    await survey.close();
  };
  send({ type: "listening", url: server.url });
} catch (error) {
  await close();
  send({ type: "failed", message: messageOf(error), isUsage: error instanceof UsageError });
  port.close();
}
