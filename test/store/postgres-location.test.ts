/** Addresses of databases: what is understood, where passwords come from, and that they are shown nowhere. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { describeLocation } from "../../src/store/index.ts";
import { accessOf } from "../../src/store/postgres-location.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Variables of the environment while a test runs; undefined removes one. */
function environment(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name];
    const set = (text: string | undefined): void => {
      if (text === undefined) delete process.env[name];
      else process.env[name] = text;
    };
    set(value);
    onTestFinished(() => set(before));
  }
}

const NO_PASSWORD = { PGPASSWORD: undefined, PGPASSFILE: "/nonexistent", PGHOST: undefined, PGPORT: undefined };

function fileOf(text: string): string {
  const path = join(temporaryDirectory(), "file");
  writeFileSync(path, text);
  return path;
}

describe("the address of a database", () => {
  it("is shown without password and options", () => {
    const shown = [
      "postgres://me:secret@db.example:5433/crawls?sslmode=require",
      "postgresql://db.example/crawls",
      "postgres://me@[::1]:5432/crawls",
      "postgres:///crawls?host=/run/postgresql",
      "postgres://m%20e:s%40cret@db.example/a%20b",
    ].map(describeLocation);
    expect(shown).toEqual([
      "postgres://me@db.example:5433/crawls",
      "postgres://db.example/crawls",
      "postgres://me@[::1]:5432/crawls",
      "postgres:///run/postgresql/crawls",
      "postgres://m%20e@db.example/a%20b",
    ]);
  });

  it("says where to go and as whom", () => {
    environment(NO_PASSWORD);
    const none = { host: undefined, port: undefined, user: undefined, database: undefined };
    const rest = { password: undefined, ssl: undefined };
    expect(accessOf({ url: "postgres://" })).toEqual({ ...none, ...rest });
    expect(accessOf({ url: "postgres://[::1]" })).toEqual({ ...none, ...rest, host: "::1" });
    expect(accessOf({ url: "postgres:///d?host=/run/x" })).toEqual({ ...none, ...rest, database: "d", host: "/run/x" });
    expect(accessOf({ url: "postgresql://m%20e:s%40cr%2Fet@db.example:5433/a%20b" })).toEqual({
      host: "db.example",
      port: 5433,
      user: "m e",
      database: "a b",
      password: "s@cr/et",
      ssl: undefined,
    });
  });

  it.each([
    "mysql://me:secret@db.example/crawls",
    "secret",
    "postgres:secret",
    "postgres://me:secret#x@db.example/crawls",
    "postgres://me:1/secret@db.example/crawls",
    "postgres://me:1?secret@db.example/crawls",
    "postgres://me:1#secret@db.example/crawls",
    "postgres://me:secret%zz@db.example/crawls",
    "postgres://me:secret@db.example:port/crawls",
    "postgres://me@db.example/crawls?pasword=secret",
  ])("that is wrong is refused without repeating what may be a password: %s", (url) => {
    environment(NO_PASSWORD);
    const error = errorOf(() => [describeLocation(url), accessOf({ url })]);
    expect(error).toBeInstanceOf(UsageError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("secret");
    expect(String(error)).toMatch(/expected postgres:\/\/user@host|unknown options \(pasword\)|%25/);
  });
});

describe("a password", () => {
  const url = "postgres://me@db.example/crawls";
  const passwordOf = (text: string, file?: string): string | undefined =>
    accessOf(file === undefined ? { url: text } : { url: text, passwordFile: file }).password;

  it("comes from a file of its own, else from the address, the environment, a file of PostgreSQL", () => {
    const passfile = fileOf("db.example:5432:crawls:me:of the passfile\n");
    environment({ ...NO_PASSWORD, PGPASSFILE: passfile });
    expect(passwordOf(url)).toBe("of the passfile");
    environment({ PGPASSWORD: "of the environment" });
    expect(passwordOf(url)).toBe("of the environment");
    const withPassword = url.replace("me@", "me:of%20the%20address@");
    expect(passwordOf(withPassword)).toBe("of the address");
    expect(passwordOf(withPassword, fileOf("of the file\nnot this\n"))).toBe("of the file");
  });

  it("is the first in PostgreSQL's file whose line fits", () => {
    environment({
      ...NO_PASSWORD,
      PGPASSFILE: fileOf(
        [
          "# db.example:5432:crawls:me:a comment",
          "db.example:5432:crawls:you:of another user",
          "db.example:5433:*:*:of another port",
          "too:short",
          "*:*:crawls:me:with \\: and \\\\ and : and a \\quote",
          "*:*:*:*:of everybody",
        ].join("\r\n"),
      ),
    });
    expect(passwordOf(url)).toBe("with : and \\ and : and a quote");
    expect(passwordOf("postgres://you@db.example:5433/x")).toBe("of another port");
    expect(passwordOf("postgres://you@db.example/x")).toBe("of everybody");
    environment({ PGHOST: "db.example", PGPORT: "5433" });
    expect(passwordOf("postgres://you@/x".replace("@/", "@%64b.example/"))).toBe("of another port");
    expect(passwordOf("postgres:///x")).toBe("of another port");
  });

  it("in a file that cannot be read is an error that names the file", () => {
    const missing = join(temporaryDirectory(), "missing");
    expect(() => passwordOf(url, missing)).toThrow(UsageError);
    expect(() => passwordOf(url, missing)).toThrow(
      `${missing}, the file of the password, cannot be read: no such file`,
    );
  });
});

describe("sslmode", () => {
  const sslOf = (options: string): unknown => accessOf({ url: `postgres://db.example/crawls${options}` }).ssl;

  it("means what it means to PostgreSQL", () => {
    const ca = fileOf("authority");
    expect(sslOf("")).toBeUndefined();
    expect(sslOf("?sslmode=disable")).toBe(false);
    expect(sslOf("?sslmode=require")).toEqual({ rejectUnauthorized: false });
    expect(sslOf("?sslmode=verify-full")).toEqual({});
    expect(sslOf(`?sslmode=verify-full&sslrootcert=${ca}`)).toEqual({ ca: "authority" });
    // The authority is checked, the name is not.
    for (const mode of ["require", "verify-ca"]) {
      expect(sslOf(`?sslmode=${mode}&sslrootcert=${ca}`)).toEqual({
        ca: "authority",
        checkServerIdentity: expect.any(Function),
      });
    }
    const [cert, key] = [fileOf("certificate"), fileOf("key")];
    expect(sslOf(`?sslmode=verify-full&sslcert=${cert}&sslkey=${key}`)).toEqual({ cert: "certificate", key: "key" });
  });

  it("that is unknown, or lacks a file, is refused", () => {
    expect(() => sslOf("?sslmode=prefer")).toThrow(
      "sslmode is prefer; expected disable, require, verify-ca or verify-full",
    );
    expect(() => sslOf("?sslmode=verify-ca")).toThrow("sslmode=verify-ca needs sslrootcert");
    expect(() => sslOf("?sslrootcert=/missing")).toThrow("/missing, sslrootcert, cannot be read: no such file");
  });
});

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
