/**
 * `--cookie-file FILE`: cookies as browsers, their extensions, curl and automation tools export them.
 *
 * Netscape: a line per cookie with seven fields, separated by tabs: domain, whether hosts below it count, path, whether
 * only https counts, when it expires (Unix time; 0: never), name, value. JSON: a list of objects, or an object with the
 * list as `cookies`. Errors say the line, and repeat nothing of it.
 */
import { isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { UsageError } from "../../base/index.ts";
import type { GivenCookie } from "../../fetch/index.ts";
import { wrongLine } from "./files.ts";

/** `bytes` have one character per byte; `name` is what errors call the file. */
export function parseCookies(bytes: string, name: string): GivenCookie[] {
  const cookies = /^(?:\xef\xbb\xbf)?\s*[[{]/.test(bytes) ? fromJson(bytes, name) : fromNetscape(bytes, name);
  if (cookies.length === 0) throw new UsageError(`${name}: has no cookies; expected ${FORMATS}`);
  return cookies;
}

const FORMATS = "a file in the Netscape format (seven fields per line, separated by tabs) or in JSON";
/** What a header can hold, one character per byte, except for what would end a cookie in it. */
const SENDABLE = /^[\t\x20-\x3a\x3c-\x7e\x80-\xff]*$/;

function fromNetscape(bytes: string, name: string): GivenCookie[] {
  const cookies: GivenCookie[] = [];
  for (const [k, line] of bytes.split(/\r\n|\n|\r/).entries()) {
    const httpOnly = line.startsWith(HTTP_ONLY);
    if (line.trim() === "" || (line.startsWith("#") && !httpOnly)) continue;
    const wrong = (problem: string): UsageError => wrongLine(name, k + 1, problem);
    const fields = (httpOnly ? line.slice(HTTP_ONLY.length) : line).split("\t");
    if (fields.length < 6) throw wrong(`has ${fields.length} of 7 fields; expected ${FORMATS}`);
    const [domain, below, path, secure, expires, cookie, ...value] = fields;
    const [isBelow, isSecure] = [below, secure].map((word) => word.toUpperCase());
    if (![isBelow, isSecure].every((word) => word === "TRUE" || word === "FALSE")) {
      throw wrong("the fields 2 and 4 must be TRUE or FALSE");
    }
    if (!/^-?\d+(?:\.\d+)?$/.test(expires)) throw wrong("field 5 must be a Unix time, or 0");
    cookies.push(
      checked(
        {
          domain,
          hostOnly: isBelow === "FALSE" && !domain.startsWith("."),
          path,
          secure: isSecure === "TRUE",
          httpOnly,
          expiresMs: Number(expires) <= 0 ? null : 1000 * Number(expires),
          name: cookie,
          value: value.join("\t"),
        },
        wrong,
      ),
    );
  }
  return cookies;
}

const HTTP_ONLY = "#HttpOnly_";

/** YAML includes JSON, and its parser knows the line of everything. */
function fromJson(bytes: string, name: string): GivenCookie[] {
  const counter = new LineCounter();
  const document = parseDocument(Buffer.from(bytes, "latin1").toString("utf8"), { lineCounter: counter });
  const lineOf = (offset: number | undefined): number => counter.linePos(offset ?? 0).line || 1;
  const [error] = document.errors;
  if (error !== undefined) throw wrongLine(name, lineOf(error.pos[0]), "is not valid JSON");
  const { contents } = document;
  const list = isMap(contents) ? contents.get("cookies") : contents;
  if (!isSeq<Node>(list)) {
    throw wrongLine(name, lineOf(contents?.range?.[0]), "expected a list of cookies, or an object with one as cookies");
  }
  return list.items.map((item) => {
    const wrong = (problem: string): UsageError => wrongLine(name, lineOf(item.range?.[0]), problem);
    const value: unknown = item.toJS(document);
    if (typeof value !== "object" || value === null) throw wrong("expected an object with name, value and domain");
    return checked(fromObject(value as Readonly<Record<string, unknown>>, wrong), wrong);
  });
}

type Wrong = (problem: string) => UsageError;

/** Fields of the extensions of browsers, Playwright, Puppeteer and Selenium. */
function fromObject(cookie: Readonly<Record<string, unknown>>, wrong: Wrong): GivenCookie {
  const text = (field: string, usual?: string): string => {
    const value = cookie[field] ?? usual;
    if (typeof value === "string") return value;
    throw wrong(`${field} is ${value === undefined ? "missing" : "no text"}; expected name, value and domain as texts`);
  };
  const address = cookie["url"];
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : undefined;
  const domain = text("domain", url?.hostname);
  const expires = cookie["expirationDate"] ?? cookie["expires"] ?? cookie["expiry"] ?? null;
  return {
    name: text("name"),
    // Cookies are bytes; browsers send UTF-8.
    value: Buffer.from(text("value"), "utf8").toString("latin1"),
    domain,
    hostOnly: typeof cookie["hostOnly"] === "boolean" ? cookie["hostOnly"] : !domain.startsWith("."),
    path: text("path", "/"),
    secure: cookie["secure"] === true,
    httpOnly: cookie["httpOnly"] === true,
    expiresMs: cookie["session"] === true ? null : timeOf(expires, wrong),
  };
}

/** Unix time in seconds, or a date as text; -1 and nothing at all mean the end of the session. */
function timeOf(expires: unknown, wrong: Wrong): number | null {
  if (expires === null) return null;
  const ms = typeof expires === "string" ? Date.parse(expires) : typeof expires === "number" ? 1000 * expires : NaN;
  if (Number.isNaN(ms)) throw wrong("its time of expiry is neither a Unix time in seconds nor a date");
  return ms <= 0 ? null : ms;
}

function checked(cookie: GivenCookie, wrong: Wrong): GivenCookie {
  const { name, value, path } = cookie;
  const host = cookie.domain.replace(/^\./, "");
  const url = `https://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}/`;
  const isHost = host !== "" && !/[/?#@\s]/.test(host) && URL.canParse(url) && new URL(url).port === "";
  if (!isHost || /:\d+$/.test(host.replace(/^\[.*\]/, ""))) {
    throw wrong("the domain is none; expected a name such as www.example.com, without a port");
  }
  if (name === "" && value === "") throw wrong("has neither name nor value");
  if (!SENDABLE.test(name + value) || name.includes("=")) {
    throw wrong("the name or value has characters that no cookie can hold");
  }
  if (!path.startsWith("/")) throw wrong("the path does not begin with a slash");
  return { ...cookie, domain: new URL(url).hostname.replace(/^\[(.*)\]$/, "$1") };
}
