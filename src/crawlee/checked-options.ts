/** Refuses options that would fail later, or in silence: JavaScript has no types, and a name is easily left out. */
import { didYouMean, gotInWords, UsageError } from "../base/index.ts";
import { canonicalUrl } from "../web/index.ts";

const INSTALL = 'install Crawlee (npm install @crawlee/cheerio) and import { Request } from "@crawlee/cheerio"';

/** Throws a `UsageError` if there is an option that nobody reads: a target whose name is mistyped is no target. */
export function checkNames(options: unknown, names: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new UsageError(`the options are ${gotInWords(options)}, expected an object such as { Request, seeds }`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(`there is no option "${unknown}"; expected ${names.join(", ")}.${didYouMean(unknown, names)}`);
}

/** Throws a `UsageError` if a share is not one. */
export function checkShare(name: string, value: unknown, range: { readonly mayBeOne: boolean }): void {
  if (typeof value === "number" && value > 0 && (value < 1 || (range.mayBeOne && value === 1))) return;
  const most = range.mayBeOne ? "at most 1" : "below 1";
  throw new UsageError(`${name} is ${gotInWords(value)}, expected a number above 0 and ${most}, such as 0.9`);
}

/** Throws a `UsageError` unless there is at least one seed, and each is a web address. */
export function checkSeeds(seeds: unknown): void {
  if (!Array.isArray(seeds))
    throw new UsageError(`seeds is ${gotInWords(seeds)}, expected a list of URLs to start from`);
  if (seeds.length === 0) throw new UsageError("seeds is empty, expected at least one URL to start from");
  for (const seed of seeds as unknown[]) {
    if (typeof seed === "string" && canonicalUrl(seed) !== null) continue;
    throw new UsageError(`the seed ${gotInWords(seed)} is no web address; expected one such as https://host/`);
  }
}

/** Throws a `UsageError` unless a class makes requests as Crawlee's does. Browsers and Node have another `Request`. */
export function checkRequestClass(value: unknown): void {
  if (typeof value !== "function") {
    throw new UsageError(`Request is ${gotInWords(value)}, expected the class of Crawlee: ${INSTALL}`);
  }
  if (value === globalThis.Request) {
    throw new UsageError(`Request is the class of fetch, which Node has; expected the class of Crawlee: ${INSTALL}`);
  }
  if (!makesRequests(value as new (options: object) => object)) {
    throw new UsageError(
      `Request makes objects without a uniqueKey, a method and a retryCount; expected the class of Crawlee: ${INSTALL}`,
    );
  }
}

function makesRequests(requestClass: new (options: object) => object): boolean {
  try {
    const made: object = new requestClass({ url: "https://host.example/" });
    const fields = made as Readonly<Record<string, unknown>>;
    return ["url", "uniqueKey", "method"].every((name) => typeof fields[name] === "string") && "retryCount" in made;
  } catch {
    // No class, or one that wants other arguments.
    return false;
  }
}
