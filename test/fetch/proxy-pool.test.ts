/** Several proxies: which one a host keeps to, who stands in, when one rests, and when none works. */
import http from "node:http";
import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { parseProxies, type ProxySettings, verdictOf } from "../../src/fetch/index.ts";
import { type ProxyOutcome, ProxyPool } from "../../src/fetch/proxy-pool.ts";
import { withoutCredentials } from "../../src/fetch/proxies.ts";
import { UsageError } from "../../src/base/index.ts";
import { get, getAnswer, later, listen, newFetcher, textOf } from "./servers.ts";

class Pool {
  nowMs = 0;
  readonly downs: string[] = [];
  readonly notes: string[] = [];
  readonly pool: ProxyPool;

  constructor(uris: readonly string[]) {
    this.pool = new ProxyPool(uris, {
      clock: { nowMs: () => this.nowMs },
      nameOf: withoutCredentials,
      onDown: (why) => void this.downs.push(why),
      onNote: (note) => void this.notes.push(note),
    });
  }

  note(uri: string, ...outcomes: ProxyOutcome[]): void {
    for (const outcome of outcomes) this.pool.note(uri, outcome, "broken");
  }
}

const A = "http://a.example:1/";
const B = "http://b.example:1/";
const C = "http://c.example:1/";
const HOSTS = Array.from({ length: 300 }, (_, k) => `www${k}.test`);
/** So many that proxies on whatever ports all get one of them: one run in 500 million fails by chance. */
const SOME = HOSTS.slice(0, 30);

describe("the choice of a proxy", () => {
  it("is the same for a host whatever the order of the list, and spreads hosts over all", () => {
    const [first, turned] = [new Pool([A, B, C]), new Pool([C, A, B])];
    const chosen = HOSTS.map((host) => first.pool.choose(host));
    expect(HOSTS.map((host) => turned.pool.choose(host))).toEqual(chosen);
    for (const uri of [A, B, C]) expect(chosen.filter((each) => each === uri).length).toBeGreaterThan(60);
  });

  it("does not depend on passwords, but on users: they may stand for different addresses", () => {
    const choices = (...users: string[]) => {
      const { pool } = new Pool(users.map((user) => `http://${user}@p.example:1/`));
      return HOSTS.map((host) => String(pool.choose(host)).replace(/:[^:]*@.*/, ""));
    };
    expect(choices("x:1", "y:2")).toEqual(choices("x:3", "y:4"));
    expect(new Set(choices("x:1", "y:2")).size).toBe(2);
    const { pool } = new Pool(["http://x:1@p.example:1/", "http://x:2@p.example:1/"]);
    expect(new Set(HOSTS.map((host) => pool.choose(host))).size).toBe(2);
  });

  it("moves only the hosts of a proxy that rests, and brings them back", () => {
    const pool = new Pool([A, B, C]);
    const before = HOSTS.map((host) => pool.pool.choose(host));
    pool.note(B, "works");
    pool.note(A, "fails");
    const meanwhile = HOSTS.map((host) => pool.pool.choose(host));
    expect(meanwhile).not.toContain(A);
    for (const [k, uri] of before.entries()) if (uri !== A) expect(meanwhile[k]).toBe(uri);
    pool.nowMs = 10_000;
    expect(HOSTS.map((host) => pool.pool.choose(host))).toEqual(before);
  });

  it("rests a proxy longer each time, and forgets that once it works", () => {
    const pool = new Pool([A]);
    pool.note(A, "works");
    const rests: unknown[] = [];
    for (let time = 0; time < 3; time++) {
      // Requests that were under way together count once.
      pool.note(A, "fails", "fails");
      rests.push(pool.pool.choose("x"));
      pool.nowMs += Number(rests.at(-1));
      if (time === 1) pool.note(A, "works");
    }
    expect(rests).toEqual([10_000, 20_000, 10_000]);
    for (let time = 0; time < 12; time++) {
      pool.note(A, "fails", "works", "fails");
      pool.nowMs += 1e7;
    }
    for (let time = 0; time < 12; time++) {
      pool.note(A, "fails");
      expect(Number(pool.pool.choose("x"))).toBeLessThanOrEqual(600_000);
      pool.nowMs += 600_000;
    }
  });

  it("rests a proxy that is doubtful again and again only if another one works meanwhile", () => {
    const alone = new Pool([A, B]);
    for (let time = 0; time < 20; time++) alone.note(A, "doubtful");
    expect(new Set(HOSTS.map((host) => alone.pool.choose(host)))).toEqual(new Set([A, B]));
    const pool = new Pool([A, B]);
    pool.note(A, "doubtful", "doubtful", "doubtful", "doubtful");
    pool.nowMs = 5;
    pool.note(B, "works");
    expect(new Set(HOSTS.map((host) => pool.pool.choose(host)))).toEqual(new Set([A, B]));
    pool.note(A, "doubtful");
    expect(new Set(HOSTS.map((host) => pool.pool.choose(host)))).toEqual(new Set([B]));
    expect(pool.downs).toEqual([]);
  });

  it("tells once which proxy wants a user name and password, and uses another", () => {
    const known = "http://me:secret@b.example:1/";
    const pool = new Pool([A, known, C]);
    pool.note(C, "works");
    for (const uri of [A, known]) {
      pool.note(uri, "asks");
      pool.nowMs += 1e6;
      pool.note(uri, "asks");
    }
    expect(pool.notes).toEqual([
      "the proxy http://a.example:1/ wants a user name and a password (407): write USER:PASSWORD@ before its host; " +
        "until it works, its hosts go through another",
      "the proxy http://b.example:1/ does not accept its user name and password (407); until it works, its hosts go " +
        "through another",
    ]);
    expect(new Set(HOSTS.map((host) => pool.pool.choose(host)))).not.toContain(known);
  });

  it("is down at once if none has ever worked, later only after half a minute", () => {
    const never = new Pool([A, "http://me:secret@b.example:1/"]);
    never.note(A, "fails");
    expect(never.downs).toEqual([]);
    never.note("http://me:secret@b.example:1/", "fails", "fails");
    expect(never.downs).toEqual(["none of the 2 proxies works (http://b.example:1/: broken)"]);
    const pool = new Pool([A]);
    pool.note(A, "works", "fails");
    expect([pool.downs, pool.pool.down]).toEqual([[], undefined]);
    pool.nowMs = 30_000;
    pool.note(A, "fails");
    expect(pool.downs).toEqual(["the proxy does not work (http://a.example:1/: broken)"]);
  });
});

describe("a file of proxies", () => {
  it("has one per line, comments and blank lines", () => {
    const text =
      "# ours\r\nhttp://a.example:1\n\n  b.example:1  # with a port\nhttps://me:p#w@c.example:1/\nb.example:1\n";
    expect(parseProxies(text.replace("p#w", "p%23w"), "f")).toEqual([A, B, "https://me:p%23w@c.example:1/"]);
  });

  it.each([
    ["", "f: names no proxy; expected one per line, http://HOST:PORT or https://HOST:PORT"],
    ["# nothing", "f: names no proxy"],
    ["a.example:1\nsocks5://me:secret@b.example:1", "f: line 2: expected http://HOST:PORT"],
    ["me:secret@word", "f: line 1: expected"],
    ["a.example:1:me:secret", "f: line 1: expected"],
    ["http://a.example:1/secret", "f: line 1: expected"],
    ["http://a.example:1?secret", "f: line 1: expected"],
    ["http://a.example:1#secret", "f: line 1: expected"],
    ["http://me:p@ss/secret@a.example:1", "f: line 1: expected"],
  ])("%j is refused without repeating a secret", (text, message) => {
    expect(() => parseProxies(text, "f")).toThrow(UsageError);
    expect(() => parseProxies(text, "f")).toThrow(message);
    expect(() => parseProxies(text, "f")).not.toThrow("secret");
  });

  it("has an end", () => {
    const many = (count: number) => Array.from({ length: count }, (_, k) => `p${k}.example:1`).join("\n");
    expect(parseProxies(many(10_000), "f")).toHaveLength(10_000);
    expect(() => parseProxies(many(10_001), "f")).toThrow("expected 10000 at most");
  });
});

interface LoopbackProxy {
  readonly uri: string;
  readonly seen: string[];
  stop(): Promise<void>;
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Answers plain requests itself, with its name, and tunnels the rest to `port`. */
async function proxy(name: string, { status = 200, port = 0 } = {}): Promise<LoopbackProxy> {
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request.url ?? "");
    response.writeHead(status, { "content-type": "text/plain" }).end(name);
  });
  server.on("connect", (request, socket) => {
    seen.push(request.url ?? "");
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} no\r\n\r\n`);
    const site = net.connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 ok\r\n\r\n");
      site.pipe(socket).pipe(site);
    });
    site.on("error", () => socket.destroy());
    socket.on("error", () => site.destroy());
  });
  const own = await listen(server);
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  };
  stops.push(() => void stop());
  return { uri: `http://127.0.0.1:${own}/`, seen, stop };
}

const through = (...pool: string[]): { proxy: ProxySettings } => ({
  proxy: { http: null, https: null, except: "", pool },
});

describe("requests through several proxies", () => {
  it("keep to one proxy per host", async () => {
    const proxies = [await proxy("one"), await proxy("two")];
    const fetcher = newFetcher(through(...proxies.map(({ uri }) => uri)));
    const names = new Map<string, Set<string>>();
    for (const host of SOME) {
      for (const path of ["/a", "/b"]) {
        const name = textOf(await getAnswer(fetcher, `http://${host}${path}`));
        names.set(host, (names.get(host) ?? new Set()).add(name));
      }
    }
    expect([...names.values()].map(({ size }) => size)).toEqual(SOME.map(() => 1));
    expect(new Set([...names.values()].flatMap((each) => [...each]))).toEqual(new Set(["one", "two"]));
  });

  it("go through another proxy when theirs dies midway, plain and tunnelled", async () => {
    const site = await listen(net.createServer((socket) => void socket.on("data", () => socket.end("not TLS"))));
    const [one, two] = [await proxy("one", { port: site }), await proxy("two", { port: site })];
    const fetcher = newFetcher(through(one.uri, two.uri));
    const before = new Map<string, string>();
    for (const host of SOME) before.set(host, textOf(await getAnswer(fetcher, `http://${host}/`)));
    await one.stop();
    const seen = two.seen.length;
    for (const host of SOME) {
      expect(textOf(await getAnswer(fetcher, `http://${host}/again`))).toBe("two");
    }
    expect(two.seen.length - seen).toBe(SOME.length);
    const moved = [...before].find(([, name]) => name === "one")?.[0] ?? "";
    // The tunnel stands, and what answers there is no TLS: that is the site's failure, not the proxy's.
    const reply = await get(fetcher, `https://${moved}/`);
    expect(reply).toMatchObject({ kind: "failure", failure: "tls-failed" });
    expect(two.seen.at(-1)).toBe(`${moved}:443`);
  });

  it.each(["http", "https"])("of %s pass over a proxy that asks for a password", async (scheme) => {
    const site = await listen(net.createServer((socket) => void socket.on("data", () => socket.end("not TLS"))));
    const [asking, working] = [await proxy("asking", { status: 407 }), await proxy("working", { port: site })];
    const fetcher = newFetcher(through(asking.uri, working.uri));
    const notes: string[] = [];
    fetcher.onNote?.((note) => void notes.push(note));
    for (const host of HOSTS.slice(0, 8)) await get(fetcher, `${scheme}://${host}/`);
    expect(notes).toEqual([expect.stringContaining(`the proxy ${asking.uri} wants a user name and a password (407)`)]);
    expect(asking.seen).toHaveLength(1);
    expect(working.seen).toHaveLength(8);
  });

  it("end as aborted, not as dead or failed, once no proxy works, and that is told once", async () => {
    const one = await proxy("one");
    const gone = await proxy("gone");
    await gone.stop();
    await one.stop();
    const fetcher = newFetcher(through(one.uri, gone.uri.replace("//", "//me:secret@")));
    const downs: string[] = [];
    fetcher.onDown?.((why) => void downs.push(why));
    const replies = await Promise.all(HOSTS.slice(0, 5).map((host) => get(fetcher, `http://${host}/`)));
    for (const reply of replies) {
      expect(reply).toMatchObject({ kind: "failure", failure: "aborted" });
      expect(verdictOf(reply)).toMatchObject({ meaning: "try-again", attemptsMax: Number.POSITIVE_INFINITY });
    }
    expect(downs).toHaveLength(1);
    expect(downs[0]).toMatch(/^none of the 2 proxies works \(http:\/\/127\.0\.0\.1:\d+\/: .*ECONNREFUSED/);
    expect(JSON.stringify(replies) + downs.join()).not.toContain("secret");
  });

  it("wait while all proxies rest, and go on when one is back", async () => {
    const one = await proxy("one");
    const { proxy: settings } = through(one.uri);
    const fetcher = newFetcher({ proxy: { ...settings, restMs: 100 } });
    expect(textOf(await getAnswer(fetcher, "http://x.test/1"))).toBe("one");
    const { port } = new URL(one.uri);
    await one.stop();
    let isOver = false;
    const waiting = getAnswer(fetcher, "http://x.test/2").finally(() => (isOver = true));
    await refusedOnce(Number(port));
    expect(isOver).toBe(false);
    const again = http.createServer((_, response) => void response.end("back"));
    await new Promise<void>((resolve) => again.listen(Number(port), "127.0.0.1", resolve));
    later(() => void again.close());
    expect(textOf(await waiting)).toBe("back");
  });

  it("have their whole time after such a wait, however long it was, but no more", async () => {
    // One proxy, which works, asks for a password, is back, and then says nothing.
    const statuses = [200, 407, 200, 407];
    const only = http.createServer((_, response) => {
      const status = statuses.shift();
      if (status !== undefined) response.writeHead(status).end();
    });
    later(() => void only.close().closeAllConnections());
    const { proxy: settings } = through(`http://127.0.0.1:${await listen(only)}/`);
    const fetcher = newFetcher({ proxy: { ...settings, restMs: 1000 }, timeouts: { totalMs: 500 } });
    await getAnswer(fetcher, "http://x.test/1");
    expect(await getAnswer(fetcher, "http://x.test/2")).toMatchObject({ status: 200 });
    expect(statuses).toEqual([407]);
    expect(await get(fetcher, "http://x.test/3")).toMatchObject({ kind: "failure", failure: "total-timeout" });
    expect(statuses).toEqual([]);
  });

  it("leave no_proxy alone", async () => {
    const site = await listen(http.createServer((_, response) => void response.end("direct")));
    const { proxy: settings } = through("http://127.0.0.1:1/");
    const fetcher = newFetcher({ proxy: { ...settings, except: "127.0.0.1" } });
    expect(textOf(await getAnswer(fetcher, `http://127.0.0.1:${site}/`))).toBe("direct");
  });
});

/** Nothing listens at a port of loopback. */
function refusedOnce(port: number): Promise<unknown> {
  return new Promise((resolve) => net.connect(port, "127.0.0.1").on("error", resolve));
}
