/** Where what the user gives may go, by the seeds of the crawl. */
import { expect, it } from "vitest";
import { missingSession, type Secrets, sessionOf } from "../../src/cli/crawl/session.ts";

const NONE: Secrets = { cookies: [], credentials: [], notes: [] };
const seeds = (...urls: string[]) => urls.map((url) => ({ url, weight: 1 / urls.length }));

it("headers go to the hosts of the seeds: from http to https, never from https to http", () => {
  const given = { header: ["X-A: 1", "Accept-Language: de"] };
  const { options, parts, described } = sessionOf(
    given,
    NONE,
    seeds("https://a.example/x", "http://b.example:8080/", "https://a.example/y", "http://c.example/"),
  );
  expect(options.headers?.map(({ origin }) => origin)).toEqual([
    "https://a.example",
    "http://b.example:8080",
    "https://b.example:8080",
    "http://c.example",
    "https://c.example",
  ]);
  expect(options.headers?.[0].headers).toEqual([
    ["x-a", "1"],
    ["accept-language", "de"],
  ]);
  expect(parts).toEqual(["headers"]);
  expect(described).toEqual([
    "headers x-a, accept-language to https://a.example, http://b.example:8080, https://b.example:8080, 2 more",
  ]);
});

it("headers of single hosts go there alone, to http only where a seed has it", () => {
  const hosts = { "A.example": { header: ["X-A: 1"] }, "b.example:8080": { header: ["X-B: 2"], delay: 5 } };
  const { options, parts, described } = sessionOf(
    { hosts },
    NONE,
    seeds("https://a.example/", "http://b.example:8080/"),
  );
  expect(options.headers).toEqual([
    { origin: "https://a.example", headers: [["x-a", "1"]] },
    { origin: "https://b.example:8080", headers: [["x-b", "2"]] },
    { origin: "http://b.example:8080", headers: [["x-b", "2"]] },
  ]);
  expect(parts).toEqual(["headers"]);
  expect(described).toEqual([
    "headers x-a to https://a.example",
    "headers x-b to https://b.example:8080, http://b.example:8080",
  ]);
  expect(() => sessionOf({ hosts: { "a.example": { header: ["Cookie: sid=1"] } } }, NONE, seeds())).toThrow(
    "--header Cookie: others could read a secret",
  );
});

it("a run that is given less than the runs before is told what", () => {
  const before = { session: ["headers", "credentials"] } as const;
  expect(missingSession(before, { parts: ["headers", "credentials", "cookies"] })).toBeUndefined();
  expect(missingSession(undefined, { parts: [] })).toBeUndefined();
  expect(missingSession(before, { parts: ["cookies"] })).toContain(
    "run with --header and --auth-file (or TIDEMARK_AUTH), which are not stored",
  );
});
