/** The guard at the level of sockets: what is refused never reaches connect. */
import { readFileSync } from "node:fs";
import net, { isIPv6, type Socket, type TcpNetConnectOpts } from "node:net";
import { describe, expect, it } from "vitest";
import type { Lookup } from "../../src/fetch/index.ts";
import { NamedFailure } from "../../src/fetch/named-failure.ts";
import { type Endpoint, Resolver } from "../../src/fetch/guarded-resolver.ts";
import { sharedPath } from "../support/shared.ts";
import { bytesServer, get, getAnswer, getFailure, newFetcher, rawServer } from "./servers.ts";

const dnsPath = sharedPath("suites/ssrf-dns.json");
const urlsPath = sharedPath("suites/ssrf-urls.json");

interface DnsCase {
  readonly name: string;
  readonly answers: readonly (readonly string[])[];
  readonly expected: string;
}

describe.runIf(dnsPath !== undefined)("names that lead astray", () => {
  it("reach no socket, where any answer of their name server is refused", async () => {
    const { cases } = JSON.parse(readFileSync(dnsPath ?? "", "utf8")) as { cases: readonly DnsCase[] };
    expect(cases).toHaveLength(10);
    for (const { name, answers, expected } of cases) {
      const spy = new ConnectSpy();
      const fetcher = newFetcher({ allowPrivate: false, openSocket: spy.open, lookup: scripted(answers) });
      const replies = [await get(fetcher, `http://${name}/`), await get(fetcher, `http://${name}:81/`)];
      const judged = answers[0] ?? [];
      const allowed = expected === "allow" || expected.startsWith("second lookup");
      expect(spy.addresses, name).toEqual(allowed ? [...judged, ...judged] : []);
      expect(
        replies.map((reply) => reply.kind === "failure" && reply.failure),
        name,
      ).toEqual(Array(2).fill(allowed ? "connect-refused" : "address-refused"));
    }
  });
});

describe.runIf(urlsPath !== undefined)("URLs that lead astray", () => {
  it("open no socket, whether by their own address or by what their name resolves to", async () => {
    const { cases } = JSON.parse(readFileSync(urlsPath ?? "", "utf8")) as {
      cases: readonly { url: string; expected: string }[];
    };
    const spy = new ConnectSpy();
    // Every name that is no address resolves to loopback here.
    const fetcher = newFetcher({
      allowPrivate: false,
      openSocket: spy.open,
      lookup: scripted([["127.0.0.1"]]),
    });
    const refused = cases.filter(({ url, expected }) => expected === "refuse" && URL.canParse(url));
    const replies = await Promise.all(refused.map(({ url }) => get(fetcher, url)));
    expect(refused.length).toBeGreaterThan(100);
    expect(spy.addresses).toEqual([]);
    expect(new Set(replies.map((reply) => reply.kind === "failure" && reply.failure))).toEqual(
      new Set(["address-refused"]),
    );
  });
});

describe("the guard", () => {
  it.each([
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://0x7f.1/",
    "http://localhost/",
    "https://10.1.2.3/",
    "ftp://93.184.216.34/",
  ])("refuses %s without a socket", async (url) => {
    const spy = new ConnectSpy();
    const fetcher = newFetcher({ allowPrivate: false, openSocket: spy.open });
    expect((await getFailure(fetcher, url)).failure).toBe("address-refused");
    expect(spy.addresses).toEqual([]);
  });

  it("lets the hosts pass that are named, and no others", async () => {
    const port = await bytesServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const fetcher = newFetcher({
      allowPrivate: ["own.example", "*.mine.example", "127.0.0.1"],
      lookup: scripted([["127.0.0.1"]]),
    });
    for (const host of ["own.example", "a.mine.example", "127.0.0.1"]) {
      expect((await getAnswer(fetcher, `http://${host}:${port}/`)).status).toBe(200);
    }
    for (const host of ["other.example", "mine.example", "own.example.org", "127.0.0.2"]) {
      expect((await getFailure(fetcher, `http://${host}:${port}/`)).failure).toBe("address-refused");
    }
  });

  it("judges addresses given by hand too", async () => {
    const resolve = [{ host: "a.example", port: null, address: "127.0.0.1", toPort: null }];
    expect((await getFailure(newFetcher({ allowPrivate: false, resolve }), "http://a.example/")).failure).toBe(
      "address-refused",
    );
  });

  it("sends many names to one port by hand, each with its own Host header", async () => {
    const heads: string[] = [];
    const toPort = await rawServer((socket, head) => {
      heads.push(/^host: (.*)\r$/m.exec(head)?.[1] ?? "");
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    const fetcher = newFetcher({ resolve: [{ host: "*", port: null, address: "127.0.0.1", toPort }] });
    for (const host of ["a.example", "b.example:8080"]) await getAnswer(fetcher, `http://${host}/`);
    expect(heads).toEqual(["a.example", "b.example:8080"]);
  });

  it("tries the judged addresses one after the other", async () => {
    const port = await bytesServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const fetcher = newFetcher({ lookup: scripted([["::1", "127.0.0.1"]]) });
    const answer = await getAnswer(fetcher, `http://two.example:${port}/`);
    expect([answer.status, answer.address]).toEqual([200, "127.0.0.1"]);
  });
});

describe("the resolver", () => {
  it.each<[code: string, failure: string]>([
    ["ENOTFOUND", "host-not-found"],
    ["EAI_AGAIN", "resolve-failed"],
    ["ESERVFAIL", "resolve-failed"],
    ["ETIMEOUT", "resolve-failed"],
  ])("calls %s %s", async (code, failure) => {
    const lookup: Lookup = (_host, done) => done(Object.assign(new Error(code), { code }), []);
    expect((await getFailure(newFetcher({ lookup }), "http://a.example/")).failure).toBe(failure);
  });

  it("calls a name without addresses, and one that makes the lookup throw, failures", async () => {
    expect((await getFailure(newFetcher({ lookup: scripted([[]]) }), "http://a.example/")).failure).toBe(
      "host-not-found",
    );
    const throwing = (): never => {
      throw new Error("no resolver");
    };
    expect((await getFailure(newFetcher({ lookup: throwing }), "http://a.example/")).failure).toBe("resolve-failed");
  });

  it("resolves a name once while it is under way or known, again after ten minutes, sooner after a failure", () => {
    let nowMs = 0;
    const asked: ((ok: boolean) => void)[] = [];
    const resolver = new Resolver(
      (_host, done) =>
        asked.push((ok) => (ok ? done(null, [{ address: "93.184.216.34", family: 4 }]) : done(new Error("x"), []))),
      { nowMs: () => nowMs },
      {},
    );
    const outcomes: (Endpoint | NamedFailure)[] = [];
    const ask = (): void => resolver.resolve("a.example", 80, (place) => outcomes.push(place));
    ask();
    ask();
    expect(asked).toHaveLength(1);
    asked[0]?.(true);
    ask();
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => ({ addresses: ["93.184.216.34"], port: 80 })));
    nowMs = 599_999;
    ask();
    expect(asked).toHaveLength(1);
    nowMs = 600_000;
    ask();
    expect(asked).toHaveLength(2);
    asked[1]?.(false);
    expect(outcomes.at(-1)).toBeInstanceOf(NamedFailure);
    nowMs += 29_999;
    ask();
    expect(asked).toHaveLength(2);
    nowMs += 1;
    ask();
    expect(asked).toHaveLength(3);
  });

  it("keeps a bounded number of names and forgets the oldest", () => {
    const asked: string[] = [];
    const resolver = new Resolver(
      (host, done) => {
        asked.push(host);
        done(null, [{ address: "93.184.216.34", family: 4 }]);
      },
      { nowMs: () => 0 },
      {},
      3,
    );
    for (const host of ["a.example", "b.example", "c.example", "d.example", "b.example", "a.example"])
      resolver.resolve(host, 80, () => {});
    expect(asked).toEqual(["a.example", "b.example", "c.example", "d.example", "a.example"]);
    expect(resolver.size).toBe(3);
  });
});

/** Notes where a connection would go, lists of pinned addresses included, and refuses it. */
class ConnectSpy {
  readonly addresses: string[] = [];

  readonly open = (options: TcpNetConnectOpts): Socket => {
    if (options.lookup === undefined) this.addresses.push(options.host ?? "");
    else {
      options.lookup("", { all: true }, (_error, list) => {
        this.addresses.push(...(Array.isArray(list) ? list.map(({ address }) => address) : [list]));
      });
    }
    const socket = new net.Socket();
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    setImmediate(() => socket.destroy(refused));
    return socket;
  };
}

/** The i-th lookup of a name gets the i-th list, later ones the last. */
function scripted(answers: readonly (readonly string[])[]): Lookup {
  let asked = 0;
  return (_host, done) => {
    const list = answers[Math.min(asked++, answers.length - 1)] ?? [];
    done(
      null,
      list.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
    );
  };
}
