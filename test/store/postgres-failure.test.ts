/** What errors of PostgreSQL mean: who can do something about them, and what. */
import { expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { FactLogError, JobGoneError } from "../../src/store/index.ts";
import { loadPg } from "../../src/store/postgres-module.ts";
import { isConflict, isDuplicateSchema, postgresFailure } from "../../src/store/postgres-failure.ts";

const WHERE = "postgres://me@db.example/crawls";
const coded = (code: string, message = "said"): Error => Object.assign(new Error(message), { code });

it.each([
  [coded("28P01"), "the password or the user is wrong: give it by PGPASSWORD, PGPASSFILE or a file"],
  [new Error("SASL: client password must be a string"), "wants a password and none was given: give it by PGPASSWORD"],
  [coded("28000"), "does not let this user in: see its pg_hba.conf"],
  [coded("3D000"), "no such database: create it"],
  [coded("42P01"), "the job is not there any more: it was dropped"],
  [coded("42501"), "it needs the right CREATE on the database"],
  [new Error("The server does not support SSL connections"), "sslmode=disable"],
  [coded("DEPTH_ZERO_SELF_SIGNED_CERT"), "name its authority with sslrootcert"],
  [coded("ERR_TLS_CERT_ALTNAME_INVALID"), "correct the host"],
])("the user can mend %s", (error, words) => {
  const failure = postgresFailure(WHERE, error);
  expect(failure).toBeInstanceOf(UsageError);
  expect(String(failure)).toContain(`${WHERE}: `);
  expect(String(failure)).toContain(words);
});

it.each([
  [coded("ECONNREFUSED", ""), "unreachable", "is the server running there, and does a firewall let us through? (ECONN"],
  [coded("ENOTFOUND"), "unreachable", "is the server running there"],
  [coded("08006"), "unreachable", "the connection was lost"],
  [coded("57P01"), "unreachable", "the server ended the connection"],
  [coded("57P03"), "unreachable", "the server is starting or ending"],
  [coded("57014"), "unreachable", "took too long"],
  [coded("53300"), "unreachable", "raise max_connections, or run fewer workers"],
  [coded("53200"), "unreachable", "more work than it takes"],
  [coded("25006"), "unreachable", "Give the address of the primary server"],
  [coded("40001"), "unreachable", "more work than it takes"],
  [coded("40003"), "unreachable", "does not know what became of the request"],
  [new Error("Connection terminated unexpectedly"), "unreachable", "the connection was lost"],
  [new Error("Query read timeout"), "unreachable", "does not answer"],
  [new Error("timeout expired"), "unreachable", "does not answer"],
  [coded("53100"), "disk-full", "the disk of the server is full: free space there; nothing was written"],
  [coded("XX001"), "failed", "failed: said (SQLSTATE XX001)"],
  [coded("42P07"), "failed", "SQLSTATE 42P07"],
])("%s is %s", (error, kind, words) => {
  const failure = postgresFailure(WHERE, error);
  expect(failure).toMatchObject({ name: "FactLogError", kind, cause: error });
  expect(String(failure)).toContain(WHERE);
  expect(String(failure)).toContain(words);
});

it("what is not PostgreSQL's, or has its words already, is left alone", () => {
  for (const error of [new TypeError("x is not a function"), new UsageError("x"), new FactLogError("failed", "x")]) {
    expect(postgresFailure(WHERE, error)).toBe(error);
  }
});

it("only a job without its tables is gone", () => {
  const codes = ["3F000", "42P01", "28P01", "28000", "3D000", "42501", "53100", "57P01"];
  const gone = codes.filter((code) => postgresFailure(WHERE, coded(code)) instanceof JobGoneError);
  expect(gone).toEqual(["3F000", "42P01"]);
});

it("conflicts and schemas that exist are told from all else", () => {
  expect(["40001", "40P01", "40003", "57014"].map((code) => isConflict(coded(code)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const taken = 'duplicate key value violates unique constraint "pg_namespace_nspname_index"';
  const errors = [coded("42P06"), coded("23505", taken), coded("23505"), new Error(taken)];
  expect(errors.map(isDuplicateSchema)).toEqual([true, true, false, false]);
});

it("a package that is missing is named, with the line that installs it", async () => {
  const missing = loadPg(() => Promise.reject(coded("ERR_MODULE_NOT_FOUND")));
  await expect(missing).rejects.toThrow(UsageError);
  await expect(missing).rejects.toThrow("needs the package pg, which is not installed: npm install pg");
});
