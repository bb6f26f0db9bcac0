/**
 * What a run is given to be a user of the sites that it crawls: headers, cookies, credentials, from arguments, files
 * and the environment. It goes to the fetcher and nowhere else; the plan knows names and hosts only.
 */
import { readFileSync, statSync } from "node:fs";
import { counted, shellWord, systemTimers, UsageError } from "../../base/index.ts";
import {
  canonicalRules,
  type CommandOptions,
  givenProxies,
  type HostRules,
  type NetworkSettings,
  type Seed,
  type SessionPart,
} from "../../crawl/index.ts";
import {
  type Credential,
  type GivenCookie,
  type OriginHeaders,
  parseHeader,
  type SessionOptions,
} from "../../fetch/index.ts";
import { withFile } from "../terminal/endings.ts";

export type SessionFlags = Pick<CommandOptions, "header" | "cookieFile" | "authFile">;
/** With the headers of single hosts, from a config file. */
type GivenSession = SessionFlags & Pick<CommandOptions, "hosts">;

/** These alone, of the options of a command. */
export function sessionFlags({ header, cookieFile, authFile }: SessionFlags): SessionFlags {
  return {
    ...(header === undefined ? {} : { header }),
    ...(cookieFile === undefined ? {} : { cookieFile }),
    ...(authFile === undefined ? {} : { authFile }),
  };
}

export interface RunSession {
  readonly options: SessionOptions;
  readonly parts: readonly SessionPart[];
  /** To be told before the crawl begins. */
  readonly notes: readonly string[];
}

const AUTH_VARIABLE = "TIDEMARK_AUTH";

/** What files and the environment hold. A file may be a pipe, which can be read once: a command reads them once. */
export interface Secrets {
  readonly cookies: readonly GivenCookie[];
  readonly credentials: readonly Credential[];
  /** Of a file of proxies that this run was given, with their passwords. */
  readonly proxies?: readonly string[] | undefined;
  readonly notes: readonly string[];
}

export async function readSecrets({
  cookieFile,
  authFile,
  proxyFile,
}: SessionFlags & Pick<CommandOptions, "proxyFile">): Promise<Secrets> {
  const notes: string[] = [];
  const cookies = await cookiesIn(cookieFile, notes);
  return { cookies, credentials: await credentialsOf(authFile, notes), proxies: givenProxies(proxyFile), notes };
}

export function sessionOf(
  given: GivenSession,
  { cookies, credentials, notes }: Secrets,
  seeds: readonly Seed[],
): RunSession {
  const origins = [...new Set(seeds.flatMap(({ url }) => originsFor(url)))];
  const headers = [...headersFor(origins, given.header), ...headersOfHosts(given.hosts, seeds)];
  return {
    options: {
      ...(headers.length === 0 ? {} : { headers }),
      ...(cookies.length === 0 ? {} : { cookies, cookieOrigins: origins }),
      ...(credentials.length === 0 ? {} : { credentials }),
    },
    parts: [
      ...(headers.length === 0 ? [] : (["headers"] as const)),
      ...(given.cookieFile === undefined ? [] : (["cookies"] as const)),
      ...(credentials.length === 0 ? [] : (["credentials"] as const)),
    ],
    notes,
  };
}

/** For a crawl that is resumed with less than it had; what it had is not stored. */
export function missingSession(
  before: Pick<NetworkSettings, "session"> | undefined,
  { parts }: Pick<RunSession, "parts">,
): string | undefined {
  const missing = (before?.session ?? []).filter((part) => !parts.includes(part)).map((part) => SESSION_FLAGS[part]);
  if (missing.length === 0) return undefined;
  return (
    `this crawl has been run with ${missing.join(" and ")}, which ${missing.length === 1 ? "is" : "are"} not stored: ` +
    "give the same again, or its sites may answer differently"
  );
}

/** How each part is given. */
export const SESSION_FLAGS: Readonly<Record<SessionPart, string>> = {
  headers: "--header",
  cookies: "--cookie-file",
  credentials: `--auth-file (or ${AUTH_VARIABLE})`,
};

/** Where what is meant for a seed may go: to its own origin, and from http to https, never the other way. */
export function originsFor(seed: string): string[] {
  const { origin, protocol, host } = new URL(seed);
  return protocol === "http:" ? [origin, `https://${host}`] : [origin];
}

function headersFor(origins: readonly string[], written: readonly string[] = []): OriginHeaders[] {
  const headers = written.map(parseHeader);
  return headers.length === 0 ? [] : origins.map((origin) => ({ origin, headers }));
}

/** To https, and to http where a seed of the host has it. */
function headersOfHosts(rules: HostRules = {}, seeds: readonly Seed[]): OriginHeaders[] {
  return Object.entries(canonicalRules(rules)).flatMap(([host, { header }]) => {
    const isPlain = seeds.some(({ url }) => new URL(url).origin === `http://${host}`);
    return headersFor([`https://${host}`, ...(isPlain ? [`http://${host}`] : [])], header);
  });
}

async function cookiesIn(path: string | undefined, notes: string[]): Promise<readonly GivenCookie[]> {
  if (path === undefined) return [];
  const text = privately(path, "latin1", notes);
  const { parseCookies } = await import("../input/cookie-file.ts");
  const all = parseCookies(text, path);
  const nowMs = systemTimers.wallMs();
  const valid = all.filter(({ expiresMs }) => expiresMs === null || expiresMs > nowMs);
  const expired = all.length - valid.length;
  if (valid.length === 0) throw new UsageError(`${path}: all cookies have expired; log in and export them again`);
  if (expired > 0) notes.push(`${path}: ${expired} of ${counted(all.length, "cookie")} expired and will not be sent`);
  return valid;
}

/** The file wins over the environment. */
async function credentialsOf(path: string | undefined, notes: string[]): Promise<readonly Credential[]> {
  const variable = process.env[AUTH_VARIABLE] ?? "";
  if (path === undefined && variable.trim() === "") return [];
  const { parseCredentials } = await import("../input/auth-file.ts");
  if (path === undefined) return parseCredentials(variable, AUTH_VARIABLE);
  return parseCredentials(privately(path, "utf8", notes), path);
}

const OTHERS_READ = 0o044;

/** What to tell of a file of secrets that others can read too; undefined if they cannot. */
export function openSecret(path: string): string | undefined {
  const status = statSync(path);
  const isOpen = status.isFile() && process.platform !== "win32" && (status.mode & OTHERS_READ) !== 0;
  return isOpen
    ? `${path}: other users of this machine can read this file; run chmod 600 ${shellWord(path)}`
    : undefined;
}

/** The text of a file that only its owner should read. It may be a pipe, as of a password manager. */
function privately(path: string, encoding: "latin1" | "utf8", notes: string[]): string {
  return withFile(path, () => {
    const note = openSecret(path);
    if (note !== undefined) notes.push(note);
    return readFileSync(path, encoding);
  });
}
