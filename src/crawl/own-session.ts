/**
 * The option `session` of `crawl`. What is of another shape would be sent to nobody, in silence, or fail with the first
 * request. Errors never repeat a value: it may be a secret.
 */
import { didYouMean, gotInWords, isRecord, kindOf, quoted, UsageError } from "../base/index.ts";
import {
  type Credential,
  type GivenCookie,
  isHeader,
  type OriginHeaders,
  type SessionOptions,
} from "../fetch/index.ts";

type Fields<T> = { readonly [Name in keyof T]-?: (value: unknown) => boolean };

const isString = (value: unknown): boolean => typeof value === "string";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isOrigin = (value: unknown): boolean => typeof value === "string" && originOf(value) === value;

const HEADERS: Fields<OriginHeaders> = {
  origin: isOrigin,
  headers: (value) => Array.isArray(value) && value.every(isHeader),
};
const CREDENTIAL: Fields<Credential> = { origin: isOrigin, user: isString, secret: isString };
const COOKIE: Fields<GivenCookie> = {
  name: isString,
  value: isString,
  domain: isString,
  hostOnly: isBoolean,
  path: isString,
  secure: isBoolean,
  httpOnly: isBoolean,
  expiresMs: (value) => value === null || Number.isFinite(value),
};

/** What is expected of each field, where one may look into a list. */
const EXPECTED: Readonly<Record<string, string>> = {
  origin: "an origin, such as https://www.example.com",
  headers:
    'a list of names in lower case and values, such as [["x-token", "..."]], none of which the crawler sets itself ' +
    "(host, content-*, if-* and the like)",
  expiresMs: "a number of milliseconds, or null",
  hostOnly: "true or false",
  secure: "true or false",
  httpOnly: "true or false",
};

const PARTS: { readonly [Part in keyof SessionOptions]-?: (value: unknown) => void } = {
  headers: (value) => expectList("headers", value, HEADERS),
  credentials: (value) => expectList("credentials", value, CREDENTIAL),
  cookies: (value) => expectList("cookies", value, COOKIE),
  cookieOrigins: (value) => {
    if (!Array.isArray(value)) throw unexpected("cookieOrigins", originInWords(value), "a list of origins");
    const other: unknown = value.find((origin) => !isOrigin(origin));
    if (other !== undefined)
      throw unexpected("cookieOrigins", `a list with ${originInWords(other)}`, EXPECTED["origin"]);
  },
  keepsCookies: (value) => {
    if (!isBoolean(value)) throw unexpected("keepsCookies", gotInWords(value), "true or false");
  },
};

/** Throws a `UsageError` for the first part that is of another shape than expected. */
export function expectSession(given: unknown): void {
  const names = Object.keys(PARTS);
  if (!isRecord(given)) {
    throw new UsageError(`session is ${kindOf(given)}; expected an object with ${names.join(", ")}`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name)) {
      throw new UsageError(
        `session has no part ${quoted(name)}; expected ${names.join(", ")}.${didYouMean(name, names)}`,
      );
    }
    if (value !== undefined) PARTS[name as keyof SessionOptions](value);
  }
}

function expectList<T>(part: string, given: unknown, fields: Fields<T>): void {
  const names = Object.keys(fields) as (keyof T & string)[];
  const shape = `{ ${names.join(", ")} }`;
  if (!Array.isArray(given)) throw unexpected(part, kindOf(given), `a list of ${shape}`);
  for (const [k, each] of (given as unknown[]).entries()) {
    const place = `${part}[${k}]`;
    if (!isRecord(each)) throw unexpected(place, kindOf(each), shape);
    const wrong = names.find((name) => !fields[name](each[name]));
    if (wrong === undefined) continue;
    const got = wrong === "origin" ? originInWords(each[wrong]) : kindOf(each[wrong]);
    throw unexpected(`${place}.${wrong}`, got, EXPECTED[wrong] ?? "a string");
  }
}

function originOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url === undefined || !/^https?:$/.test(url.protocol) ? undefined : url.origin;
}

/** What was given for an origin, unless it may have a password in it. */
function originInWords(given: unknown): string {
  return typeof given === "string" && given.includes("@") ? "a text with an @" : gotInWords(given);
}

function unexpected(part: string, got: string, expected: string): UsageError {
  return new UsageError(`session.${part} is ${got}; expected ${expected}`);
}
