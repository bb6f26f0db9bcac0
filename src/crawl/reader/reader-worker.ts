/** A thread that reads pages: it gets the rules once, then one job after another. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { InlineReader } from "./inline-reader.ts";
import {
  Outbox,
  type PageContent,
  type ReaderMessage,
  type ReaderReply,
  type ReaderSettings,
  type SitemapContent,
  unreadablePage,
  unreadableSitemap,
} from "./contract.ts";

assert(parentPort !== null, "this file runs as a worker thread");
const port = parentPort;
const reader = await InlineReader.create(workerData as ReaderSettings);

const outbox = new Outbox<ReaderReply>((replies, transfer) => port.postMessage(replies, transfer));

port.on("message", (messages: readonly ReaderMessage[]) => {
  for (const message of messages) {
    const reply = answer(message);
    outbox.add(reply, buffersOf(reply.content));
  }
});

// Ready, without a result yet.
port.postMessage([]);

/** All that the thread was told. */
const widened: string[] = [];

/** A page on which our reader breaks is one whose links are not known; it must not take others with it. */
function answer(message: ReaderMessage): ReaderReply {
  const { id } = message;
  widened.push(...(message.job.widened ?? []));
  if (message.kind === "page") {
    const job = { ...message.job, widened };
    return { id, kind: "page", content: attempt(() => reader.page(job), unreadablePage) };
  }
  const job = { ...message.job, widened };
  return { id, kind: "sitemap", content: attempt(() => reader.sitemap(job), unreadableSitemap) };
}

function attempt<T>(work: () => T, otherwise: () => T): T {
  try {
    return work();
  } catch {
    return otherwise();
  }
}

function buffersOf(content: PageContent | SitemapContent): ArrayBuffer[] {
  const { fingerprints, kinds, ends } = content.links;
  const texts = "texts" in content && content.texts !== null ? Object.values(content.texts) : [];
  const arrays = [fingerprints, kinds, ends, ...texts.filter((text) => text !== null)];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}
