/**
 * Who may ask. A dashboard on a loopback address can be reached by every page that a browser on this machine has open, so a request must
 * show that it comes from our own page or from somebody who typed the address:
 *
 * - `Host` is a name of this machine and our port. A page of another site whose name was made to point here (DNS rebinding) sends its own.
 * - `Origin`, where there is one, is that host. `Sec-Fetch-Site`, where there is one, is `same-origin` or `none` (typed by hand).
 * - What changes anything comes with an `Origin`, and as JSON, which no form of another site can send.
 * - Where a token is needed, the request brings it as a cookie or as `Authorization: Bearer`; `/?token=` trades it for the cookie.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { UsageError } from "../../base/index.ts";

export interface GuardOptions {
  /** As it was bound to. */
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

export type Verdict =
  | { readonly kind: "welcome" }
  | { readonly kind: "refused"; readonly status: 400 | 401 | 403 | 405 | 421; readonly text: string }
  /** The token was in the address: the cookie to set before going to the page without it. */
  | { readonly kind: "admitted"; readonly cookie: string };

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const TOKEN_LENGTH_MIN = 16;
const TOKEN_LENGTH_MAX = 200;
const WELCOME = { kind: "welcome" } as const;

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The token to ask for: the one given, one made up where others could reach us, none on loopback. */
export function tokenFor(host: string, given: string | undefined): string | undefined {
  if (given === undefined) return isLoopback(host) ? undefined : randomBytes(24).toString("base64url");
  checkToken(given);
  return given;
}

/** Throws a `UsageError` for one that could be guessed, or does not fit into an address. */
export function checkToken(given: string): void {
  const isLong = given.length >= TOKEN_LENGTH_MIN && given.length <= TOKEN_LENGTH_MAX;
  if (isLong && /^[\w.~-]+$/.test(given)) return;
  throw new UsageError(
    `the token has ${given.length} characters${isLong ? ", some of them not plain" : ""}: expected ${TOKEN_LENGTH_MIN} to ` +
      `${TOKEN_LENGTH_MAX} letters, digits, dots, dashes, tildes or underscores; leave it out to have one made`,
  );
}

export function urlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

export class Guard {
  readonly #token: Buffer | undefined;
  readonly #cookieName: string;
  /** Undefined where any name may be ours. */
  readonly #hosts: ReadonlySet<string> | undefined;

  constructor({ host, port, token }: GuardOptions) {
    this.#token = token === undefined ? undefined : digest(token);
    // Cookies of a host are the same for all its ports.
    this.#cookieName = `tidemark-${port}`;
    const names = new Set([...LOOPBACK_NAMES, urlHost(host)]);
    const forms = (name: string) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]);
    this.#hosts = isLoopback(host) ? new Set([...names].flatMap(forms)) : undefined;
  }

  /** Where others may ask, a proxy before us may have added the encryption. */
  #isOwn(origin: string, host: string): boolean {
    return origin === `http://${host}` || (this.#hosts === undefined && origin === `https://${host}`);
  }

  judge(request: IncomingMessage): Verdict {
    const { method = "", url = "", headers } = request;
    if (!url.startsWith("/")) return refused(400, "Expected a path, such as GET /.");
    const host = headers.host?.toLowerCase();
    if (host === undefined || host === "" || this.#hosts?.has(host) === false) {
      return refused(
        421,
        "This is not a name of this dashboard. Use the address that was printed when it began.",
      );
    }
    const { origin } = headers;
    if (origin !== undefined && !this.#isOwn(origin.toLowerCase(), host)) {
      return refused(403, "This dashboard answers no other site.");
    }
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none") {
      return refused(403, "This dashboard answers no other site. Type its address, or reload.");
    }
    const path = url.split("?", 1)[0];
    if (method === "POST" && path === "/api/control") {
      if (origin === undefined)
        return refused(403, "Expected an Origin: only the dashboard's page may control.");
    } else if (method !== "GET" && method !== "HEAD") {
      return refused(405, "Expected GET or HEAD.");
    }
    return this.#admit(request, path, url);
  }

  #admit({ headers }: IncomingMessage, path: string, url: string): Verdict {
    if (this.#token === undefined) return WELCOME;
    const offered = new URLSearchParams(url.slice(path.length)).get("token");
    if (path === "/" && offered !== null && this.#isToken(offered)) {
      const cookie = `${this.#cookieName}=${offered}; Path=/; HttpOnly; SameSite=Strict`;
      return { kind: "admitted", cookie };
    }
    const bearer = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? "")?.[1];
    const cookies = (headers.cookie ?? "").split(";").map((each) => each.trim());
    const cookie = cookies.find((each) => each.startsWith(`${this.#cookieName}=`));
    const shown = bearer ?? cookie?.slice(this.#cookieName.length + 1);
    if (shown !== undefined && this.#isToken(shown)) return WELCOME;
    return refused(401, "A token is needed. Open the address that was printed when this dashboard began.");
  }

  /** Digests are compared, whose length says nothing, in a time that says nothing. */
  #isToken(shown: string): boolean {
    return this.#token !== undefined && timingSafeEqual(digest(shown), this.#token);
  }
}

function refused(status: Extract<Verdict, { kind: "refused" }>["status"], text: string): Verdict {
  return { kind: "refused", status, text };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
