/** Where what the user gives may go, by the seeds of the crawl. */
import { expect, it } from "vitest";
import { sessionReach } from "../../src/cli/crawl/session-reach.ts";
import { missingSession, type Secrets, sessionOf } from "../../src/cli/crawl/session.ts";
import { crawlSettings } from "../../src/crawl/index.ts";
import type { SessionOptions } from "../../src/fetch/index.ts";
import type { ScopeKind } from "../../src/web/index.ts";

const NONE: Secrets = { cookies: [], credentials: [], notes: [] };
const reach = (options: SessionOptions, seed: string, scope: ScopeKind = "host") =>
  sessionReach(options, crawlSettings({ urls: [seed], scope }));
const seeds = (...urls: string[]) => urls.map((url) => ({ url, weight: 1 / urls.length }));

it("headers go to the hosts of the seeds: from http to https, never from https to http", () => {
  const given = { header: ["X-A: 1", "Accept-Language: de"] };
  const { options, parts } = sessionOf(
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
  expect(reach(options, "https://a.example/").described).toEqual([
    "headers x-a, accept-language to https://a.example, http://b.example:8080, https://b.example:8080, 2 more",
  ]);
});

it("headers of single hosts go there alone, to http only where a seed has it", () => {
  const hosts = { "A.example": { header: ["X-A: 1"] }, "b.example:8080": { header: ["X-B: 2"], delay: 5 } };
  const { options, parts } = sessionOf({ hosts }, NONE, seeds("https://a.example/", "http://b.example:8080/"));
  expect(options.headers).toEqual([
    { origin: "https://a.example", headers: [["x-a", "1"]] },
    { origin: "https://b.example:8080", headers: [["x-b", "2"]] },
    { origin: "http://b.example:8080", headers: [["x-b", "2"]] },
  ]);
  expect(parts).toEqual(["headers"]);
  expect(reach(options, "https://a.example/").described).toEqual([
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

const credential = (origin: string) => ({ origin, user: "me", secret: "x" });
const cookie = (domain: string, hostOnly = true) => {
  return { name: "a", value: "b", path: "/", secure: true, httpOnly: true, expiresMs: null, domain, hostOnly };
};

it("credentials for a host where no seed is are told of, and not shown as sent", () => {
  const options = { credentials: [credential("https://a.example"), credential("https://other.example")] };
  const { described, notes } = reach(options, "https://a.example/");
  expect(described).toEqual([
    "credentials for https://a.example",
    "credentials for https://other.example, where no seed is",
  ]);
  expect(notes).toEqual([
    "--auth-file (or TIDEMARK_AUTH) names https://other.example, but no seed is there: they are used only if one leads there",
  ]);
  expect(reach(options, "https://a.example/", "any").notes).toEqual([]);
});

it("another port is another place; an http seed may lead to https, and gets nothing itself", () => {
  const options = { credentials: [credential("https://a.example")] };
  expect(reach(options, "http://a.example/").notes).toEqual([
    "--auth-file (or TIDEMARK_AUTH) names https://a.example, but the seed is at http: they are used only if it leads to " +
      "https. Begin the line with http:// to send them unencrypted",
  ]);
  const both = { credentials: [...options.credentials, credential("http://a.example")] };
  expect(reach(both, "http://a.example/").notes).toEqual([]);
  expect(reach(options, "https://a.example/").notes).toEqual([]);
  expect(reach(options, "http://a.example:8080/").notes).toHaveLength(1);
});

it("cookies are told of where none of them goes to a seed", () => {
  const both = { cookies: [cookie("www.a.example"), cookie("other.example")] };
  expect(reach(both, "https://www.a.example/")).toEqual({
    described: ["1 cookie of www.a.example", "1 cookie of hosts where no seed is"],
    notes: [],
  });
  const above = (hostOnly: boolean) => reach({ cookies: [cookie("a.example", hostOnly)] }, "https://www.a.example/");
  expect(above(false).notes).toEqual([]);
  expect(above(true).notes).toEqual([
    "--cookie-file has 1 cookie of a.example, but no seed is there: they are used only if one leads there",
  ]);
  expect(reach({ cookies: [cookie("app.a.example")] }, "https://www.a.example/", "domain").notes).toEqual([]);
});
