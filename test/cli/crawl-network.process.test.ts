/**
 * How `tidemark crawl` uses the network: which hosts it refuses before anything is created, and what of a proxy is
 * kept.
 */
import { createServer, type IncomingMessage } from "node:http";
import { chmodSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { crawl, type CrawlOptions, crawlSettings, liveProxy, type NetworkSettings } from "../../src/crawl/index.ts";
import { startDnsServer } from "../support/dns-server.ts";
import { linesOf } from "./demo-web.ts";
import { Folder } from "./run.ts";

const DIRECT = { no_proxy: "*" };

function networkSettings(options: CrawlOptions, network?: NetworkSettings): NetworkSettings {
  const begun = crawlSettings({ scope: "any" }, { seeds: [] });
  return crawlSettings(options, {
    seeds: [],
    before: network === undefined ? undefined : { ...begun, network },
  }).network;
}

describe("seeds that would be refused when they are fetched", () => {
  it.each<[seed: string, args: readonly string[], message: string]>([
    [
      "http://xa.example.invalid/",
      ["--resolve", "a.example.invalid:127.0.0.1", "--allow-private"],
      "the seed host xa.example.invalid cannot be found",
    ],
    [
      "http://a.example.invalid/",
      ["--resolve", "a.example.invalid:127.0.0.1"],
      "the seed host a.example.invalid resolves to 127.0.0.1, which is not a public address",
    ],
    [
      "http://a.example.invalid/",
      ["--resolve", "a.example.invalid:443:127.0.0.1", "--allow-private"],
      "the seed host a.example.invalid cannot be found",
    ],
    ["http://a.example.invalid/", ["--proxy", "http://127.0.0.1:9"], "the seed host a.example.invalid cannot be found"],
    ["http://127.0.0.1:1/", ["--allow-private-host", "localhost"], "the seed host 127.0.0.1 is not a public address"],
  ])("%s %j", async (seed, args, message) => {
    const folder = new Folder();
    const { code, stderr } = await folder.runWith(DIRECT, ["crawl", seed, ...args]);
    expect(stderr).toContain(message);
    expect({ code, files: folder.names() }).toEqual({ code: 2, files: [] });
  });

  it("are not refused where their host alone may be private", async () => {
    const folder = new Folder();
    const port = await answering(() => ({ status: 404, body: "" }));
    const seed = `http://a.example.invalid:${port}/`;
    const args = ["--resolve", "*:127.0.0.1", "--allow-private-host", "A.example.invalid", "--dir", "c", "--json"];
    const { code, stdout } = await folder.runWith(DIRECT, ["crawl", seed, ...args]);
    expect({ code, end: linesOf(stdout).at(-1) }).toMatchObject({
      // Not a single page came of it.
      code: 1,
      end: { dead: 1, resumed: false },
    });
  });

  it.each(["http://a.test", "a.test:80", "a b", "*", "a.*.test", ""])("--allow-private-host %j is no host", (name) => {
    expect(() => networkSettings({ allowPrivateHost: [name] })).toThrow(/expected the name of a host/);
  });

  it.each([
    ["Router.Local", "router.local"],
    ["*.lan", "*.lan"],
    ["::1", "[::1]"],
    ["10.0.0.1", "10.0.0.1"],
  ])("--allow-private-host %s means %s", (name, host) => {
    expect(networkSettings({ allowPrivateHost: [name] }).allowPrivate).toEqual([host]);
  });
});

describe("a name server", () => {
  it.each(["direct", "system", "9.9.9.9", "127.0.0.1:5353", "[::1]", "[2620:fe::fe]:53"])("--dns %s is kept", (dns) => {
    expect(networkSettings({ dns })).toMatchObject({ dns });
    expect(networkSettings({}, networkSettings({ dns }))).toMatchObject({ dns });
  });

  it.each(["dns.example", "localhost:53", "9.9.9.9:0", "9.9.9.9:65536", "::1", "[9.9.9.9]", "none", ""])(
    "--dns %j is refused",
    (dns) => {
      expect(() => networkSettings({ dns })).toThrow(/Expected direct, system or the IP address of a name server/);
    },
  );

  it("of one's own leads a crawl across hosts: what is missing is dead, what fails has failed", async () => {
    const folder = new Folder();
    const port = await answering(({ url, headers }) => {
      if (url === "/robots.txt") return { status: 404, body: "" };
      const hosts = headers.host?.startsWith("a.") ? ["b.web.test", "xn--bcher-kva.web.test", "no.web.test"] : [];
      return { status: 200, body: hosts.map((host) => `<a href="http://${host}:${port}/">${host}</a>`).join("") };
    });
    const names = await startDnsServer(({ name, over }) => {
      if (name === "no.web.test") return { failure: "NXDOMAIN" };
      if (name === "b.web.test") return { addresses: ["127.0.0.1"], truncated: over === "udp" };
      return name.endsWith(".web.test") ? { addresses: ["127.0.0.1"], ttl: 0 } : { failure: "SERVFAIL" };
    });
    onTestFinished(() => names.close());
    const seed = `http://a.web.test:${port}/`;
    const args = ["--dns", names.address, "--allow-private", "--scope", "any", "--delay", "0", "--json"];
    const { code, stdout } = await folder.runWith(DIRECT, ["crawl", seed, ...args, "--max-pages", "3", "--dir", "c"]);
    expect({ code, end: linesOf(stdout).at(-1) }).toMatchObject({ code: 0, end: { pages: 3, reason: "page-limit" } });
    expect(new Set(names.questions.map(({ name }) => name))).toEqual(
      new Set(["a.web.test", "b.web.test", "xn--bcher-kva.web.test", "no.web.test"]),
    );
    const { stderr } = await folder.runWith(DIRECT, ["crawl", "http://fail.test/", ...args, "--dir", "d"]);
    expect(stderr).toContain("the seed host fail.test cannot be found: the name server gives no address");
    const missing = await folder.runWith(DIRECT, ["crawl", "http://no.web.test/", ...args, "--dir", "d"]);
    expect(missing.stderr).toContain("the seed host no.web.test cannot be found: there is no such host");
  });
});

describe("a proxy", () => {
  const SECRET = "http://me:secret@p.test:8080";
  const first = networkSettings({ proxy: SECRET });

  it("is kept without user name and password", () => {
    expect(first).toMatchObject({ proxy: "http://p.test:8080", proxyHasUser: true });
    expect(JSON.stringify(first)).not.toContain("secret");
    expect(liveProxy(first, SECRET, {}).https).toBe("http://me:secret@p.test:8080/");
  });

  it("needs them again when the crawl is resumed, and takes them from the environment", () => {
    const again = networkSettings({}, first);
    expect(again).toEqual(first);
    expect(() => liveProxy(again, undefined, {})).toThrow(
      "the proxy http://p.test:8080 needs a user name and password, which are not kept",
    );
    expect(() => liveProxy(again, undefined, { https_proxy: "http://me:secret@q.test:8080" })).toThrow();
    const environment = { HTTPS_PROXY: "me:other@p.test:8080", no_proxy: "x.test" };
    expect(liveProxy(again, undefined, environment)).toEqual({
      http: "http://me:other@p.test:8080/",
      https: "http://me:other@p.test:8080/",
      except: "x.test",
    });
  });

  it("that an older version kept whole is kept without them from now on", () => {
    const old = { ...networkSettings({}), proxy: SECRET };
    expect(networkSettings({}, old)).toEqual(first);
    expect(liveProxy(networkSettings({}, old), SECRET, {}).http).toContain("me:secret@");
  });

  it("none takes it away, and that of the environment too", () => {
    const none = networkSettings({ proxy: "none" }, first);
    expect(none.proxyHasUser).toBeUndefined();
    expect(liveProxy(none, undefined, { https_proxy: SECRET, all_proxy: SECRET })).toMatchObject({
      http: null,
      https: null,
    });
  });

  it("and addresses by hand exclude each other, also those that the crawl was begun with", () => {
    const ruled = networkSettings({ resolve: ["a.test:8.8.8.8"] });
    expect(() => networkSettings({ proxy: "http://p.test:1" }, ruled)).toThrow(/started with --resolve/);
    expect(() => networkSettings({ resolve: ["a.test:8.8.8.8"] }, first)).toThrow(/started with --proxy/);
    expect(networkSettings({ proxy: "http://p.test:1", resolve: ["none"] }, ruled).resolve).toEqual([]);
    expect(networkSettings({ proxy: "none", resolve: ["a.test:8.8.8.8"] }, first).resolve).toHaveLength(1);
  });

  it("is used with its password, which neither --dry-run nor the directory shows", async () => {
    const seen: (string | undefined)[] = [];
    const port = await answering(({ headers }) => {
      seen.push(headers["proxy-authorization"]);
      return { status: 200, body: "<p>hello" };
    });
    const proxy = `http://me:secret@127.0.0.1:${port}`;
    const folder = new Folder({ "c.yaml": `proxy: ${proxy}\n` });
    chmodSync(folder.at("c.yaml"), 0o644);
    const args = ["crawl", "http://www.example.test/", "--config", "c.yaml", "--delay", "0"];
    for (const more of [["--dry-run"], ["--dry-run", "--json"], ["--dir", "c", "--json"]]) {
      const { code, stdout, stderr } = await folder.runWith({ no_proxy: "" }, [...args, ...more]);
      expect({ code, shown: `${stdout}${stderr}` }).toEqual({
        code: 0,
        shown: expect.not.stringContaining("secret"),
      });
      expect(stderr).toContain("c.yaml: other users of this machine can read this file");
    }
    expect(new Set(seen)).toEqual(new Set([`Basic ${Buffer.from("me:secret").toString("base64")}`]));
    expect(readFileSync(folder.at("c/crawl.sqlite")).includes("secret")).toBe(false);
    const resumed = await folder.runWith({ no_proxy: "" }, ["crawl", "--dir", "c"]);
    expect(resumed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("put http://USER:PASSWORD@HOST:PORT into the variable https_proxy"),
    });
    const known = await folder.runWith({ no_proxy: "", https_proxy: proxy }, ["crawl", "--dir", "c"]);
    expect(known.code).toBe(0);
  });

  it("of a program is used with its password", async () => {
    vi.stubEnv("no_proxy", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    const seen: (string | undefined)[] = [];
    const port = await answering(({ headers }) => {
      seen.push(headers["proxy-authorization"]);
      return { status: 200, body: "<p>hello" };
    });
    const pages = crawl("http://www.example.test/", {
      proxy: `http://me:secret@127.0.0.1:${port}`,
      readers: 0,
      delay: 0,
      sitemaps: false,
    });
    for await (const { status } of pages) expect(status).toBe(200);
    expect(new Set(seen)).toEqual(new Set([`Basic ${Buffer.from("me:secret").toString("base64")}`]));
  });

  it.each([
    "http://me:secret@p.test:8080",
    "me:secret@p.test:8080",
    "http://secret@p.test:8080",
    "http://secret:@p.test",
  ])("that is an argument has no user name and password: %s", async (proxy) => {
    const folder = new Folder();
    for (const given of [["--proxy", proxy], [`--proxy=${proxy}`]]) {
      const { code, stderr } = await folder.run(["crawl", "http://www.example.test/", "--dir", "c", ...given]);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^tidemark: --proxy: others could read .* --proxy-file, or into the variables https_proxy/,
      );
      expect(stderr).not.toContain("secret");
    }
    expect(folder.names()).toEqual([]);
  });
});

async function answering(answer: (request: IncomingMessage) => { status: number; body: string }): Promise<number> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request);
    response.writeHead(status, { "content-type": "text/html" }).end(body);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
