/**
 * A fetcher that a program brings. It is not trusted: a request that it never answers would keep the crawl from its
 * end. So all requests end when it is closed, and what is certainly a mistake ends the crawl.
 */
import { UsageError } from "../base/index.ts";
import { aborted, type Fetcher, type FetchRequest, type Reply } from "../fetch/index.ts";
import { expectMethods } from "./own-parts.ts";

export class OwnFetcher implements Fetcher {
  /** What the program did wrong, or what it threw; undefined while all is well. */
  failure: { readonly error: unknown } | undefined;
  readonly #fetcher: Fetcher;
  readonly #onFailure: () => void;
  readonly #inFlight = new Set<(reply: Reply) => void>();
  #closing: Promise<void> | undefined;

  /** `onFailure` is to stop the crawl: all requests end right after. */
  constructor(fetcher: Fetcher, onFailure: () => void) {
    expectMethods("the fetcher", fetcher, ["fetch", "close"]);
    this.#fetcher = fetcher;
    this.#onFailure = onFailure;
  }

  fetch(request: FetchRequest, done: (reply: Reply) => void): void {
    const end = (reply: Reply): void => {
      if (this.#inFlight.delete(end)) done(reply);
    };
    this.#inFlight.add(end);
    const returned: unknown = this.#fetcher.fetch(request, (reply) => {
      if (isReply(reply)) end(reply);
      else this.#failed(new UsageError(`fetch of the fetcher called done ${EXPECTED}`));
    });
    if (!(returned instanceof Promise)) return;
    returned.then(
      // An async function that has called `done`, or will do so later, returns nothing.
      (value) => {
        if (value === undefined || !this.#inFlight.has(end)) return;
        this.#failed(new UsageError("fetch of the fetcher returned a promise; expected that it calls done(reply)"));
      },
      (error) => this.#failed(error),
    );
  }

  lookUp(url: string, done: (validForMs: number) => void): void {
    if (this.#fetcher.lookUp === undefined) done(Number.POSITIVE_INFINITY);
    else this.#fetcher.lookUp(url, done);
  }

  onDown(listener: (why: string) => void): void {
    this.#fetcher.onDown?.(listener);
  }

  close(): Promise<void> {
    this.#abort();
    this.#closing ??= (async () => this.#fetcher.close())();
    // Who does not wait for it need not hear of its error; whoever closes it last does.
    this.#closing.catch(() => {});
    return this.#closing;
  }

  #failed(error: unknown): void {
    this.failure ??= { error };
    this.#onFailure();
    this.#abort();
  }

  #abort(): void {
    for (const end of this.#inFlight) end(aborted);
  }
}

const EXPECTED = 'with something else than a reply; expected { kind: "answer", ... } or { kind: "failure", ... }';

function isReply(reply: unknown): boolean {
  if (typeof reply !== "object" || reply === null || !("kind" in reply)) return false;
  return reply.kind === "failure" || (reply.kind === "answer" && "body" in reply && reply.body instanceof Uint8Array);
}
