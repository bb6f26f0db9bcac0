/** A site behind a login, secrets that open it, and where they must not be. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import type { Outcome } from "./folder.ts";
import { served } from "./sites.ts";

export const COOKIE = "cookie-hunter2";
export const PASSWORD = "password-hunter2";
export const HEADER = "header-hunter2";
export const RENEWED = "renewed-hunter2";
export const BASIC = Buffer.from(`me:${PASSWORD}`).toString("base64");
const SECRETS = [COOKIE, PASSWORD, HEADER, RENEWED, BASIC];

interface Login {
  readonly url: string;
  readonly port: string;
  readonly thief: string;
  /** What each path was sent, in order. */
  readonly seen: (readonly [path: string, headers: IncomingHttpHeaders])[];
  readonly stolen: IncomingHttpHeaders[];
}

/** Everything needs a session, robots.txt too. It leads to another site, and to its own way out. */
export async function siteBehindLogin(): Promise<Login> {
  const stolen: IncomingHttpHeaders[] = [];
  const seen: (readonly [string, IncomingHttpHeaders])[] = [];
  const thief = await served(({ headers }, response) => {
    stolen.push(headers);
    response.setHeader("content-type", "text/html").end("<p>thanks");
  });
  const url = await served((request, response) => {
    const path = request.url ?? "";
    seen.push([path, request.headers]);
    answer(path, request, response);
  });
  const answer = (path: string, { headers }: IncomingMessage, response: ServerResponse): void => {
    const isUser =
      headers.authorization === `Basic ${BASIC}` || [COOKIE, RENEWED].some((sid) => headers.cookie === `sid=${sid}`);
    if (!isUser) return void response.writeHead(403).end();
    response.setHeader("content-type", "text/html");
    if (path === "/robots.txt") return void response.end(`User-agent: *\nSitemap: ${url}logout?sitemap.xml\n`);
    if (path === "/away") return void response.writeHead(302, { location: thief }).end();
    if (path === "/renew") {
      return void response.writeHead(302, { location: "/renewed", "set-cookie": `sid=${RENEWED}; HttpOnly` }).end();
    }
    response.end('<a href="/a">a</a><a href="/away">away</a><a href="/renew">renew</a><a href="/logout">bye</a>');
  };
  return { url, port: new URL(url).port, thief, seen, stolen };
}

export const NETSCAPE = `# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t${COOKIE}\n`;
export const COMMON = ["--delay", "0", "--allow-private"];

export function secretsIn(bytes: Buffer): string[] {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const whole = isZipped ? Buffer.concat([bytes, gunzipSync(bytes)]) : bytes;
  return SECRETS.filter((secret) => whole.includes(secret));
}

export function expectNoSecret({ stdout, stderr }: Outcome): void {
  expect(secretsIn(Buffer.from(stdout + stderr))).toEqual([]);
}
