/** Files with cookies and credentials: what they mean, and errors that repeat no secret. */
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { parseCredentials } from "../../src/cli/input/auth-file.ts";
import { parseCookies } from "../../src/cli/input/cookie-file.ts";

const SECRET = "hunter2";

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error("expected an error");
}

const netscape = (...lines: string[][]): string => lines.map((fields) => `${fields.join("\t")}\n`).join("");

describe("a cookie file in the Netscape format", () => {
  it("has a cookie per line", () => {
    const text =
      "# Netscape HTTP Cookie File\r\n\r\n" +
      netscape(
        [".Example.com", "TRUE", "/", "TRUE", "1999999999", "a", "1=2"],
        ["#HttpOnly_www.example.com", "FALSE", "/x", "FALSE", "0", "b", ""],
        ["localhost", "FALSE", "/", "FALSE", "0", "c"],
      );
    const common = { httpOnly: false, hostOnly: true, secure: false, expiresMs: null, path: "/", value: "" };
    expect(parseCookies(text, "c.txt")).toEqual([
      {
        ...common,
        domain: "example.com",
        hostOnly: false,
        secure: true,
        expiresMs: 1999999999000,
        name: "a",
        value: "1=2",
      },
      { ...common, domain: "www.example.com", httpOnly: true, path: "/x", name: "b" },
      { ...common, domain: "localhost", name: "c" },
    ]);
  });

  it.each([
    ["spaces instead of tabs", `a.example FALSE / FALSE 0 sid ${SECRET}`, "line 2: has 1 of 7 fields"],
    ["a word instead of TRUE", `a.example\tyes\t/\tFALSE\t0\tsid\t${SECRET}`, "line 2: the fields 2 and 4"],
    ["no time", `a.example\tFALSE\t/\tFALSE\t${SECRET}\tsid\t1`, "line 2: field 5 must be a Unix time"],
    ["no domain", `\tFALSE\t/\tFALSE\t0\tsid\t${SECRET}`, "line 2: the domain is none"],
    ["a domain with a port", `a.example:80\tFALSE\t/\tFALSE\t0\tsid\t${SECRET}`, "line 2: the domain is none"],
    ["no name", "a.example\tFALSE\t/\tFALSE\t0\t\t", "line 2: has neither name nor value"],
    ["a value with a semicolon", `a.example\tFALSE\t/\tFALSE\t0\tsid\t${SECRET};x`, "line 2: the name or value"],
    ["a relative path", `a.example\tFALSE\tx\tFALSE\t0\tsid\t${SECRET}`, "line 2: the path does not begin"],
  ])("with %s is refused", (_what, line, why) => {
    const message = messageOf(() => parseCookies(`# comment\n${line}\n`, "c.txt"));
    expect(message).toContain(`c.txt: ${why}`);
    expect(message).not.toContain(SECRET);
  });

  it.each(["", "# only a comment\n"])("without cookies is refused: %j", (text) => {
    expect(messageOf(() => parseCookies(text, "c.txt"))).toContain("c.txt: has no cookies; expected a file in");
  });
});

describe("a cookie file in JSON", () => {
  const cookie = { name: "a", value: "1", domain: ".example.com" };

  it.each<[string, object, object]>([
    [
      "of an extension",
      { ...cookie, hostOnly: false, expirationDate: 1999999999.5, session: false, secure: true, storeId: "0" },
      { hostOnly: false, expiresMs: 1999999999500, secure: true },
    ],
    [
      "of Playwright",
      { ...cookie, domain: "www.example.com", expires: -1, httpOnly: true },
      { hostOnly: true, httpOnly: true },
    ],
    ["of Selenium", { ...cookie, expiry: 1999999999 }, { expiresMs: 1999999999000 }],
    ["with a date", { ...cookie, expires: "2033-05-18T03:33:19Z" }, { expiresMs: 1999999999000 }],
    ["with a URL", { name: "a", value: "1", url: "https://www.example.com/x" }, { domain: "www.example.com" }],
    ["with letters beyond ASCII", { ...cookie, value: "\u00e9" }, { value: "\u00c3\u00a9" }],
    ["of a session", { ...cookie, expirationDate: 1, session: true }, { expiresMs: null, path: "/", secure: false }],
  ])("%s is read", (_what, given, wanted) => {
    const bytes = (value: unknown): string => Buffer.from(JSON.stringify(value, null, "\t")).toString("latin1");
    expect(parseCookies(bytes([given]), "c.json")).toMatchObject([wanted]);
    expect(parseCookies(`\u00ef\u00bb\u00bf${bytes({ cookies: [given], origins: [] })}`, "c.json")).toMatchObject([
      wanted,
    ]);
  });

  it.each([
    ["that is cut off", `[\n{"name": "a", "value": "${SECRET}"`, "line 2: is not valid JSON"],
    ["that is no JSON", `[\n\n{"name" "${SECRET}"}]`, "line 3: is not valid JSON"],
    ["without a list", `{"a": "${SECRET}"}`, "line 1: expected a list of cookies"],
    ["with a text for a cookie", `[\n"${SECRET}"]`, "line 2: expected an object"],
    ["without a value", `[\n\n{"name": "${SECRET}", "domain": "a.example"}]`, "line 3: value is missing"],
    ["without a domain", `[{"name": "a", "value": "${SECRET}"}]`, "line 1: domain is missing"],
    ["with a number for a name", `[{"name": 1, "value": "${SECRET}", "domain": "a.b"}]`, "line 1: name is no text"],
    [
      "with a wrong time",
      `[{"name":"a","value":"${SECRET}","domain":"a.b","expires":"x"}]`,
      "line 1: its time of expiry",
    ],
    ["with a line break", `[{"name":"a","value":"${SECRET}\\n","domain":"a.b"}]`, "line 1: the name or value"],
  ])("%s is refused", (_what, text, why) => {
    const message = messageOf(() => parseCookies(text, "c.json"));
    expect(message).toContain(`c.json: ${why}`);
    expect(message).not.toContain(SECRET);
  });

  it("that is empty is refused", () => {
    expect(messageOf(() => parseCookies("[]", "c.json"))).toContain("has no cookies");
  });
});

describe("a file of credentials", () => {
  it("has a host, a user name and a password per line", () => {
    const text =
      "# staging\r\nwww.Example.com  me  two words # and more \n\nwww.example.com:8443\tme\tb\r" +
      "http://localhost:8080 you c\nhttps://b\u00fccher.example./ me d";
    expect(parseCredentials(text, "auth")).toEqual([
      { origin: "https://www.example.com", user: "me", secret: "two words # and more" },
      { origin: "https://www.example.com:8443", user: "me", secret: "b" },
      { origin: "http://localhost:8080", user: "you", secret: "c" },
      { origin: "https://xn--bcher-kva.example", user: "me", secret: "d" },
    ]);
  });

  it.each([
    ["too few words", `a.example ${SECRET}`, "line 2: expected a host, a user name and a password"],
    ["no host first", `${SECRET}@a.example me x`, "line 2: the first word is no host"],
    ["a path", `https://a.example/${SECRET} me x`, "line 2: the first word is no host"],
    ["another scheme", `ftp://${SECRET} me x`, "line 2: the first word is no host"],
    ["a pattern", `*.${SECRET} me x`, "line 2: the first word is no host"],
    ["a colon in the user name", `a.example me:${SECRET} x`, "line 2: the user name has a colon"],
  ])("with %s is refused", (_what, line, why) => {
    const message = messageOf(() => parseCredentials(`\n${line}\n`, "auth"));
    expect(message).toContain(`auth: ${why}`);
    expect(message).not.toContain(SECRET);
  });

  it("names no host twice, and at least one", () => {
    const twice = `a.example me ${SECRET}\nhttps://A.example you ${SECRET}\n`;
    expect(messageOf(() => parseCredentials(twice, "auth"))).toBe(
      "auth: line 2: https://a.example is in line 1 already",
    );
    expect(messageOf(() => parseCredentials("\n# none\n", "auth"))).toContain("auth: is empty");
  });
});
