/** Names, looked up at a name server on loopback that is slow, broken, fickle or silent where a test wants it to be. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Resolver as PlainResolver } from "node:dns/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HostsFile } from "../../src/fetch/hosts-file.ts";
import { DnsLookup } from "../../src/fetch/name-lookup.ts";
import { codeOf } from "../../src/fetch/named-failure.ts";
import { type DnsReply, type DnsServer, type DnsZone, startDnsServer } from "../support/dns-server.ts";
import { bytesServer, getAnswer, getFailure, later, newFetcher } from "./servers.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const never = new Promise<undefined>(() => {});

async function serverOf(zone: DnsZone | Readonly<Record<string, DnsReply>>): Promise<DnsServer> {
  const asked = typeof zone === "function" ? zone : undefined;
  const table = asked === undefined ? (zone as Readonly<Record<string, DnsReply>>) : {};
  const server = await startDnsServer(asked ?? (({ name }) => table[name] ?? { failure: "NXDOMAIN" }));
  later(() => server.close());
  return server;
}

interface Found {
  readonly addresses: readonly string[];
  readonly ttlMs: number | undefined;
  readonly code: string | null;
}

function lookUp(lookup: DnsLookup, host: string): Promise<Found> {
  return new Promise((resolve) => {
    lookup.lookup(host, (error, found, ttlMs) => {
      resolve({ addresses: found.map(({ address }) => address), ttlMs, code: error === null ? null : codeOf(error) });
    });
  });
}

function lookupAt(server: DnsServer, { hosts = "", atOnceMax = 500 } = {}): DnsLookup {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-hosts-"));
  const path = join(dir, "hosts");
  writeFileSync(path, hosts);
  const lookup = new DnsLookup({
    servers: [server.address],
    hosts: new HostsFile(path, { nowMs: () => 0 }),
    atOnceMax,
  });
  later(() => {
    lookup.close();
    rmSync(dir, { recursive: true });
  });
  return lookup;
}

describe("a name server", () => {
  it("is asked for addresses of both kinds, and IPv4 goes first", async () => {
    const server = await serverOf({
      "a.example": { addresses: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1", "2001:db8::2"], ttl: 90 },
    });
    expect(await lookUp(lookupAt(server), "a.example")).toEqual({
      addresses: ["192.0.2.1", "2001:db8::1", "192.0.2.2", "2001:db8::2", "192.0.2.3"],
      ttlMs: 90_000,
      code: null,
    });
    expect(server.questions.map(({ type }) => type).toSorted()).toEqual(["A", "AAAA"]);
  });

  it("may lead through aliases; the shortest TTL of the chain counts", async () => {
    const aliases = [["b.example", 300] as const, ["c.example", 7] as const];
    const server = await serverOf({ "a.example": { aliases, addresses: ["192.0.2.1"], ttl: 60 } });
    expect(await lookUp(lookupAt(server), "a.example")).toMatchObject({ addresses: ["192.0.2.1"], ttlMs: 7_000 });
  });

  it("is asked again over TCP if its answer was truncated, and gives all addresses", async () => {
    const addresses = Array.from({ length: 100 }, (_, k) => `192.0.2.${k + 1}`);
    const server = await serverOf({ "a.example": { addresses, truncated: true } });
    expect((await lookUp(lookupAt(server), "a.example")).addresses).toEqual(addresses);
    expect(server.questions.filter(({ type }) => type === "A").map(({ over }) => over)).toEqual(["udp", "tcp"]);
  });

  it.each<[what: string, reply: DnsReply, codes: readonly string[]]>([
    ["that there is no such name", { failure: "NXDOMAIN" }, ["ENOTFOUND"]],
    ["that an alias leads nowhere", { failure: "NXDOMAIN", aliases: [["b.example", 9]] }, ["ENOTFOUND"]],
    ["that the name has no address", {}, ["ENODATA"]],
    ["that it has failed", { failure: "SERVFAIL" }, ["ESERVFAIL"]],
    ["that it does not want to", { failure: "REFUSED" }, ["EREFUSED"]],
    ["that it does not understand", { failure: "FORMERR" }, ["EFORMERR"]],
  ])("may say %s", async (_, reply, codes) => {
    const server = await serverOf({ "a.example": reply });
    expect(codes).toContain((await lookUp(lookupAt(server), "a.example")).code);
  });

  it("that fails for one kind of address has not said that there is none", async () => {
    const server = await serverOf(({ type }) => (type === "A" ? {} : { failure: "SERVFAIL" }));
    expect((await lookUp(lookupAt(server), "a.example")).code).toBe("ESERVFAIL");
  });

  it.each(["SERVFAIL", "NXDOMAIN"] as const)("that says %s for IPv6 has still given IPv4", async (failure) => {
    const server = await serverOf(({ type }) => (type === "A" ? { addresses: ["192.0.2.1"] } : { failure }));
    expect((await lookUp(lookupAt(server), "a.example")).addresses).toEqual(["192.0.2.1"]);
  });

  it("that never answers for IPv6 is not waited for", async () => {
    const server = await serverOf(({ type }) => (type === "A" ? { addresses: ["192.0.2.1"] } : never));
    expect((await lookUp(lookupAt(server), "a.example")).addresses).toEqual(["192.0.2.1"]);
  });

  it("that loses a question is asked again, and an answer to the first one counts even then", async () => {
    let answerFirst: (reply: DnsReply) => void = () => {};
    const server = await serverOf(({ type }) => {
      if (type === "AAAA") return {};
      const count = server.questions.filter((each) => each.type === "A").length;
      if (count > 1) answerFirst({ addresses: ["192.0.2.1"] });
      return count === 1 ? new Promise<DnsReply>((resolve) => (answerFirst = resolve)) : never;
    });
    expect((await lookUp(lookupAt(server), "a.example")).addresses).toEqual(["192.0.2.1"]);
    const lossy = await serverOf(({ type }) =>
      lossy.questions.filter((each) => each.type === type).length === 1 ? never : { addresses: ["192.0.2.2"] },
    );
    expect((await lookUp(lookupAt(lossy), "a.example")).addresses).toEqual(["192.0.2.2"]);
  });

  it("is asked for the name as it is: no search domain, and a final dot makes no difference", async () => {
    const server = await serverOf({ "a.example": { addresses: ["192.0.2.1"] } });
    const lookup = lookupAt(server);
    expect((await lookUp(lookup, "a.example.")).addresses).toEqual(["192.0.2.1"]);
    expect((await lookUp(lookup, "intranet")).code).toBe("ENOTFOUND");
    expect(new Set(server.questions.map(({ name }) => name))).toEqual(new Set(["a.example", "intranet"]));
  });

  it("is not asked for what can be no name, which does not exist", async () => {
    const server = await serverOf({});
    const fetcher = newFetcher({ dns: server.address });
    for (const host of ["a..example", `${"x".repeat(64)}.example`]) {
      expect((await getFailure(fetcher, `http://${host}/`)).failure).toBe("host-not-found");
    }
    expect(server.questions).toEqual([]);
  });

  it("answers hundreds of names at once, and not more than it may be asked", async () => {
    const answers: (() => void)[] = [];
    const server = await serverOf(
      () => new Promise<DnsReply>((resolve) => answers.push(() => resolve({ addresses: ["192.0.2.1"] }))),
    );
    const lookup = lookupAt(server, { atOnceMax: 30 });
    const found = Array.from({ length: 40 }, (_, k) => lookUp(lookup, `h${k}.example`));
    const names = (): Set<string> => new Set(server.questions.map(({ name }) => name));
    await expect.poll(() => names().size).toBe(30);
    // Ten more only after others have come back.
    expect(names()).toEqual(new Set(Array.from({ length: 30 }, (_, k) => `h${k}.example`)));
    const answering = setInterval(() => answers.splice(0).forEach((answer) => answer()), 1);
    later(() => clearInterval(answering));
    expect((await Promise.all(found)).every(({ addresses }) => addresses[0] === "192.0.2.1")).toBe(true);
    expect(names().size).toBe(40);
  });

  it("that is still being asked is left alone when the lookup closes", async () => {
    const server = await serverOf(() => never);
    const lookup = lookupAt(server, { atOnceMax: 1 });
    const found = [lookUp(lookup, "a.example"), lookUp(lookup, "b.example")];
    await expect.poll(() => server.questions.length).toBeGreaterThan(0);
    lookup.close();
    expect((await Promise.all(found)).map(({ code }) => code)).toEqual(["ECANCELLED", "ECANCELLED"]);
  });

  it("of the tests speaks the protocol as another client knows it", async () => {
    const server = await serverOf({ "a.example": { addresses: ["192.0.2.1", "2001:db8:1::f"], ttl: 5 } });
    const plain = new PlainResolver();
    plain.setServers([server.address]);
    expect(await plain.resolve4("a.example", { ttl: true })).toEqual([{ address: "192.0.2.1", ttl: 5 }]);
    expect(await plain.resolve6("a.example")).toEqual(["2001:db8:1::f"]);
  });
});

describe("names of the machine", () => {
  const hosts = "# ours\n192.0.2.9\town.example Other.Example # comment\n192.0.2.8 own.example\nnonsense own.example\n";

  it("come from the hosts file, before any name server", async () => {
    const server = await serverOf({ "own.example": { addresses: ["192.0.2.1"] } });
    const lookup = lookupAt(server, { hosts });
    expect((await lookUp(lookup, "own.example")).addresses).toEqual(["192.0.2.9", "192.0.2.8"]);
    expect((await lookUp(lookup, "other.example")).addresses).toEqual(["192.0.2.9"]);
    expect(server.questions).toEqual([]);
  });

  it("and localhost are known, and nothing is below invalid, whatever a server says", async () => {
    const server = await serverOf(() => ({ addresses: ["192.0.2.1"] }));
    const lookup = lookupAt(server);
    for (const host of ["localhost", "a.localhost"]) {
      expect((await lookUp(lookup, host)).addresses).toEqual(["127.0.0.1", "::1"]);
    }
    expect((await lookUp(lookup, "a.invalid")).code).toBe("ENOTFOUND");
    expect(server.questions).toEqual([]);
  });

  it("are read again when the file has changed, and none are known without it", () => {
    const dir = mkdtempSync(join(tmpdir(), "tidemark-hosts-"));
    later(() => rmSync(dir, { recursive: true, force: true }));
    const path = join(dir, "hosts");
    let nowMs = 0;
    const file = new HostsFile(path, { nowMs: () => nowMs });
    expect(file.addressesOf("own.example")).toEqual([]);
    writeFileSync(path, "192.0.2.1 own.example\n");
    expect(file.addressesOf("own.example")).toEqual([]);
    nowMs = 5_000;
    expect(file.addressesOf("own.example")).toEqual(["192.0.2.1"]);
    rmSync(path);
    nowMs = 10_000;
    expect(file.addressesOf("own.example")).toEqual([]);
  });
});

describe("a fetcher with a name server", () => {
  it.each<[failure: DnsReply["failure"], name: string]>([
    ["NXDOMAIN", "host-not-found"],
    ["SERVFAIL", "resolve-failed"],
    ["REFUSED", "resolve-failed"],
  ])("calls %s %s", async (failure, name) => {
    const server = await serverOf({ "a.example": failure === undefined ? {} : { failure } });
    expect((await getFailure(newFetcher({ dns: server.address }), "http://a.example/")).failure).toBe(name);
  });

  it("follows a name with TTL 0 to its new address, and one with a TTL after that time", async () => {
    const port = await bytesServer(OK);
    const moved = { "zero.example": 0, "minute.example": 60 };
    let address = "127.0.0.1";
    const server = await serverOf(({ name }) => ({
      addresses: [address],
      ttl: moved[name as keyof typeof moved],
    }));
    let nowMs = 0;
    const fetcher = newFetcher({ dns: server.address, clock: { nowMs: () => nowMs }, keepAliveMs: 1_001 });
    const hosts = Object.keys(moved);
    for (const host of hosts) await getAnswer(fetcher, `http://${host}:${port}/`);
    const asked = server.questions.length;
    address = "192.0.2.1";
    const [zero, minute] = hosts.map(
      (host) => () => new Promise<number>((done) => fetcher.lookUp?.(`http://${host}/`, done)),
    );
    nowMs = 59_999;
    expect(await minute()).toBe(1);
    expect(server.questions).toHaveLength(asked);
    expect(await zero()).toBe(0);
    expect(server.questions).toHaveLength(asked + 2);
    nowMs = 60_000;
    expect(await minute()).toBe(60_000);
    expect(server.questions).toHaveLength(asked + 4);
  });

  it("uses a name that was looked up for a request once, though its TTL is 0", async () => {
    const port = await bytesServer(OK);
    const server = await serverOf(() => ({ addresses: ["127.0.0.1"], ttl: 0 }));
    let nowMs = 0;
    const fetcher = newFetcher({ dns: server.address, clock: { nowMs: () => nowMs } });
    await new Promise<number>((done) => fetcher.lookUp?.(`http://a.example:${port}/`, done));
    nowMs = 50_000;
    await getAnswer(fetcher, `http://a.example:${port}/`);
    expect(server.questions).toHaveLength(2);
    await getAnswer(fetcher, `http://a.example:${port}/`);
    expect(server.questions).toHaveLength(4);
    await new Promise<number>((done) => fetcher.lookUp?.(`http://a.example:${port}/`, done));
    // Too late: who knows where the name leads by now.
    nowMs += 60_000;
    await getAnswer(fetcher, `http://a.example:${port}/`);
    expect(server.questions).toHaveLength(8);
  });

  it("refuses a name that turns to a private address, and the same one from its cache", async () => {
    let address = "192.0.3.1";
    const server = await serverOf(() => ({ addresses: [address], ttl: 0 }));
    const sockets: (string | undefined)[] = [];
    const fetcher = newFetcher({
      dns: server.address,
      allowPrivate: false,
      openSocket: (options) => {
        sockets.push(options.host);
        throw new Error("refused here");
      },
    });
    expect((await getFailure(fetcher, "http://a.example/")).failure).toBe("connect-failed");
    address = "10.0.0.1";
    await new Promise<number>((done) => fetcher.lookUp?.("http://a.example/", done));
    const asked = server.questions.length;
    expect((await getFailure(fetcher, "http://a.example/")).failure).toBe("address-refused");
    expect(server.questions).toHaveLength(asked);
    expect(sockets).toEqual(["192.0.3.1"]);
  });

  it("refuses a name whose private address is the last of many", async () => {
    const addresses = [...Array.from({ length: 20 }, (_, k) => `192.0.3.${k + 1}`), "10.0.0.1"];
    const server = await serverOf(() => ({ addresses }));
    const fetcher = newFetcher({ dns: server.address, allowPrivate: false });
    expect((await getFailure(fetcher, "http://a.example/")).failure).toBe("address-refused");
  });
});
