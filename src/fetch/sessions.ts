/**
 * What a crawl sends as a user who is logged in: given headers, cookies and credentials (HTTP Basic). They are added to
 * requests here and nowhere else, request by request, by the origin of each URL; so a redirect carries nothing away.
 *
 * Nobody but the server may learn what was sent. The fetcher's caller sees names of headers only (`withheld`), and
 * `Set-Cookie` of a host with cookies or credentials is blank in the reply that it gets.
 */
import { looksLikeLogout } from "../web/index.ts";
import type { Answer, Reply, Withheld } from "./contract.ts";
import { CookieJars, type GivenCookie } from "./cookies.ts";
import type { Header } from "./given-header.ts";

/** Headers for one origin, such as "https://www.example.com:8443". */
export interface OriginHeaders {
  readonly origin: string;
  /** Names in lower case. */
  readonly headers: readonly Header[];
}

/** A user name and password for one origin. */
export interface Credential {
  readonly origin: string;
  readonly user: string;
  readonly secret: string;
}

/** What to send besides the headers of every request, and to whom. */
export interface SessionOptions {
  readonly headers?: readonly OriginHeaders[];
  readonly credentials?: readonly Credential[];
  /** Cookies to start with. They go to https on its usual port, and to these origins, as far as their domains allow. */
  readonly cookies?: readonly GivenCookie[];
  readonly cookieOrigins?: readonly string[];
  /** Take cookies of all hosts (default: only of those with given cookies). */
  readonly keepsCookies?: boolean;
}

/** One request with a session. */
export interface Session {
  /** Names and values alternating. */
  readonly headers: readonly string[];
  /** Takes the cookies of a reply, and returns the reply without secrets. */
  keep(reply: Reply): Reply;
}

/** Undefined if there is nothing to send or keep. */
export function sessionsOf(options: SessionOptions = {}): Sessions | undefined {
  const { headers = [], credentials = [], cookies = [], keepsCookies = false } = options;
  const isEmpty = headers.length + credentials.length + cookies.length === 0 && !keepsCookies;
  return isEmpty ? undefined : new Sessions(options);
}

export class Sessions {
  readonly #headers = new Map<string, Header[]>();
  readonly #credentials = new Map<string, string>();
  readonly #jars: CookieJars | undefined;

  constructor({
    headers = [],
    credentials = [],
    cookies = [],
    cookieOrigins = [],
    keepsCookies = false,
  }: SessionOptions) {
    for (const { origin, headers: given } of headers) {
      const known = this.#headers.get(origin);
      if (known === undefined) this.#headers.set(origin, [...given]);
      else known.push(...given);
    }
    for (const { origin, user, secret } of credentials) {
      const bytes = Buffer.from(`${user}:${secret}`, "utf8");
      this.#credentials.set(origin, `Basic ${bytes.toString("base64")}`);
    }
    if (keepsCookies || cookies.length > 0) {
      this.#jars = new CookieJars({ given: cookies, origins: cookieOrigins, keepsAll: keepsCookies });
    }
  }

  /** Undefined if a request to this URL has none. */
  of(url: URL): Session | undefined {
    const given = this.#headers.get(url.origin) ?? [];
    const authorization = this.#credentials.get(url.origin);
    const jars = this.#jars?.has(url) === true ? this.#jars : undefined;
    const isPrivate = authorization !== undefined || jars !== undefined || given.some(([name]) => SECRET.has(name));
    if (given.length === 0 && !isPrivate) return undefined;
    const headers = given.flat();
    // A crawl skips such pages. A robots.txt or sitemap that leads to one must not end the session either.
    if (!looksLikeLogout(url.pathname + url.search)) {
      const cookie = jars?.header(url) ?? "";
      if (authorization !== undefined) headers.push("authorization", authorization);
      if (cookie !== "") headers.push("cookie", cookie);
    }
    const sent = headers.filter((_, i) => i % 2 === 0);
    return {
      headers,
      keep: (reply) => {
        if (reply.kind === "failure") return reply;
        jars?.take(url, valuesOf(reply, "set-cookie"));
        return withoutSecrets(reply, sent, { isPrivate });
      },
    };
  }
}

/** Headers that are credentials, whoever gives them. */
const SECRET = new Set(["authorization", "cookie"]);
/** Headers that make a session. */
const SETTING = new Set(["set-cookie", "set-cookie2"]);

function valuesOf({ head }: Answer, wanted: string): string[] {
  const list = head?.headers ?? [];
  return list.filter((_, i) => i % 2 === 1 && list[i - 1].toLowerCase() === wanted);
}

function withoutSecrets(
  answer: Answer,
  sent: readonly string[],
  { isPrivate }: { readonly isPrivate: boolean },
): Answer {
  const { head } = answer;
  const blanked = isPrivate ? Object.keys(answer.headers).filter((name) => SETTING.has(name)) : [];
  const withheld: Withheld = { request: sent, response: blanked };
  if (blanked.length === 0) return { ...answer, withheld };
  const headers: Record<string, string> = Object.assign(Object.create(null), answer.headers);
  for (const name of blanked) headers[name] = "";
  const list = head?.headers ?? [];
  const kept = list.map((part, i) => (i % 2 === 1 && SETTING.has(list[i - 1].toLowerCase()) ? "" : part));
  return { ...answer, headers, ...(head === undefined ? {} : { head: { ...head, headers: kept } }), withheld };
}
