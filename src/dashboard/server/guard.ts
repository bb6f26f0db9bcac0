/**
 * Which requests are accepted. Every page that a browser on this machine has open can reach a dashboard on a loopback
 * address. So a request must show that it comes from our own page, or from somebody who typed the address:
 *
 * - `Host` is a name of this machine and our port. A page of another site whose name was made to point here (DNS
 *   rebinding) sends its own name.
 * - `Origin`, if present, is that host. `Sec-Fetch-Site`, if present, is `same-origin` or `none` (typed by hand).
 * - A request that changes anything has an `Origin` and is JSON, which no form of another site can send.
 * - If a token is required, the request has it as a cookie or as `Authorization: Bearer`. `/?token=` sets the cookie.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { counted, UsageError } from "../../base/index.ts";

interface GuardOptions {
  /** The host that the server listens on. */
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

type Verdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly status: 400 | 401 | 403 | 405 | 421; readonly text: string }
  /** The token was in the address: set the cookie, then redirect to the page without the token. */
  | { readonly kind: "login"; readonly cookie: string };

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const TOKEN_LENGTH_MIN = 16;
const TOKEN_LENGTH_MAX = 200;
const ACCEPTED = { kind: "accepted" } as const;

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The required token: the given one, a generated one if other machines can reach the server, none on loopback. */
export function tokenFor(host: string, given: string | undefined): string | undefined {
  if (given === undefined) return isLoopback(host) ? undefined : randomBytes(24).toString("base64url");
  checkToken(given);
  return given;
}

/** Throws a `UsageError` for a token that could be guessed, or does not fit into an address. */
export function checkToken(given: string): void {
  const hasLength = given.length >= TOKEN_LENGTH_MIN && given.length <= TOKEN_LENGTH_MAX;
  if (hasLength && /^[\w.~-]+$/.test(given)) return;
  throw new UsageError(
    `the token has ${counted(given.length, "character")}${hasLength ? ", some of them not allowed" : ""}: ` +
      `expected ${TOKEN_LENGTH_MIN} to ${TOKEN_LENGTH_MAX} letters, digits, dots, dashes, tildes or underscores; ` +
      "leave it out to have one generated",
  );
}

export function urlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

export class Guard {
  readonly #token: Buffer | undefined;
  readonly #cookieName: string;
  /** Undefined if any name may be ours. */
  readonly #hosts: ReadonlySet<string> | undefined;

  constructor({ host, port, token }: GuardOptions) {
    this.#token = token === undefined ? undefined : digest(token);
    // All ports of a host share its cookies.
    this.#cookieName = `tidemark-${port}`;
    const names = new Set([...LOOPBACK_NAMES, urlHost(host)]);
    const forms = (name: string) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]);
    this.#hosts = isLoopback(host) ? new Set([...names].flatMap(forms)) : undefined;
  }

  /** If other machines can reach the server, a proxy in front of it may have added the encryption. */
  #isOwn(origin: string, host: string): boolean {
    return origin === `http://${host}` || (this.#hosts === undefined && origin === `https://${host}`);
  }

  judge(request: IncomingMessage): Verdict {
    const { method = "", url = "", headers } = request;
    if (!url.startsWith("/")) return rejected(400, "Expected a path, such as GET /.");
    const host = headers.host?.toLowerCase();
    if (host === undefined || host === "" || this.#hosts?.has(host) === false) {
      return rejected(421, "This is not a name of this dashboard. Use the address that it printed when it started.");
    }
    const { origin } = headers;
    if (origin !== undefined && !this.#isOwn(origin.toLowerCase(), host)) {
      return rejected(403, "This dashboard rejects requests of other sites.");
    }
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none") {
      return rejected(403, "This dashboard rejects requests of other sites. Type its address, or reload.");
    }
    const path = url.split("?", 1)[0];
    if (method === "POST" && path === "/api/control") {
      if (origin === undefined)
        return rejected(403, "Expected an Origin: only the dashboard's page can control the crawl.");
    } else if (method !== "GET" && method !== "HEAD") {
      return rejected(405, "Expected GET or HEAD.");
    }
    return this.#authorize(request, path, url);
  }

  #authorize({ headers }: IncomingMessage, path: string, url: string): Verdict {
    if (this.#token === undefined) return ACCEPTED;
    const offered = new URLSearchParams(url.slice(path.length)).get("token");
    if (path === "/" && offered !== null && this.#isToken(offered)) {
      const cookie = `${this.#cookieName}=${offered}; Path=/; HttpOnly; SameSite=Strict`;
      return { kind: "login", cookie };
    }
    const bearer = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? "")?.[1];
    const cookies = (headers.cookie ?? "").split(";").map((each) => each.trim());
    const cookie = cookies.find((each) => each.startsWith(`${this.#cookieName}=`));
    const shown = bearer ?? cookie?.slice(this.#cookieName.length + 1);
    if (shown !== undefined && this.#isToken(shown)) return ACCEPTED;
    return rejected(401, "A token is required. Open the address that the dashboard printed when it started.");
  }

  /** Compares digests, which all have the same length, in constant time. */
  #isToken(shown: string): boolean {
    return this.#token !== undefined && timingSafeEqual(digest(shown), this.#token);
  }
}

function rejected(status: Extract<Verdict, { kind: "rejected" }>["status"], text: string): Verdict {
  return { kind: "rejected", status, text };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
