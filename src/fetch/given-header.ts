/** `--header 'Name: value'`. Errors never repeat the value: it may be a secret. */
import { quoted, UsageError } from "../base/index.ts";

export type Header = readonly [name: string, value: string];

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** One character per byte, as headers are sent. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Secrets, which other users of the machine could read on a command line, and in most config files. */
const SECRETS: ReadonlyMap<string, string> = new Map([
  ["authorization", "user names and passwords go into --auth-file FILE or the variable TIDEMARK_AUTH"],
  ["proxy-authorization", "the password of a proxy goes into --proxy-file FILE or the variable https_proxy"],
  ["cookie", "cookies go into --cookie-file FILE"],
]);

const OTHER_WAYS: ReadonlyMap<string, string> = new Map([["user-agent", "give --user-agent"]]);

/** What a request needs, and what would make its reply another one. */
const OWN = new RegExp(
  "^(?:host|connection|keep-alive|proxy-connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|" +
    "accept-encoding|range|if-.*|http2-settings)$",
);

/** Whether a program has given a header that can be sent. Others do not read what it gives: it may be a secret. */
export function isHeader(given: unknown): given is Header {
  if (!Array.isArray(given) || given.length !== 2) return false;
  const [name, value] = given as readonly unknown[];
  if (typeof name !== "string" || typeof value !== "string") return false;
  return NAME.test(name) && name === name.toLowerCase() && !OWN.test(name) && VALUE.test(value);
}

/** The name in lower case. Throws a `UsageError` for what may not be given. */
export function parseHeader(text: string): Header {
  const colon = text.indexOf(":");
  const name = text.slice(0, Math.max(0, colon)).trim();
  if (!NAME.test(name)) {
    throw new UsageError("--header: expected a name, a colon and a value, such as 'Accept-Language: de'");
  }
  const lower = name.toLowerCase();
  const place = SECRETS.get(lower);
  if (place !== undefined) {
    throw new UsageError(`--header ${name}: others could read a secret here; ${place}`);
  }
  const way = OTHER_WAYS.get(lower);
  if (way !== undefined) throw new UsageError(`--header ${name}: ${way} instead`);
  if (OWN.test(lower)) throw new UsageError(`--header ${quoted(name)}: the crawler sets this header itself`);
  const value = text.slice(colon + 1).trim();
  if (!VALUE.test(value)) {
    throw new UsageError(`--header ${name}: its value has characters that no header can hold, such as a line break`);
  }
  return [lower, value];
}
