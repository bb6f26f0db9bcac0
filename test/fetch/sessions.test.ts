/** What goes to which server, and what of it anybody else learns. Every server notes what it was sent. */
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { GivenCookie, HttpFetcherOptions, SessionOptions } from "../../src/fetch/index.ts";
import { sessionsOf } from "../../src/fetch/sessions.ts";
import { get, getAnswer, listen, newFetcher, pem, rawServer, textOf } from "./servers.ts";

const key = pem("server-key");
const TLS = { key, cert: pem("server") };
const SECRET = "hunter2";

type Seen = Record<string, string | string[] | undefined>;

interface Site {
  readonly port: number;
  readonly seen: Seen[];
}

/** Answers with the headers that `reply` names for a path. */
async function site(kind: "http" | "https" | "http2", reply: (path: string) => Seen = () => ({})): Promise<Site> {
  const seen: Seen[] = [];
  const talk = (request: IncomingMessage, response: ServerResponse): void => {
    seen.push({ ...request.headers });
    for (const [name, value] of Object.entries(reply(request.url ?? ""))) response.setHeader(name, value ?? "");
    response.end("body");
  };
  const server =
    kind === "http"
      ? http.createServer(talk)
      : kind === "https"
        ? https.createServer(TLS, talk)
        : http2.createSecureServer(TLS, (request, response) => talk(request as never, response as never));
  return { port: await listen(server as http.Server), seen };
}

/** Names of any host, on the usual ports, lead to these servers. */
function leadingTo(ports: { readonly http?: number; readonly https?: number }): Partial<HttpFetcherOptions> {
  const rule = (port: number, toPort: number) => ({ host: "*", port, address: "127.0.0.1", toPort });
  return {
    certificates: [pem("ca")],
    resolve: [
      ...(ports.http === undefined ? [] : [rule(80, ports.http)]),
      ...(ports.https === undefined ? [] : [rule(443, ports.https)]),
    ],
    lookup: (_host, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  };
}

const fetcherWith = (sessions: SessionOptions, options: Partial<HttpFetcherOptions> = {}) =>
  newFetcher({ ...options, sessions });

const given = (changes: Partial<GivenCookie> = {}): GivenCookie => ({
  name: "sid",
  value: SECRET,
  domain: "secure.example",
  hostOnly: true,
  path: "/",
  secure: false,
  httpOnly: true,
  expiresMs: null,
  ...changes,
});

describe("given headers", () => {
  it("go to the origins that they are for, and replace our own", async () => {
    const [mine, other] = [await site("http"), await site("http")];
    const headers = [
      ["x-key", SECRET],
      ["accept", "text/plain"],
    ] as const;
    const fetcher = fetcherWith({ headers: [{ origin: `http://127.0.0.1:${mine.port}`, headers }] });
    const { withheld } = await getAnswer(fetcher, `http://127.0.0.1:${mine.port}/`);
    await getAnswer(fetcher, `http://127.0.0.1:${other.port}/`);
    await getAnswer(fetcher, `http://localhost:${mine.port}/`);
    expect(mine.seen.map((sent) => [sent["x-key"], sent["accept"]])).toEqual([
      [SECRET, "text/plain"],
      [undefined, expect.stringContaining("text/html")],
    ]);
    expect(other.seen.map((sent) => sent["x-key"])).toEqual([undefined]);
    expect(withheld).toEqual({ request: ["x-key", "accept"], response: [] });
  });

  it("that are credentials make a session too", async () => {
    const { port } = await site("http", () => ({ "set-cookie": SECRET }));
    const origin = `http://127.0.0.1:${port}`;
    const headers = [["authorization", `Bearer ${SECRET}`]] as const;
    const answer = await getAnswer(fetcherWith({ headers: [{ origin, headers }] }), `${origin}/`);
    expect(answer.withheld).toEqual({ request: ["authorization"], response: ["set-cookie"] });
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  it("of several rules for an origin all go there", async () => {
    const { port, seen } = await site("http");
    const origin = `http://127.0.0.1:${port}`;
    const rule = (name: string) => ({ origin, headers: [[name, "1"]] as const });
    await getAnswer(fetcherWith({ headers: [rule("x-a"), rule("x-b")] }), `${origin}/`);
    expect(seen).toMatchObject([{ "x-a": "1", "x-b": "1" }]);
  });
});

describe("credentials", () => {
  const basic = (user: string, secret: string) =>
    `Basic ${Buffer.from(`${user}:${secret}`, "utf8").toString("base64")}`;

  it("go to their origin alone: no other scheme, host or port", async () => {
    const [safe, plain] = [await site("https"), await site("http")];
    const credentials = [{ origin: "https://secure.example", user: "j\u00f6", secret: `${SECRET} ` }];
    const fetcher = fetcherWith({ credentials }, leadingTo({ https: safe.port, http: plain.port }));
    const answer = await getAnswer(fetcher, "https://secure.example/");
    await getAnswer(fetcher, "https://a.secure.example/");
    await getAnswer(fetcher, `https://secure.example:${safe.port}/`);
    await getAnswer(fetcher, "http://secure.example/");
    expect(safe.seen.map((sent) => sent["authorization"])).toEqual([
      basic("j\u00f6", `${SECRET} `),
      undefined,
      undefined,
    ]);
    expect(plain.seen.map((sent) => sent["authorization"])).toEqual([undefined]);
    expect(answer.withheld?.request).toEqual(["authorization"]);
  });

  it("go over HTTP/2 as well", async () => {
    const { port, seen } = await site("http2", () => ({ "set-cookie": [`sid=${SECRET}`, "b=1"] }));
    const origin = `https://127.0.0.1:${port}`;
    const sessions = { credentials: [{ origin, user: "me", secret: SECRET }], keepsCookies: true };
    const fetcher = fetcherWith(sessions, { certificates: [pem("ca")] });
    const answer = await getAnswer(fetcher, `${origin}/`);
    await getAnswer(fetcher, `${origin}/a`);
    expect(seen).toMatchObject([
      { authorization: basic("me", SECRET) },
      { authorization: basic("me", SECRET), cookie: `sid=${SECRET}; b=1` },
    ]);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(answer.withheld).toEqual({ request: ["authorization"], response: ["set-cookie"] });
  });

  it("are not sent where they would log out, nor are cookies", async () => {
    const { port, seen } = await site("http");
    const origin = `http://127.0.0.1:${port}`;
    const sessions = {
      credentials: [{ origin, user: "me", secret: SECRET }],
      cookies: [given({ domain: "127.0.0.1" })],
      cookieOrigins: [origin],
    };
    const fetcher = fetcherWith(sessions);
    for (const path of ["/robots.txt", "/logout"]) await getAnswer(fetcher, `${origin}${path}`, { purpose: "robots" });
    expect(seen.map((sent) => [sent["authorization"], sent["cookie"]])).toEqual([
      [basic("me", SECRET), `sid=${SECRET}`],
      [undefined, undefined],
    ]);
  });
});

describe("cookies", () => {
  it("that a redirect sets are sent from then on, to that host and port alone", async () => {
    const other = await site("http");
    const mine = await site("http", (path) =>
      path === "/in" ? { location: "/", "set-cookie": [`sid=${SECRET}; HttpOnly`, "x=1; Path=/a"] } : {},
    );
    const fetcher = fetcherWith({ keepsCookies: true });
    const { headers, head, withheld } = await getAnswer(fetcher, `http://127.0.0.1:${mine.port}/in`);
    await getAnswer(fetcher, `http://127.0.0.1:${mine.port}/a/b`);
    await getAnswer(fetcher, `http://127.0.0.1:${mine.port}/`);
    await getAnswer(fetcher, `http://127.0.0.1:${other.port}/`);
    await getAnswer(fetcher, `http://localhost:${mine.port}/`);
    const sent = [undefined, `x=1; sid=${SECRET}`, `sid=${SECRET}`, undefined];
    expect(mine.seen.map(({ cookie }) => cookie)).toEqual(sent);
    expect(other.seen.map(({ cookie }) => cookie)).toEqual([undefined]);
    // Both lines are there, and empty.
    expect(headers["set-cookie"]).toBe("");
    expect(head?.headers.filter((name, i) => i % 2 === 0 && /^set-cookie$/i.test(name))).toHaveLength(2);
    expect(JSON.stringify({ headers, head })).not.toContain(SECRET);
    expect(withheld).toEqual({ request: [], response: ["set-cookie"] });
  });

  it("are neither kept nor blank without a session", async () => {
    const { port, seen } = await site("http", () => ({ "set-cookie": "a=1" }));
    const fetcher = fetcherWith({ headers: [{ origin: `http://127.0.0.1:${port}`, headers: [["x", "1"]] }] });
    const { headers } = await getAnswer(fetcher, `http://127.0.0.1:${port}/`);
    await getAnswer(fetcher, `http://127.0.0.1:${port}/`);
    expect([headers["set-cookie"], seen[1]["cookie"]]).toEqual(["a=1", undefined]);
  });

  it("that came over https never go over http, though they are not marked Secure", async () => {
    const set = () => ({ "set-cookie": "sid=1; Domain=secure.example" });
    const [safe, plain] = [await site("https", set), await site("http")];
    const fetcher = fetcherWith({ keepsCookies: true }, leadingTo({ https: safe.port, http: plain.port }));
    for (const url of ["https://a.secure.example/", "http://a.secure.example/", "https://b.secure.example/"]) {
      await getAnswer(fetcher, url);
    }
    expect(plain.seen.map(({ cookie }) => cookie)).toEqual([undefined]);
    expect(safe.seen.map(({ cookie }) => cookie)).toEqual([undefined, "sid=1"]);
  });

  it("that are marked Secure never go over http, not even on this machine", async () => {
    const { port, seen } = await site("http", () => ({ "set-cookie": ["a=1; Secure", "b=1"] }));
    const origin = `http://127.0.0.1:${port}`;
    const cookies = [given({ domain: "127.0.0.1", secure: true })];
    const fetcher = fetcherWith({ cookies, cookieOrigins: [origin] });
    for (const path of ["/", "/"]) await getAnswer(fetcher, `${origin}${path}`);
    expect(seen.map(({ cookie }) => cookie)).toEqual([undefined, "b=1"]);
  });

  it("for a public suffix or another domain are refused", async () => {
    const set: Readonly<Record<string, string[]>> = {
      "/co": ["a=1; Domain=co.uk"],
      "/io": ["b=1; Domain=github.io"],
      "/other": ["c=1; Domain=example.com"],
      "/own": ["d=1; Domain=x.co.uk"],
    };
    const plain = await site("http", (path) => (path in set ? { "set-cookie": set[path] } : {}));
    const fetcher = fetcherWith({ keepsCookies: true }, leadingTo({ http: plain.port }));
    const setting = ["http://x.co.uk/co", "http://x.github.io/io", "http://x.co.uk/other", "http://x.co.uk/own"];
    const asking = ["http://y.co.uk/", "http://y.github.io/", "http://example.com/", "http://a.x.co.uk/"];
    for (const url of [...setting, ...asking]) await getAnswer(fetcher, url);
    const sent = plain.seen.slice(setting.length).map(({ host, cookie }) => [host, cookie]);
    expect(sent).toEqual([
      ["y.co.uk", undefined],
      ["y.github.io", undefined],
      ["example.com", undefined],
      ["a.x.co.uk", "d=1"],
    ]);
  });

  it("expire", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1e12 });
    onTestFinished(() => void vi.useRealTimers());
    const { port, seen } = await site("http", (path) =>
      path === "/in"
        ? { "set-cookie": ["a=1; Max-Age=60", "b=1; Max-Age=0", "c=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"] }
        : {},
    );
    const origin = `http://127.0.0.1:${port}`;
    const cookies = [given({ domain: "127.0.0.1", expiresMs: 1e12 + 60_000 })];
    const fetcher = fetcherWith({ cookies, cookieOrigins: [origin] });
    await getAnswer(fetcher, `${origin}/in`);
    await getAnswer(fetcher, `${origin}/`);
    vi.setSystemTime(1e12 + 61_000);
    await getAnswer(fetcher, `${origin}/`);
    expect(seen.map(({ cookie }) => cookie)).toEqual([`sid=${SECRET}`, `sid=${SECRET}; a=1`, undefined]);
  });
});

describe("given cookies", () => {
  it("go to https on its usual port, and elsewhere only as far as origins are named", async () => {
    const [safe, plain] = [await site("https"), await site("http")];
    const options = leadingTo({ https: safe.port, http: plain.port });
    const fetcher = fetcherWith({ cookies: [given({ hostOnly: false })], cookieOrigins: [] }, options);
    const urls = ["https://secure.example/", "https://a.secure.example/", `https://secure.example:${safe.port}/`];
    for (const url of [...urls, "http://secure.example/"]) await getAnswer(fetcher, url);
    expect(safe.seen.map(({ cookie }) => cookie)).toEqual([`sid=${SECRET}`, `sid=${SECRET}`, undefined]);
    expect(plain.seen.map(({ cookie }) => cookie)).toEqual([undefined]);

    const named = ["http://secure.example", `http://secure.example:${plain.port}`];
    const cookies = [given({ hostOnly: false }), given({ name: "safe", secure: true })];
    const wide = fetcherWith({ cookies, cookieOrigins: named }, options);
    for (const origin of named) await getAnswer(wide, `${origin}/`);
    await getAnswer(wide, "http://example.com/");
    expect(plain.seen.slice(1).map(({ cookie }) => cookie)).toEqual([`sid=${SECRET}`, `sid=${SECRET}`, undefined]);
  });

  describe.each([
    ["http", ["http://www.site.example", "https://www.site.example"]],
    ["http and https", ["http://www.site.example", "https://www.site.example", "https://safe.site.example"]],
    ["other ports", ["http://www.site.example:8080", "https://www.site.example:8080", "https://www.site.example:8443"]],
  ])("of a domain, with seeds of %s", (_which, cookieOrigins) => {
    const cookies = [given({ domain: "site.example", hostOnly: false })];
    const hosts = ["site.example", "www.site.example", "safe.site.example", "shop.site.example"];
    const urls = ["http", "https"].flatMap((scheme) =>
      hosts.flatMap((host) => ["", ":8080", ":8443"].map((port) => `${scheme}://${host}${port}/`)),
    );
    const isUsual = (url: string): boolean => url.startsWith("https:") && new URL(url).port === "";

    it("go to https on its usual port and to these origins, and to no other host, scheme or port", () => {
      const sessions = sessionsOf({ cookies, cookieOrigins });
      const reached = urls.filter((url) => sessions?.of(new URL(url))?.headers.includes("cookie"));
      const expected = urls.filter((url) => isUsual(url) || cookieOrigins.includes(new URL(url).origin));
      expect(reached).toEqual(expected);
    });

    it("and marked Secure go nowhere over http", () => {
      const sessions = sessionsOf({ cookies: cookies.map((each) => ({ ...each, secure: true })), cookieOrigins });
      const reached = urls.filter((url) => sessions?.of(new URL(url))?.headers.includes("cookie"));
      expect(reached).toEqual(
        urls.filter((url) => isUsual(url) || (url.startsWith("https:") && cookieOrigins.includes(url.slice(0, -1)))),
      );
    });
  });

  it("are the host's own as soon as it sets them", async () => {
    const plain = await site("http", (path) => (path === "/in" ? { "set-cookie": "sid=new; Domain=x.example" } : {}));
    const cookies = [given({ domain: "x.example", hostOnly: false })];
    const fetcher = fetcherWith({ cookies, cookieOrigins: ["http://www.x.example"] }, leadingTo({ http: plain.port }));
    for (const url of ["http://shop.x.example/", "http://www.x.example/in", "http://shop.x.example/"]) {
      await getAnswer(fetcher, url);
    }
    expect(plain.seen.map(({ cookie }) => cookie)).toEqual([undefined, `sid=${SECRET}`, "sid=new"]);
  });

  it("for one host go to no host below it, and for a public suffix neither", async () => {
    const plain = await site("http");
    const origins = ["http://x.example", "http://a.x.example", "http://co.uk", "http://x.co.uk"];
    const cookies = [given({ domain: "x.example" }), given({ domain: "co.uk", hostOnly: false })];
    const fetcher = fetcherWith({ cookies, cookieOrigins: origins }, leadingTo({ http: plain.port }));
    for (const origin of origins) await getAnswer(fetcher, `${origin}/`);
    expect(plain.seen.map(({ cookie }) => cookie !== undefined)).toEqual([true, false, true, false]);
  });

  it("are renewed by their host, while other hosts have no jar", async () => {
    const { port, seen } = await site("http", () => ({ "set-cookie": "sid=new" }));
    const origin = `http://127.0.0.1:${port}`;
    const fetcher = fetcherWith({ cookies: [given({ domain: "127.0.0.1" })], cookieOrigins: [origin] });
    for (const host of ["127.0.0.1", "127.0.0.1", "localhost", "localhost"]) {
      const { headers } = await getAnswer(fetcher, `http://${host}:${port}/`);
      expect(headers["set-cookie"]).toBe(host === "localhost" ? "sid=new" : "");
    }
    expect(seen.map(({ cookie }) => cookie)).toEqual([`sid=${SECRET}`, "sid=new", undefined, undefined]);
  });
});

describe("a proxy", () => {
  it("learns nothing of what goes to a site over https, and the site nothing of the proxy's password", async () => {
    const safe = await site("https");
    const asked: Seen[] = [];
    const port = await listen(
      http.createServer().on("connect", ({ headers }: IncomingMessage, socket: net.Socket) => {
        asked.push({ ...headers });
        const onward = net.connect(safe.port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
        onward
          .on("error", () => {})
          .pipe(socket)
          .pipe(onward);
      }),
    );
    const uri = `http://proxy:${SECRET}-2@127.0.0.1:${port}`;
    const origin = "https://secure.example";
    const sessions = { credentials: [{ origin, user: "me", secret: SECRET }], cookies: [given()] };
    const fetcher = fetcherWith(sessions, { certificates: [pem("ca")], proxy: { http: uri, https: uri, except: "" } });
    await getAnswer(fetcher, `${origin}/`);
    expect(safe.seen).toMatchObject([{ authorization: expect.stringContaining("Basic "), cookie: `sid=${SECRET}` }]);
    expect(safe.seen[0]).not.toHaveProperty("proxy-authorization");
    const password = `Basic ${Buffer.from(`proxy:${SECRET}-2`).toString("base64")}`;
    expect(asked).toMatchObject([{ "proxy-authorization": password }]);
    expect(asked[0]).not.toHaveProperty("authorization");
    expect(asked[0]).not.toHaveProperty("cookie");
  });

  it.each(["http", "https"])("that does not work is named without its password, for %s", async (scheme) => {
    const port = await rawServer((socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
    for (const place of [port, 1]) {
      const uri = `http://me:${SECRET}@127.0.0.1:${place}`;
      const fetcher = newFetcher({ proxy: { http: uri, https: uri, except: "" } });
      const notes: string[] = [];
      fetcher.onNote?.((note) => notes.push(note));
      const reply = await get(fetcher, `${scheme}://a.example/`);
      const message = expect.stringContaining(`the proxy does not work (http://127.0.0.1:${place}`);
      expect(reply).toMatchObject({ kind: "failure", failure: "aborted", message });
      if (place === port) expect(notes).toEqual([expect.stringContaining("does not accept its user name")]);
      const basic = Buffer.from(`me:${SECRET}`).toString("base64");
      for (const secret of [SECRET, basic]) expect(JSON.stringify([reply, notes])).not.toContain(secret);
    }
  });
});

it("a reply of a host with credentials is otherwise as it came", async () => {
  const { port } = await site("http", () => ({ "X-Other": "1", "set-cookie": SECRET, location: "/a" }));
  const origin = `http://127.0.0.1:${port}`;
  const answer = await getAnswer(fetcherWith({ credentials: [{ origin, user: "u", secret: "s" }] }), `${origin}/`);
  expect(answer).toMatchObject({ status: 200, headers: { "x-other": "1", location: "/a", "set-cookie": "" } });
  expect(answer.head?.headers).toContain("X-Other");
  expect(textOf(answer)).toBe("body");
});
