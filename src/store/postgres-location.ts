/**
 * Where a PostgreSQL server is and how to get in: a URL, and a password that comes from the URL, `PGPASSWORD`, a file,
 * or `PGPASSFILE`. The password is in nothing that is shown: neither in `describeLocation` nor in an error.
 *
 * `sslmode` means what it means to PostgreSQL's own programs. (The package `pg` reads it differently, and warns.)
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { fileMistake, UsageError } from "../base/index.ts";

export interface PostgresLocation {
  /** `postgres://user@host:5432/database?sslmode=verify-full` */
  readonly url: string;
  /** A file with nothing but the password. */
  readonly passwordFile?: string;
}

/** What a connection needs; what is undefined comes from the environment (`PGHOST`, `PGUSER`, ...). */
export interface Access {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly database: string | undefined;
  readonly password: string | undefined;
  readonly ssl: boolean | ConnectionOptions | undefined;
}

const EXPECTED = "expected postgres://user@host:5432/database";

/** The URL without its password and its options, for messages and status. */
export function describeLocation(url: string): string {
  const { username, host, pathname, searchParams } = parsed(url);
  const user = username === "" ? "" : `${username}@`;
  return `postgres://${user}${host === "" ? (searchParams.get("host") ?? "") : host}${pathname}`;
}

/** Reads the files that are named each time: passwords and certificates may have been changed. */
export function accessOf({ url, passwordFile }: PostgresLocation): Access {
  const { hostname, port, username, password, pathname, searchParams } = parsed(url);
  const access = {
    host: searchParams.get("host") ?? named(hostname.replace(/^\[(.*)\]$/, "$1")),
    port: port === "" ? undefined : Number(port),
    user: named(username),
    database: named(pathname.slice(1)),
    ssl: sslOf(searchParams),
  };
  const given = passwordFile === undefined ? named(password) : firstLine(passwordFile, "the file of the password");
  return { ...access, password: given ?? process.env["PGPASSWORD"] ?? passwordInPassfile(access) };
}

/** Options of the URL that are understood. */
const OPTIONS = new Set(["host", "sslmode", "sslrootcert", "sslcert", "sslkey"]);

/** Errors never repeat the URL: where it is not understood, nobody knows which part of it is the password. */
function parsed(url: string): URL {
  if (!/^postgres(?:ql)?:\/\//.test(url)) {
    throw new UsageError(`the address of the database does not begin with postgres://; ${EXPECTED}`);
  }
  const place = URL.canParse(url) ? new URL(url) : undefined;
  // An @, /, ? or # of a password ends the host too soon, and the rest of the password would be taken for a path.
  if (place === undefined || place.hash !== "" || /^[^/?#]*[/?#].*@/.test(url.replace(/^[a-z]+:\/\//, ""))) {
    throw new UsageError(
      `the address of the database is not a URL; ${EXPECTED}. In a password, write @ as %40, : as %3A, / as %2F, ` +
        "? as %3F, # as %23 and % as %25, or give the password by PGPASSWORD or a file",
    );
  }
  const unknown = [...place.searchParams.keys()].filter((name) => !OPTIONS.has(name));
  if (unknown.length > 0) {
    throw new UsageError(
      `the address of the database has unknown options (${unknown.join(", ")}); there are ${[...OPTIONS].join(", ")}`,
    );
  }
  return place;
}

function named(part: string): string | undefined {
  if (part === "") return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UsageError(`the address of the database has a % that is not followed by two digits; write it as %25`);
  }
}

function sslOf(options: URLSearchParams): boolean | ConnectionOptions | undefined {
  const file = (name: string): string | undefined => {
    const path = options.get(name);
    return path === null ? undefined : contentsOf(path, name);
  };
  const mode = options.get("sslmode");
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  const certificates = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  switch (mode) {
    case null:
      return Object.keys(certificates).length === 0 ? undefined : certificates;
    case "disable":
      return false;
    case "require":
      return ca === undefined ? { ...certificates, rejectUnauthorized: false } : { ...certificates, ...ANY_NAME };
    case "verify-ca":
      if (ca !== undefined) return { ...certificates, ...ANY_NAME };
      throw new UsageError("sslmode=verify-ca needs sslrootcert, the file of the certificate authority");
    case "verify-full":
      return certificates;
    default:
      throw new UsageError(`sslmode is ${mode}; expected disable, require, verify-ca or verify-full`);
  }
}

/** The certificate must be one of the authority, for whatever host. */
const ANY_NAME: ConnectionOptions = { checkServerIdentity: () => undefined };

/** The first line of the password file that fits: `host:port:database:user:password`, any of the first four `*`. */
function passwordInPassfile({ host, port, database, user }: Omit<Access, "password" | "ssl">): string | undefined {
  const path = process.env["PGPASSFILE"] ?? join(homedir(), ".pgpass");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const wanted = [
    host ?? process.env["PGHOST"] ?? "localhost",
    String(port ?? process.env["PGPORT"] ?? 5432),
    database ?? process.env["PGDATABASE"] ?? user ?? "",
    user ?? process.env["PGUSER"] ?? "",
  ];
  for (const line of text.split(/\r?\n/)) {
    const fields = fieldsOf(line);
    const fits = wanted.every((value, k) => fields[k] === "*" || fields[k] === value);
    if (fits && fields.length === 5 && !line.startsWith("#")) return fields[4];
  }
  return undefined;
}

/** A backslash makes the next character an ordinary one. */
function fieldsOf(line: string): string[] {
  const fields = [""];
  for (let k = 0; k < line.length; k++) {
    if (line[k] === ":" && fields.length < 5) fields.push("");
    else fields[fields.length - 1] += line[line[k] === "\\" ? ++k : k] ?? "";
  }
  return fields;
}

function firstLine(path: string, what: string): string {
  return contentsOf(path, what).split(/\r?\n/, 1)[0];
}

function contentsOf(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path}, ${what}, cannot be read: ${fileMistake(error) ?? String(error)}`, { cause: error });
  }
}
