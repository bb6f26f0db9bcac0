import { createServer, IncomingMessage } from "node:http";
import { connect, type AddressInfo, Socket } from "node:net";
import { hostname } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { Guard } from "../../src/dashboard/server/guard.ts";
import { ask, askRaw } from "./support/asking.ts";
import { FakeFeed, startSmall } from "./support/small-dashboard.ts";

const TOKEN = "a-token-of-24-characters";

const portOf = (url: string): number => Number(new URL(url).port);

describe("who may access a dashboard on loopback", () => {
  it("is every client that uses its right name, by any name of loopback", async () => {
    const { url } = await startSmall();
    const port = portOf(url);
    expect(url).toBe(`http://127.0.0.1:${port}/`);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect((await ask(`${url}api/overview`, { headers: { host } })).status, host).toBe(200);
    }
  });

  it("is nobody who uses another name, another port or none: a name of another site may point here", async () => {
    const { url } = await startSmall();
    const port = portOf(url);
    const hosts = [
      `evil.example:${port}`,
      "evil.example",
      "127.0.0.1",
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.evil.example:${port}`,
      `127.0.0.1:${port}@evil.example`,
      `localhost.:${port}`,
      `0.0.0.0:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `2130706433:${port}`,
    ];
    for (const host of hosts) {
      for (const path of ["", "api/overview", "metrics", "assets/index-1a2b.js", "api/events"]) {
        const reply = await ask(`${url}${path}`, { headers: { host } });
        expect(reply.status, `${host} ${path}`).toBe(421);
        expect(reply.text).toContain("not a name of this dashboard");
        expect(reply.headers["content-type"]).toContain("text/plain");
      }
    }
  });

  it("is nobody without a Host, or with two, or with a request as for a proxy", async () => {
    const { url } = await startSmall();
    const port = portOf(url);
    const status = async (text: string) => (await askRaw(port, text)).split(" ")[1];
    expect(await status("GET / HTTP/1.0\r\n\r\n")).toBe("421");
    expect(await status("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")).toBe("400");
    expect(await status(`GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toBe("400");
    expect(await status(`GET / HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toBe("421");
    expect(await status(`OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toBe("400");
    expect(await status("nonsense\r\n\r\n")).toBe("400");
  });

  it("is no page of another site: neither by Origin nor by Sec-Fetch-Site", async () => {
    const { url } = await startSmall();
    const port = portOf(url);
    const origins = [
      "http://evil.example",
      "null",
      `https://127.0.0.1:${port}`,
      "http://127.0.0.1",
      `http://localhost:${port}`,
    ];
    for (const origin of origins) {
      expect((await ask(`${url}api/overview`, { headers: { origin } })).status, origin).toBe(403);
    }
    const own = `http://127.0.0.1:${port}`;
    expect((await ask(`${url}api/overview`, { headers: { origin: own } })).status).toBe(200);
    for (const [site, status] of [
      ["cross-site", 403],
      ["same-site", 403],
      ["whatever", 403],
      ["same-origin", 200],
      ["none", 200],
    ] as const) {
      const reply = await ask(`${url}api/overview`, { headers: { "sec-fetch-site": site } });
      expect(reply.status, site).toBe(status);
    }
  });

  it("gets strict headers with every answer, whatever it is", async () => {
    const { url } = await startSmall();
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'none'; " +
      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    const replies = [
      await ask(url),
      await ask(`${url}api/overview`),
      await ask(`${url}api/pages?count=0`),
      await ask(`${url}nowhere`),
      await ask(url, { method: "DELETE" }),
      await ask(url, { headers: { host: "evil.example" } }),
      await ask(`${url}metrics`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 404, 405, 421, 200]);
    for (const { headers } of replies) {
      expect(headers["content-security-policy"]).toBe(policy);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("may only look: other methods are refused, and HEAD says the same without a body", async () => {
    const { url } = await startSmall();
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const reply = await ask(`${url}api/overview`, { method });
      expect([reply.status, reply.headers.allow], method).toEqual([405, "GET, HEAD"]);
    }
    for (const path of ["", "api/overview", "api/events"]) {
      const head = await ask(`${url}${path}`, { method: "HEAD" });
      expect([head.status, head.text], path).toEqual([200, ""]);
    }
  });

  it("cannot send headers without end", async () => {
    const { url } = await startSmall();
    const port = portOf(url);
    const long = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Long: ${"x".repeat(17_000)}\r\n\r\n`;
    expect((await askRaw(port, long)).split(" ")[1]).toBe("431");
  });
});

describe("connections", () => {
  it("are let go when no whole request comes", async () => {
    const { url } = await startSmall();
    const port = portOf(url);
    const beganMs = performance.now();
    const reply = await askRaw(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `);
    expect(reply.split(" ")[1]).toBe("408");
    expect(performance.now() - beganMs).toBeLessThan(30_000);
  });

  it("are 256 at most", async () => {
    const { url } = await startSmall();
    const sockets: Socket[] = [];
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    const dropped: number[] = [];
    const open = () =>
      new Promise<void>((resolve) => {
        const socket = connect(portOf(url), "127.0.0.1", () => resolve());
        const number = sockets.push(socket);
        socket.on("close", () => dropped.push(number));
        socket.on("error", () => {});
        socket.resume();
      });
    for (let k = 0; k < 257; k++) await open();
    await expect.poll(() => dropped).toEqual([257]);
  });
});

describe("the files of the page", () => {
  it("are served by name: the page always anew, what has a hash for ever", async () => {
    const { url } = await startSmall();
    const page = await ask(url);
    expect(page.text).toContain("<title>Tidemark</title>");
    expect([page.headers["content-type"], page.headers["cache-control"]]).toEqual([
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    const script = await ask(`${url}assets/index-1a2b.js`);
    expect([script.text, script.headers["content-type"]]).toEqual(["export {};", "text/javascript; charset=utf-8"]);
    expect(script.headers["cache-control"]).toBe("private, max-age=31536000, immutable");
    const theme = await ask(`${url}theme.css`);
    expect(theme.text).toContain("--ink:");
    expect(theme.headers["content-type"]).toContain("text/css");
    expect((await ask(`${url}api/overview`)).headers["cache-control"]).toBe("no-store");
  });

  it("are all there is: no path leads outside, however it is written", async () => {
    const { url } = await startSmall();
    const port = portOf(url);
    const paths = [
      "/assets/notes.txt",
      "/assets/",
      "/assets",
      "/crawl.sqlite",
      "/assets/../crawl.sqlite",
      "/assets/../../package.json",
      "/assets/..%2f..%2fpackage.json",
      "/assets/%2e%2e/%2e%2e/package.json",
      "/..%5c..%5cpackage.json",
      "/assets/..\\..\\package.json",
      "/%2e%2e/%2e%2e/etc/passwd",
      "//etc/passwd",
      "/etc/passwd%00.html",
      "/assets/index-1a2b.js/../../../package.json",
      "/api/pages/../../../etc/passwd",
    ];
    for (const path of paths) {
      const reply = await askRaw(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
      expect(["404", "400"], path).toContain(reply.split(" ")[1]);
      expect(reply, path).not.toContain("root:");
      expect(reply, path).not.toContain("SQLite");
    }
  });
});

describe("a dashboard that needs a token", () => {
  it("trades the one in the address for a cookie that scripts and other sites cannot use", async () => {
    const { url } = await startSmall({ token: TOKEN });
    const { origin } = new URL(url);
    expect(url).toBe(`${origin}/?token=${TOKEN}`);
    const reply = await ask(url);
    expect([reply.status, reply.headers.location]).toEqual([303, "/"]);
    const [cookie] = reply.headers["set-cookie"] ?? [];
    expect(cookie).toBe(`tidemark-${portOf(url)}=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`);
    const own = { cookie: `other=1; ${cookie.split(";")[0]}` };
    expect((await ask(`${origin}/`, { headers: own })).status).toBe(200);
    expect((await ask(`${origin}/api/overview`, { headers: own })).status).toBe(200);
  });

  it("takes it from a program too", async () => {
    const { url } = await startSmall({ token: TOKEN });
    const { origin } = new URL(url);
    const reply = await ask(`${origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(reply.status).toBe(200);
  });

  it("reveals nothing without it", async () => {
    const { url } = await startSmall({ token: TOKEN });
    const { origin } = new URL(url);
    const wrong: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${TOKEN}x` },
      { authorization: `Basic ${TOKEN}` },
      { authorization: "Bearer " },
      { cookie: `tidemark-${portOf(url)}=${TOKEN.slice(1)}` },
      { cookie: `tidemark-1=${TOKEN}` },
    ];
    for (const headers of wrong) {
      for (const path of [
        "/",
        "/api/overview",
        "/metrics",
        "/theme.css",
        "/?token=wrong",
        `/api/overview?token=${TOKEN}`,
      ]) {
        const reply = await ask(`${origin}${path}`, { headers });
        expect(reply.status, `${path} ${JSON.stringify(headers)}`).toBe(401);
        expect(reply.text).toContain("A token is required");
        expect(reply.headers["set-cookie"]).toBeUndefined();
      }
    }
  });

  it("is one that others than this machine can reach: then one is made up", async () => {
    const { url } = await startSmall({ host: "0.0.0.0" });
    const token = new URL(url).searchParams.get("token") ?? "";
    expect(new URL(url).hostname).toBe(hostname().toLowerCase());
    expect(token).toMatch(/^[\w-]{32}$/);
    const own = `http://127.0.0.1:${portOf(url)}`;
    expect((await ask(`${own}/api/overview`)).status).toBe(401);
    const headers = { authorization: `Bearer ${token}`, host: "archive.example" };
    expect((await ask(`${own}/api/overview`, { headers })).status).toBe(200);
    const foreign = { ...headers, origin: "http://evil.example" };
    expect((await ask(`${own}/api/overview`, { headers: foreign })).status).toBe(403);
    const { url: another } = await startSmall({ host: "0.0.0.0" });
    expect(new URL(another).searchParams.get("token")).not.toBe(token);
  });

  it("refuses tokens that could be guessed or would not survive an address", async () => {
    await expect(startSmall({ token: "fifteen-letters" })).rejects.toThrow(UsageError);
    await expect(startSmall({ token: "fifteen-letters" })).rejects.toThrow("15 characters: expected 16 to 200");
    await expect(startSmall({ token: "with a space and so on" })).rejects.toThrow("not allowed");
    await expect(startSmall({ token: "x".repeat(201) })).rejects.toThrow(UsageError);
    expect((await startSmall({ token: "sixteen-letters-" })).url).toContain("?token=sixteen-letters-");
  });
});

describe("a dashboard for other machines", () => {
  it("may stand behind a proxy that adds encryption, and answers no other site there either", () => {
    const guard = new Guard({ host: "192.0.2.1", port: 7433, token: TOKEN });
    const judged = (origin: string): string => {
      const request = new IncomingMessage(new Socket());
      request.method = "GET";
      request.url = "/api/overview";
      request.headers = { host: "crawls.example", origin, authorization: `Bearer ${TOKEN}` };
      return guard.judge(request).kind;
    };
    expect(["https://crawls.example", "http://crawls.example", "https://evil.example", "null"].map(judged)).toEqual([
      "accepted",
      "accepted",
      "rejected",
      "rejected",
    ]);
  });
});

describe("a dashboard on IPv6", () => {
  it("is requested by its address in brackets", async () => {
    const { url } = await startSmall({ host: "::1" });
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/$/);
    const reply = await ask(`http://[::1]:${portOf(url)}/api/overview`);
    expect(reply.status).toBe(200);
  });
});

describe("a port", () => {
  it("that is taken is the user's to change", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const starting = startSmall({ port });
    await expect(starting).rejects.toThrow(UsageError);
    await expect(starting).rejects.toThrow(
      `port ${port} of 127.0.0.1 is used by another program: choose another port, or 0 for any free one`,
    );
  });

  it("of an address that is not ours is the user's to change too", async () => {
    await expect(startSmall({ host: "192.0.2.1" })).rejects.toThrow("192.0.2.1 is not an address of this machine");
  });

  it("is free again once the server is closed", async () => {
    const { url, close } = await startSmall();
    await close();
    const again = await startSmall({ port: portOf(url) });
    expect(again.url).toBe(url);
  });
});

describe("controls", () => {
  const body = '{"action":"pause"}';

  it("are taken from our own page alone, as JSON", async () => {
    const feed = new FakeFeed();
    feed.onHeard = () => feed.status("paused");
    const { url } = await startSmall({ feed });
    const origin = url.slice(0, -1);
    const json = { "content-type": "application/json" };
    const status = async (headers: Record<string, string>, text = body) =>
      (await ask(`${url}api/control`, { method: "POST", headers, body: text })).status;
    expect(await status({ ...json, origin: "http://evil.example" })).toBe(403);
    expect(await status(json)).toBe(403);
    expect(await status({ ...json, origin: "null" })).toBe(403);
    expect(await status({ ...json, origin, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ "content-type": "text/plain", origin })).toBe(415);
    expect(await status({ "content-type": "application/x-www-form-urlencoded", origin })).toBe(415);
    expect(await status({ ...json, origin }, JSON.stringify({ action: "pause", pad: "x".repeat(4096) }))).toBe(413);
    expect(await status({ ...json, origin, "transfer-encoding": "chunked" }, "x".repeat(5000))).toBe(413);
    expect(feed.heard).toEqual([]);
    expect(await status({ ...json, origin })).toBe(200);
    expect(feed.heard).toEqual([{ type: "control", control: { action: "pause" } }]);
  });
});
