/**
 * What an error of PostgreSQL, or of the way to it, means for a log: the user can mend it, it passes, the disk is full,
 * or nothing helps. Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
import { messageOf, UsageError } from "../base/index.ts";
import { FactLogError, JobGoneError } from "./fact-log.ts";

/** The transaction met another one and was undone: trying again is what the server expects. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error));
}

/** The schema that was to be made is there; the second code comes when two make it at once. */
export function isDuplicateSchema(error: unknown): boolean {
  return codeOf(error) === "42P06" || (codeOf(error) === "23505" && messageOf(error).includes("nspname"));
}

/** `where` is the location without its password. An error that is none of PostgreSQL's comes back as it is. */
export function postgresFailure(where: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UsageError || error instanceof FactLogError) return error;
  const code = codeOf(error);
  const said = error.message === "" ? code : error.message.replace(/\s+/g, " ");
  const mistake = mistakeOf(code, said);
  if (mistake !== undefined) {
    const Mistake = mistake === GONE ? JobGoneError : UsageError;
    return new Mistake(`${where}: ${mistake} (${said})`, { cause: error });
  }
  if (code === "53100") {
    const words = "the disk of the server is full: free space there; nothing was written";
    return new FactLogError("disk-full", `${where}: ${words} (${said})`, { cause: error });
  }
  const passing = passingOf(code, said);
  if (passing !== undefined) {
    return new FactLogError("unreachable", `${where} cannot be used now: ${passing} (${said})`, { cause: error });
  }
  if (/^[0-9A-Z]{5}$/.test(code)) {
    return new FactLogError("failed", `${where} failed: ${said} (SQLSTATE ${code})`, { cause: error });
  }
  return error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

const PASSWORD_SOURCES = "give it by PGPASSWORD, PGPASSFILE or a file of its own";

function mistakeOf(code: string, said: string): string | undefined {
  if (/client password must be a (?:non-empty )?string/.test(said)) {
    return `the server wants a password and none was given: ${PASSWORD_SOURCES}`;
  }
  if (/does not support SSL/.test(said)) {
    return "the server has no TLS: set it up there, or use sslmode=disable in a network that you trust";
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return "the certificate of the server is not trusted: name its authority with sslrootcert, or correct the host";
  }
  return MISTAKES[code];
}

const GONE = "the job is not there any more: it was dropped, and its workers end";

const MISTAKES: Readonly<Record<string, string>> = {
  "28P01": `the password or the user is wrong: ${PASSWORD_SOURCES}`,
  "28000": "the server does not let this user in: see its pg_hba.conf",
  "3D000": "there is no such database: create it, or correct the address",
  "3F000": GONE,
  "42P01": GONE,
  "42501": "the user may not do this: it needs the right CREATE on the database, and must own the job",
  ERR_INVALID_ARG_VALUE: "the address of the database is wrong",
};

const OTHERS_WORK = "the server has more work than it takes";

function passingOf(code: string, said: string): string | undefined {
  if (PASSING[code] !== undefined) return PASSING[code];
  if (code.startsWith("08")) return "the connection was lost";
  if (code.startsWith("53")) return OTHERS_WORK;
  if (/^E[A-Z]{3,}/.test(code)) return "is the server running there, and does a firewall let us through?";
  return /^(?:Connection terminated|timeout expired|Query read timeout|Client )/.test(said)
    ? "the connection was lost, or the server does not answer"
    : undefined;
}

const PASSING: Readonly<Record<string, string>> = {
  "25006": "the server takes no writes: is it a copy of another? Give the address of the primary server",
  "40001": OTHERS_WORK,
  "40003": "the server does not know what became of the request",
  "40P01": OTHERS_WORK,
  "53300": "all of its connections are in use: raise max_connections, or run fewer workers",
  "55P03": OTHERS_WORK,
  "57014": "the server took too long and gave up",
  "57P01": "the server ended the connection",
  "57P02": "the server crashed",
  "57P03": "the server is starting or ending",
  "57P05": "the server ended the connection",
};
