/**
 * A crawler that treats its queue as Crawlee's do, on a web of its own: several requests in flight, retries, limits,
 * requests that are skipped. What happens next is up to a seeded random generator.
 */
import type { Random } from "../../src/base/index.ts";
import type { ImportanceQueue } from "../../src/crawlee/index.ts";

/** What is used of Crawlee's `Request`; the key of a URL is the same with and without a slash at its end, as there. */
export class FakeRequest {
  id?: string;
  url: string;
  uniqueKey: string;
  method: string;
  payload?: string;
  skipNavigation: boolean;
  loadedUrl?: string | undefined;
  retryCount = 0;
  state = 0;
  handledAt?: string;
  userData: object = {};

  constructor(options: { url: string; uniqueKey?: string; method?: string; skipNavigation?: boolean; label?: string }) {
    this.url = options.url;
    this.uniqueKey = options.uniqueKey ?? options.url.replace(/\/$/, "");
    this.method = options.method ?? "GET";
    this.skipNavigation = options.skipNavigation ?? false;
    this.userData = { label: options.label };
  }
}

export interface FakeContext {
  readonly request: FakeRequest;
  readonly response: { readonly statusCode: number };
  /** Undefined for a crawler that keeps it to itself. */
  readonly body: string | undefined;
  readonly contentType: { readonly type: string };
}

/** What a server answers; "failure" stands for no answer, "robots" for a request that is not made at all. */
export type FakeAnswer =
  | "failure"
  | "robots"
  /** A redirect to a place that the strategy of the crawler does not permit. */
  | { readonly skippedAt: string }
  | FakeReply;

interface FakeReply {
  readonly status: number;
  readonly html: string | undefined;
  readonly loadedUrl: string;
}

export interface FakeCrawlerOptions {
  readonly queue: ImportanceQueue<FakeRequest>;
  readonly answer: (request: FakeRequest) => FakeAnswer;
  readonly handle: (context: FakeContext) => unknown;
  readonly random: Random;
  readonly concurrency?: number;
  readonly retriesMax?: number;
  /** After each request that came back, handled or not. */
  readonly onReturn?: (request: FakeRequest, answer: FakeAnswer) => void | Promise<void>;
}

const DONE = 4;
const ERROR_HANDLER = 5;
const SKIPPED = 7;

/** Runs until the queue says that it is finished; returns the URLs in the order in which they were requested. */
export async function runFakeCrawler(options: FakeCrawlerOptions): Promise<string[]> {
  const { queue, random, concurrency = 1 } = options;
  const requested: string[] = [];
  const inFlight: FakeRequest[] = [];
  while (!(await queue.isFinished())) {
    const mayStart = inFlight.length < concurrency && !(await queue.isEmpty());
    if (mayStart && (inFlight.length === 0 || random.below(2) === 0)) {
      const request = await queue.fetchNextRequest();
      if (request === null) throw new Error("a queue that is not empty hands out a request");
      if (inFlight.includes(request)) throw new Error(`${request.url} is in flight twice: ${requested.join(" ")}`);
      requested.push(request.url);
      inFlight.push(request);
      continue;
    }
    if (inFlight.length === 0) throw new Error("a queue that is empty with nothing in flight is finished");
    const [request] = inFlight.splice(random.below(inFlight.length), 1);
    if (random.below(10) === 0) {
      // Its host was requested a moment ago.
      await queue.reclaimRequest(request);
      continue;
    }
    await runRequest(request, options);
  }
  return requested;
}

async function runRequest(request: FakeRequest, options: FakeCrawlerOptions): Promise<void> {
  const { queue, answer, retriesMax = 0, onReturn } = options;
  const answered = answer(request);
  if (answered === "robots" || (typeof answered === "object" && "skippedAt" in answered)) {
    request.state = SKIPPED;
    request.loadedUrl = answered === "robots" ? undefined : answered.skippedAt;
    await queue.markRequestHandled(request);
  } else if (await hasSucceeded(request, answered, options)) {
    request.state = DONE;
    await queue.markRequestHandled(request);
  } else {
    request.state = ERROR_HANDLER;
    if (request.retryCount < retriesMax) {
      request.retryCount++;
      await queue.reclaimRequest(request);
      return;
    }
    await queue.markRequestHandled(request);
  }
  await onReturn?.(request, answered);
}

async function hasSucceeded(
  request: FakeRequest,
  answer: "failure" | FakeReply,
  { queue, handle }: FakeCrawlerOptions,
): Promise<boolean> {
  request.loadedUrl = undefined;
  if (answer === "failure") return false;
  request.loadedUrl = answer.loadedUrl;
  const context = {
    request,
    response: { statusCode: answer.status },
    body: answer.html,
    contentType: { type: "text/html" },
  };
  try {
    await queue.handler(handle)(context);
    return true;
  } catch {
    return false;
  }
}
