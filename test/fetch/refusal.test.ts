import { describe, expect, it } from "vitest";
import {
  createHttpFetcher,
  createRefusals,
  type HttpFetcherOptions,
  parseResolveRule,
  proxySettings,
  withoutCredentials,
} from "../../src/fetch/index.ts";

const NAMES: Readonly<Record<string, string>> = { "public.test": "203.0.113.7", "inside.test": "10.0.0.7" };

const lookup: NonNullable<HttpFetcherOptions["lookup"]> = (host, done) => {
  const address = NAMES[host];
  if (address !== undefined) return done(null, [{ address, family: 4 }]);
  done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }), []);
};

const rule = (...texts: string[]) => ({ resolve: texts.map(parseResolveRule) });
const proxy = (except = "") => ({ proxy: { ...proxySettings("http://p.test:1", {}), except } });

describe("what would be refused", () => {
  it.each<[url: string, options: Partial<HttpFetcherOptions>, failure: string | null]>([
    ["http://203.0.113.1/", {}, "address-refused"],
    ["http://inside.test/", {}, "address-refused"],
    ["http://inside.test/", { allowPrivate: true }, null],
    ["http://inside.test/", { allowPrivate: ["inside.test"] }, null],
    ["http://inside.test/", { allowPrivate: ["side.test"] }, "address-refused"],
    ["http://none.test/", {}, "host-not-found"],
    ["http://none.test/", rule("none.test:8.8.8.8"), null],
    ["http://xnone.test/", rule("none.test:8.8.8.8"), "host-not-found"],
    ["http://a.none.test/", rule("*.none.test:8.8.8.8"), null],
    ["http://none.test/", rule("none.test:127.0.0.1"), "address-refused"],
    ["http://none.test/", rule("none.test:443:8.8.8.8"), "host-not-found"],
    ["https://none.test/", rule("none.test:443:8.8.8.8"), null],
    ["http://none.test/", proxy(), null],
    ["http://none.test/", proxy("none.test"), "host-not-found"],
    ["http://none.test:8080/", proxy("none.test:80"), null],
    ["http://127.0.0.1/", proxy(), "address-refused"],
  ])("%s with %j: %s, as the fetcher itself says", async (url, options, failure) => {
    const refusal = await createRefusals({ lookup, ...options })(new URL(url));
    expect(refusal?.failure ?? null).toBe(failure);
    if (failure === null) return;
    const fetcher = createHttpFetcher({ userAgent: "t", lookup, ...options });
    const reply = await new Promise((done) => fetcher.fetch({ url, purpose: "page" }, done));
    expect(reply).toMatchObject({ kind: "failure", failure, message: refusal?.message });
    await fetcher.close();
  });
});

describe("the user name and password of a proxy", () => {
  it.each([
    ["http://me:secret@p.test:1/", "http://p.test:1/"],
    ["me:secret@p.test:1", "p.test:1"],
    ["http://me:se/cr@et@p.test:1", "http://p.test:1"],
    ["http://p.test:1", "http://p.test:1"],
  ])("%s is shown as %s", (given, shown) => {
    expect(withoutCredentials(given)).toBe(shown);
  });

  it("are in no message", () => {
    expect(() => proxySettings("socks://me:secret@p:1", {})).toThrow(/^proxy socks:\/\/p:1: expected/);
    for (const proxy of ["p:1:me:secret", "http://p:1/secret", "http://me:p@p/secret@p:1"]) {
      expect(() => proxySettings(proxy, {})).toThrow(/^proxy(?! .*secret).*: expected .*without a path/);
    }
  });
});
