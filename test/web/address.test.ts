/** The address guard: blocks at their edges, by hand and by node:net as a second method, and the recorded lists. */
import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AddressKind,
  addressKind,
  canonicalUrl,
  isLocalName,
  isPublicAddress,
  literalAddress,
  specialAddressIn,
} from "../../src/web/index.ts";
import { cases } from "../support/cases.ts";
import { sharedPath } from "../support/shared.ts";

describe("an address", () => {
  it.each<[ip: string, kind: AddressKind]>([
    ["93.184.216.34", "public"],
    ["9.255.255.255", "public"],
    ["10.0.0.0", "private"],
    ["10.255.255.255", "private"],
    ["11.0.0.0", "public"],
    ["100.63.255.255", "public"],
    ["100.64.0.0", "carrier"],
    ["100.127.255.255", "carrier"],
    ["100.128.0.0", "public"],
    ["0.0.0.0", "unspecified"],
    ["127.0.0.1", "loopback"],
    ["168.63.129.16", "private"],
    ["168.63.129.17", "public"],
    ["169.254.169.254", "link-local"],
    ["172.15.255.255", "public"],
    ["172.31.255.255", "private"],
    ["172.32.0.0", "public"],
    ["198.19.255.255", "benchmarking"],
    ["198.20.0.0", "public"],
    ["223.255.255.255", "public"],
    ["224.0.0.1", "multicast"],
    ["255.255.255.254", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["2606:2800:220:1:248:1893:25c8:1946", "public"],
    ["2001:200::", "public"],
    ["2001:1ff:ffff::", "reserved"],
    ["2001:0:5ef5:79fb::1", "embedded"],
    ["2002:808:808::1", "embedded"],
    ["2001:db8::", "documentation"],
    ["2001:DB9::", "public"],
    ["3fff:fff::", "documentation"],
    ["3fff:1000::", "public"],
    ["4000::", "reserved"],
    ["1fff:ffff::", "reserved"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::2", "embedded"],
    ["::ffff:8.8.8.8", "embedded"],
    ["0:0:0:0:0:ffff:127.0.0.1", "embedded"],
    ["64:ff9b::8.8.8.8", "embedded"],
    ["fd00:ec2::254", "private"],
    ["fe80::1%eth0", "link-local"],
    ["fec0::1", "private"],
    ["ff02::1", "multicast"],
    ["5f00::1", "reserved"],
    ["", "invalid"],
    ["localhost", "invalid"],
    ["1.2.3", "invalid"],
    ["1.2.3.4.5", "invalid"],
    ["1.2.3.256", "invalid"],
    ["010.0.0.1", "invalid"],
    ["0x7f.0.0.1", "invalid"],
    ["1::2::3", "invalid"],
    ["1:2:3:4:5:6:7", "invalid"],
    ["1:2:3:4:5:6:7:8:9", "invalid"],
    ["1:2:3:4:5:6:7::8", "invalid"],
    ["1.2.3.4::", "invalid"],
    [":1:2:3:4:5:6:7", "invalid"],
    ["12345::", "invalid"],
    ["[::1]", "invalid"],
  ])("%s is %s", (ip, kind) => {
    expect(addressKind(ip)).toBe(kind);
    expect(isPublicAddress(ip)).toBe(kind === "public");
  });

  it("of IPv4 is public exactly where node:net finds it in no special block", () => {
    const special = specialBlocks();
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isPublicAddress(ip)).toBe(!special.check(ip, "ipv4"));
      }),
      { numRuns: cases(5000) },
    );
  });

  it("of IPv6 is public exactly where node:net finds it in 2000::/3 and in no special block", () => {
    const special = specialBlocks();
    const global = new BlockList();
    global.addSubnet("2000::", 3, "ipv6");
    const near = fc
      .tuple(fc.constantFrom("2001:", "2002:", "2003:", "3fff:", "2001:db8:", "2000:", ""), fc.ipV6())
      .map(([beginning, ip]) => beginning + ip)
      .filter((ip) => isIP(ip) === 6);
    fc.assert(
      fc.property(fc.oneof(near, fc.ipV6()), (ip) => {
        expect(isPublicAddress(ip)).toBe(global.check(ip, "ipv6") && !special.check(ip, "ipv6"));
      }),
      { numRuns: cases(5000) },
    );
  });

  it("is read exactly where node:net reads one", () => {
    const piece = fc.constantFrom(":", "::", "1", "ffff", "12345", "1.2.3.4", "1.2.3.4.5", "g", "0", "255");
    const text = fc.array(piece, { maxLength: 17 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (text) => {
        expect(addressKind(text) === "invalid").toBe(isIP(text) === 0);
      }),
      { numRuns: cases(5000) },
    );
  });
});

describe("a host name", () => {
  it.each([
    ["[::1]", "::1"],
    ["[2606:4700::1111]", "2606:4700::1111"],
    ["127.0.0.1", "127.0.0.1"],
    ["a.example", null],
    ["127.0.0.1.nip.io", null],
    ["::1", null],
    ["[a]", null],
    ["", null],
  ])("%j is the address %j", (hostname, address) => {
    expect(literalAddress(hostname)).toBe(address);
  });

  it("can be local by its meaning", () => {
    const local =
      "localhost a.localhost printer.local metadata.google.internal ip6-localhost metadata x.home.arpa localhost.";
    for (const name of local.split(" ")) expect([name, isLocalName(name)]).toEqual([name, true]);
    const other = "a.example localhost.example notlocalhost mylocal metadata.example internal.example foo";
    for (const name of other.split(" ")) expect([name, isLocalName(name)]).toEqual([name, false]);
  });

  it("is refused for one special address among its own", () => {
    expect(specialAddressIn(["93.184.216.34", "10.0.0.1", "127.0.0.1"])).toBe("10.0.0.1");
    expect(specialAddressIn(["93.184.216.34", "2606:4700::1111"])).toBeNull();
    expect(specialAddressIn([])).toBeNull();
  });
});

const ips = sharedPath("suites/ssrf-ips.json");
describe.skipIf(ips === undefined)("the list of addresses", () => {
  it("is allowed and refused as it says", () => {
    const { cases } = readSuite<{ ip: string; allow: boolean }>(ips);
    expect(cases).toHaveLength(142);
    for (const { ip, allow } of cases) expect([ip, isPublicAddress(ip)]).toEqual([ip, allow]);
  });
});

const urls = sharedPath("suites/ssrf-urls.json");
describe.skipIf(urls === undefined)("the list of URLs", () => {
  it("is allowed, refused or left to the resolved address as it says", () => {
    const { cases } = readSuite<{ url: string; expected: string }>(urls);
    expect(cases).toHaveLength(602);
    const differing = cases.filter(({ url, expected }) => decision(url) !== expected);
    // A host that is only a dot has no name to resolve: refused at once.
    expect(differing.map(({ url }) => url)).toEqual(["http://./"]);
    expect(decision("http://./")).toBe("refuse");
  });
});

const names = sharedPath("suites/ssrf-dns.json");
describe.skipIf(names === undefined)("the list of names", () => {
  it("is decided on the first answer, which is the one to connect to", () => {
    const { cases } = readSuite<{ name: string; answers: string[][]; expected: string }>(names);
    expect(cases).toHaveLength(10);
    for (const { name, answers, expected } of cases) {
      const got = isLocalName(name) || specialAddressIn(answers[0] ?? []) !== null ? "refuse" : "allow";
      // The name that changes its answer is resolved once: its first address is public, and pinned.
      const wanted = expected.startsWith("second lookup")
        ? "allow"
        : expected.startsWith("refuse")
          ? "refuse"
          : "allow";
      expect([name, got]).toEqual([name, wanted]);
    }
  });
});

function decision(text: string): "allow" | "refuse" | "dns" {
  const url = canonicalUrl(text);
  if (url === null) return "refuse";
  const { hostname } = new URL(url);
  const address = literalAddress(hostname);
  if (address !== null) return isPublicAddress(address) ? "allow" : "refuse";
  return isLocalName(hostname) ? "refuse" : "dns";
}

function readSuite<Case>(path: string | undefined): { cases: readonly Case[] } {
  return path === undefined ? { cases: [] } : JSON.parse(readFileSync(path, "utf8"));
}

/** The registries once more, for node:net. */
function specialBlocks(): BlockList {
  const blocks = new BlockList();
  const text =
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
    "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 " +
    "2001::/23 2001:db8::/32 2002::/16 3fff::/20";
  for (const block of text.split(" ")) {
    const [address = "", bits = ""] = block.split("/");
    blocks.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
  }
  return blocks;
}
