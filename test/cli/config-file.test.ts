/** `--config FILE`: what it sets, and every mistake in it with its line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/cli/input/config-file.ts";
import { configSchema } from "../../src/crawl/index.ts";
import { defaultInWords, givenNames, keyOf, type Setting, settingsTable } from "../../src/crawl/settings/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

describe("a config file", () => {
  it("sets what flags set, by either spelling, in YAML or JSON", () => {
    const expected = {
      urls: ["www.example.com"],
      maxPages: 9,
      maxTime: 7_200_000,
      coverage: Number.POSITIVE_INFINITY,
      sitemaps: false,
      warc: true,
      exclude: ["/a/", "b"],
      resolve: [],
      userAgent: "1.10",
      listen: { host: "127.0.0.1", port: 8080 },
    };
    const yaml = [
      "urls: www.example.com",
      "max-pages: 9",
      "maxTime: 2h",
      "coverage: none",
      "sitemaps: false",
      "warc: true",
      "exclude:\n  - /a/\n  - b",
      "resolve: none",
      "user_agent: 1.10",
      "listen: 8080",
    ];
    expect(read(yaml.join("\n"))).toEqual(expected);
    const json = { ...expected, maxTime: "2h", coverage: "none", resolve: "none", listen: "8080" };
    expect(read(JSON.stringify(json, null, 2))).toEqual(expected);
  });

  it.each([
    ["5", { newest: 5 }, "5"],
    ["90d", { ageMs: 90 * 86_400_000 }, "2160h"],
    ["2026-11-18", { sinceMs: Date.UTC(2026, 10, 18) }, "2026-11-18T00:00:00.000Z"],
  ])("bounds the visits that are kept: %s", (text, keepVisits, written) => {
    expect(read(`keep-visits: ${text}`)).toEqual({ keepVisits });
    const { kind } = settingsTable.keepVisits;
    expect(kind.write(keepVisits)).toBe(written);
    expect(kind.read(written)).toEqual(keepVisits);
  });

  it("has rules for single hosts, and reports their mistakes one by one", () => {
    const hosts = { "docs.example.com": { delay: 200, pages: 9 }, "*.example.com": { exclude: ["/a/", "b"] } };
    const yaml = "hosts:\n  docs.example.com: { delay: 200ms, pages: 9 }\n  '*.example.com':\n    exclude: [/a/, b]";
    expect(read(yaml)).toEqual({ hosts });
    expect(read(JSON.stringify({ hosts }))).toEqual({ hosts });
    expect(read("hosts: none")).toEqual({ hosts: {} });
    const wrong = [
      "hosts:",
      "  a.example:",
      "    delay: soon",
      "    connections: 3",
      "    page: 3",
      "  b.example: fast",
      "  https://c.example/:",
      "    pages: 1",
      "  d.example:",
      "    exclude: (",
      "max-pages: { a: 1 }",
    ];
    expect(problems("hosts:\n  a.example: { pages: 3 }\n  b.example: {}\n  a.example: { pages: 4 }")).toEqual([
      "line 4: hosts: a.example is set twice",
    ]);
    expect(problems("hosts:\n  a.example:\n    pages: 3\n    pages: 4")).toEqual(["line 4: hosts: pages is set twice"]);
    expect(problems(wrong.join("\n"))).toEqual([
      expect.stringMatching(/^line 3: hosts: delay of a.example is "soon". Expected milliseconds/),
      'line 5: hosts: "page" is not a rule for a host. Did you mean pages?',
      expect.stringMatching(/^line 6: hosts: Expected rules of a host: delay, connections, pages/),
      expect.stringMatching(/^line 8: hosts: "https:..c.example.", which has rules, is not a host/),
      expect.stringMatching(/^line 10: hosts: the exclude pattern "\(" is invalid/),
      "line 11: max-pages: expected a value or a list of values",
    ]);
  });

  it("reports all its mistakes at once, each at its line", () => {
    const yaml = [
      "max-pages: 0",
      "scope: host",
      "exclude:",
      "  - /fine/",
      "  - (",
      "order: rankmas",
      "max-dept: 3",
      "resolve:",
      "  - www.example.org:127.0.0.1",
      "  - nonsense",
      "max-bytes: [1, 2]",
      "scope: domain",
      "hash-seed: 1",
      "config: other.yaml",
    ];
    expect(problems(yaml.join("\n"))).toEqual([
      'line 1: max-pages: got "0". Expected a whole number of at least 1.',
      expect.stringMatching(/^line 5: exclude: the exclude pattern "\(" is invalid/),
      expect.stringMatching(/^line 6: order: unknown order "rankmas"/),
      'line 7: "max-dept" is not a setting. Did you mean max-depth?',
      expect.stringMatching(/^line 10: resolve: --resolve nonsense: expected HOST:ADDRESS/),
      "line 11: max-bytes: got a list. Expected one value.",
      "line 12: scope is set twice",
      'line 13: "hash-seed" is not a setting; tidemark crawl --help lists them',
      expect.stringMatching(/^line 14: "config" is not a setting/),
    ]);
  });
});

describe("the JSON schema of a config file", () => {
  const { properties } = configSchema() as { properties: Record<string, Schema> };

  it("has every setting that may be given, in both spellings, and no other", () => {
    const names = givenNames(settingsTable).filter((name) => name !== "config");
    expect(Object.keys(properties).toSorted()).toEqual(
      [...new Set(names.flatMap((name) => [name, keyOf(name)]))].toSorted(),
    );
  });

  it.each<[key: string, accepted: readonly unknown[], refused: readonly unknown[]]>([
    ["max-pages", [1, 5000, "none"], [0, 1.5, "5", true]],
    ["coverage", [0.95, 1, "none"], [0, 1.1, "95%"]],
    ["max-time", ["30s", "2h", "1.5 h", "none"], [30, "soon", "30"]],
    ["delay", [0, 500, "1s"], [-1, "soon", 1e9]],
    ["max-bytes", [1, "10MB", "1.5GiB", "none"], [0, "10XB"]],
    ["scope", ["host", "any"], ["planet", 1]],
    ["warc", [true, false], ["yes", 1]],
    ["exclude", ["a", ["a", "b"]], [1, [1]]],
    ["per-host", [1, 1000], [0, 1001]],
  ])("accepts for %s what the file accepts", (key, accepted, refused) => {
    const said = (value: unknown): boolean => problems(JSON.stringify({ [key]: value })).length === 0;
    for (const value of accepted)
      expect([value, fits(value, properties[key]), said(value)]).toEqual([value, true, true]);
    for (const value of refused) expect([value, fits(value, properties[key])]).toEqual([value, false]);
  });
});

describe("the table of settings", () => {
  const rows = Object.entries<Setting>(settingsTable);

  it("has defaults that are of their kind, and are read back as they are written", () => {
    const withDefault = rows.filter(([, { default: usual }]) => usual !== undefined && usual !== null);
    expect(withDefault.length).toBeGreaterThan(15);
    for (const [name, { kind, default: usual }] of withDefault) {
      const isList = kind.type === "list";
      expect([name, kind.read(isList ? usual : kind.write(usual))]).toEqual([name, usual]);
      expect([name, kind.read(usual)]).toEqual([name, usual]);
    }
  });

  it("shows the default of everything that has a value", () => {
    const silent = rows.filter(([, row]) => row.givenBy !== "nobody" && defaultInWords(row) === undefined);
    const valued = silent.filter(([, { kind }]) => kind.type !== "boolean" && kind.type !== "list");
    // These are not there unless they are given.
    const names = ["seedFile", "trust", "config", "budget", "hosts", "contact", "cookieFile", "ca", "proxyFile"];
    expect(valued.map(([name]) => name)).toEqual(names);
  });
});

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** The words of JSON Schema that ours uses. */
function fits(value: unknown, schema: Schema): boolean {
  const { type, anyOf, items, pattern } = schema;
  if (anyOf !== undefined) return anyOf.some((each) => fits(value, each));
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum !== undefined) return schema.enum.includes(value);
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each))) return false;
  if (Array.isArray(value)) return items === undefined || value.every((each) => fits(each, items));
  if (typeof value === "string") return pattern === undefined || new RegExp(pattern).test(value);
  if (typeof value !== "number") return true;
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  return value >= minimum && value <= maximum && value > exclusiveMinimum;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function read(text: string): object {
  const path = join(temporaryDirectory(), "c.yaml");
  writeFileSync(path, text);
  return readConfig(path);
}

/** Without the name of the file. */
function problems(text: string): string[] {
  try {
    read(text);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n").map((line) => line.replace(/^.*?c\.yaml: /, ""));
  }
}
