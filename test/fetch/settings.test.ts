import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { createHttpFetcher, parseResolveRule, proxySettings, systemCertificates } from "../../src/fetch/index.ts";
import { proxiesFor } from "../../src/fetch/proxies.ts";
import { ruleFor } from "../../src/fetch/guarded-resolver.ts";
import { pem } from "./servers.ts";

describe("--resolve", () => {
  it.each<[text: string, host: string, port: number | null, address: string, toPort: number | null]>([
    ["a.example:127.0.0.1", "a.example", null, "127.0.0.1", null],
    ["A.example:127.0.0.1:8080", "a.example", null, "127.0.0.1", 8080],
    ["a.example:443:127.0.0.1", "a.example", 443, "127.0.0.1", null],
    ["a.example:443:127.0.0.1:8443", "a.example", 443, "127.0.0.1", 8443],
    ["a.example:[::1]", "a.example", null, "::1", null],
    ["a.example:443:[2001:db8::1]:8443", "a.example", 443, "2001:db8::1", 8443],
    ["*:127.0.0.1", "*", null, "127.0.0.1", null],
  ])("%s", (text, host, port, address, toPort) => {
    expect(parseResolveRule(text)).toEqual({ host, port, address, toPort });
  });

  it.each([
    "",
    "a.example",
    "a.example:",
    "a.example:b.example",
    "a.example:443",
    "a.example:::1",
    "a.example:0:127.0.0.1",
    "a.example:127.0.0.1:65536",
    "a.example:[127.0.0.1]",
    ":127.0.0.1",
    "a.example:127.0.0.1:80:90",
  ])("%j is refused with an example of what is meant", (text) => {
    expect(() => parseResolveRule(text)).toThrow(UsageError);
    expect(() => parseResolveRule(text)).toThrow(/www\.example\.org:127\.0\.0\.1:8080/);
  });

  it("takes the first rule that fits host and port", () => {
    const rules = ["a.example:443:10.0.0.1", "*.example:10.0.0.2", "*:10.0.0.3"].map(parseResolveRule);
    const address = (host: string, port: number): string | undefined => ruleFor(rules, host, port)?.address;
    expect(address("a.example", 443)).toBe("10.0.0.1");
    expect(address("a.example", 80)).toBe("10.0.0.2");
    expect(address("example", 80)).toBe("10.0.0.3");
    expect(ruleFor(rules.slice(0, 2), "b.test", 80)).toBeUndefined();
  });
});

describe("proxy settings", () => {
  const proxyOf = (url: string, given: string | undefined, environment: Record<string, string>): string | null =>
    proxiesFor(proxySettings(given, environment), new URL(url))[0] ?? null;

  it.each<[url: string, given: string | undefined, environment: Record<string, string>, expected: string | null]>([
    ["http://a.example/", undefined, {}, null],
    ["http://a.example/", "p:3128", {}, "http://p:3128/"],
    ["https://a.example/", "https://p/", { https_proxy: "http://q/" }, "https://p/"],
    ["http://a.example/", undefined, { http_proxy: "http://q/" }, "http://q/"],
    ["http://a.example/", undefined, { HTTP_PROXY: "http://q/" }, null],
    ["https://a.example/", undefined, { http_proxy: "http://q/" }, null],
    ["https://a.example/", undefined, { HTTPS_PROXY: "http://q/" }, "http://q/"],
    ["https://a.example/", undefined, { ALL_PROXY: "http://q/" }, "http://q/"],
    ["http://a.example/", undefined, { http_proxy: "" }, null],
    ["http://a.example/", "http://p/", { no_proxy: "*" }, null],
    ["http://a.example/", "http://p/", { no_proxy: "b.example, a.example" }, null],
    ["http://a.example/", "http://p/", { NO_PROXY: "example" }, null],
    ["http://a.example/", "http://p/", { no_proxy: ".example" }, null],
    ["http://a.example/", "http://p/", { no_proxy: "xample" }, "http://p/"],
    ["http://a.example/", "http://p/", { no_proxy: "a.example:80" }, null],
    ["https://a.example/", "http://p/", { no_proxy: "a.example:80" }, "http://p/"],
  ])("%s with --proxy %s and %j go through %s", (url, given, environment, expected) => {
    expect(proxyOf(url, given, environment)).toBe(expected);
  });

  it.each(["ftp://p/", "socks5://p/", "http://", "a b"])("%j is refused", (proxy) => {
    expect(() => proxySettings(proxy, {})).toThrow(UsageError);
  });
});

describe("certificates", () => {
  const ca = fileURLToPath(new URL("certificates/ca.pem", import.meta.url));

  it("are read from where the environment says; what is not there is no error", () => {
    expect(systemCertificates({ SSL_CERT_FILE: ca, NODE_EXTRA_CA_CERTS: ca })).toEqual([pem("ca"), pem("ca")]);
    expect(systemCertificates({ SSL_CERT_FILE: "/does/not/exist", NODE_EXTRA_CA_CERTS: "/does/not/exist" })).toEqual(
      [],
    );
  });

  it.each(["", "no certificate", "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----"])(
    "of which %j is none are refused at once",
    (text) => {
      expect(() => createHttpFetcher({ userAgent: "t", certificates: [text] })).toThrow(UsageError);
    },
  );
});
