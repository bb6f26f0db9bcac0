/**
 * A fetcher that a program brings. It is not trusted: a request that it never answers would keep the crawl from its
 * end. So all requests end when it is closed, and what is certainly a mistake ends the crawl.
 */
import { gotInWords, UsageError } from "../base/index.ts";
import { aborted, type Fetcher, type FetchRequest, failureNames, type Reply } from "../fetch/index.ts";
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
      const mistake = mistakeIn(reply);
      if (mistake === undefined) end(reply);
      else this.#failed(new UsageError(`fetch of the fetcher called done with ${mistake}`));
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

type Field = readonly [name: string, expected: string, isGood: (value: unknown) => boolean];

const COMMON_FIELDS: readonly Field[] = [
  ["address", "a string or null", (value) => value === null || typeof value === "string"],
  ["milliseconds", "how long it took", (value) => isBetween(value, 0, Number.MAX_SAFE_INTEGER)],
];

/** A crawl would fail in the middle without one of these. */
const ANSWER_FIELDS: readonly Field[] = [
  ["status", "a whole number from 100 to 999", (value) => Number.isInteger(value) && isBetween(value, 100, 999)],
  ["headers", "an object with names in lower case", (value) => typeof value === "object" && value !== null],
  ["body", "a Uint8Array", (value) => value instanceof Uint8Array],
  ["truncated", "true or false", (value) => typeof value === "boolean"],
  ["wireBytes", "a number of bytes", (value) => isBetween(value, 0, Number.MAX_SAFE_INTEGER)],
  ...COMMON_FIELDS,
];

/** What a failure means, and whether it is tried again, goes by its name. */
const FAILURE_FIELDS: readonly Field[] = [
  ["failure", `one of ${failureNames.join(", ")}`, (value) => failureNames.some((name) => name === value)],
  ["message", "a string", (value) => typeof value === "string"],
  ...COMMON_FIELDS,
];

/** What is wrong with a reply, after "called done with"; undefined if nothing is. */
function mistakeIn(reply: unknown): string | undefined {
  const fields = typeof reply === "object" && reply !== null ? (reply as Readonly<Record<string, unknown>>) : {};
  const isFailure = fields["kind"] === "failure";
  if (!isFailure && fields["kind"] !== "answer") {
    return 'something else than a reply; expected { kind: "answer", ... } or { kind: "failure", ... }';
  }
  const wrong = (isFailure ? FAILURE_FIELDS : ANSWER_FIELDS).find(([name, , isGood]) => !isGood(fields[name]));
  if (wrong === undefined) return undefined;
  const [name, expected] = wrong;
  return `${isFailure ? "a failure" : "an answer"} whose ${name} is ${gotInWords(fields[name])}; expected ${expected}`;
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}
