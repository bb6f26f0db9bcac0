/**
 * The address guard: which IP addresses a crawl of the public web may connect to, wherever a page, a redirect or a name
 * server leads. The address is checked that the socket connects to.
 *
 * Public is what the IANA registries of special-purpose addresses (RFC 6890 and its updates) leave: of IPv4 everything
 * outside `SPECIAL_V4`, of IPv6 what lies in 2000::/3 (global unicast) outside `SPECIAL_V6`. Addresses that embed an
 * IPv4 address (mapped, compatible, translated, 6to4, Teredo, NAT64) are forbidden: a public host has an address of its
 * own. So is what cannot be read as an address.
 *
 * A name is forbidden if any of its addresses is special: an honest name has none. Names that are local by definition
 * are forbidden without asking a name server.
 */
import { assert } from "../base/index.ts";

/** What an IP address is for; only `public` ones belong to the public web. */
export type AddressKind =
  | "public"
  | "unspecified"
  | "loopback"
  | "private"
  | "link-local"
  /** Shared by the customers of a provider, RFC 6598. */
  | "carrier"
  | "multicast"
  | "broadcast"
  | "documentation"
  | "benchmarking"
  /** An IPv4 address inside an IPv6 address. */
  | "embedded"
  | "reserved"
  /** Not an address. */
  | "invalid";

/** The kind of an address as name servers and sockets write it; a zone ("fe80::1%eth0") is ignored. */
export function addressKind(ip: string): AddressKind {
  const v4 = readV4(ip);
  if (v4 !== null) return kindIn(SPECIAL_V4, [v4 >>> 16, v4 & 0xffff]) ?? "public";
  const v6 = readV6(ip);
  if (v6 === null) return "invalid";
  const special = kindIn(SPECIAL_V6, v6);
  if (special !== null) return special;
  return kindIn(GLOBAL_UNICAST, v6) ?? "reserved";
}

/** Whether an IP address belongs to the public web. */
export function isPublicAddress(ip: string): boolean {
  return addressKind(ip) === "public";
}

/** The first address of a name that is not public, for which the name is forbidden; null if there is none. */
export function specialAddressIn(addresses: readonly string[]): string | null {
  return addresses.find((address) => !isPublicAddress(address)) ?? null;
}

/** The address in the host name of a parsed URL, such as "::1" of "[::1]"; null if it is a name. */
export function literalAddress(hostname: string): string | null {
  if (hostname.startsWith("[") && hostname.endsWith("]")) {
    const inside = hostname.slice(1, -1);
    return readV6(inside) === null ? null : inside;
  }
  return readV4(hostname) === null ? null : hostname;
}

/** Names of this machine or network (RFC 6761, 6762, 8375; `internal`), in lower case as in a parsed URL. */
export function isLocalName(hostname: string): boolean {
  return LOCAL_SUFFIX.test(hostname) || LOCAL_NAME.test(hostname);
}

const LOCAL_SUFFIX = /^(?:.+\.)?(?:localhost|localdomain|local|internal|home\.arpa)\.?$/;
const LOCAL_NAME = /^(?:ip6-localhost|ip6-loopback|broadcasthost|metadata)\.?$/;

interface Block {
  /** The first bits, sixteen to a number. */
  readonly prefix: readonly number[];
  readonly bits: number;
  readonly kind: AddressKind;
}

/** If blocks overlap, the narrower one comes first. */
const SPECIAL_V4 = blocksOf([
  ["0.0.0.0", 8, "unspecified"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "carrier"],
  ["127.0.0.0", 8, "loopback"],
  // The platform of a large cloud provider serves its tenants here, though the address looks public.
  ["168.63.129.16", 32, "private"],
  ["169.254.0.0", 16, "link-local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "documentation"],
  ["192.88.99.0", 24, "reserved"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "benchmarking"],
  ["198.51.100.0", 24, "documentation"],
  ["203.0.113.0", 24, "documentation"],
  ["224.0.0.0", 4, "multicast"],
  ["255.255.255.255", 32, "broadcast"],
  ["240.0.0.0", 4, "reserved"],
]);

const SPECIAL_V6 = blocksOf([
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  // Compatible, mapped and translated IPv4.
  ["::", 96, "embedded"],
  ["::ffff:0:0", 96, "embedded"],
  ["::ffff:0:0:0", 96, "embedded"],
  // NAT64.
  ["64:ff9b::", 96, "embedded"],
  ["64:ff9b:1::", 48, "embedded"],
  // Teredo; 6to4.
  ["2001::", 32, "embedded"],
  ["2002::", 16, "embedded"],
  ["2001:2::", 48, "benchmarking"],
  ["2001::", 23, "reserved"],
  ["2001:db8::", 32, "documentation"],
  ["3fff::", 20, "documentation"],
  ["fc00::", 7, "private"],
  ["fe80::", 10, "link-local"],
  ["fec0::", 10, "private"],
  ["ff00::", 8, "multicast"],
]);

const GLOBAL_UNICAST = blocksOf([["2000::", 3, "public"]]);

function blocksOf(rows: readonly (readonly [address: string, bits: number, kind: AddressKind])[]): Block[] {
  return rows.map(([address, bits, kind]) => {
    const v4 = readV4(address);
    const prefix = v4 === null ? readV6(address) : [v4 >>> 16, v4 & 0xffff];
    assert(prefix !== null, `${address} is an address`);
    return { prefix, bits, kind };
  });
}

function kindIn(blocks: readonly Block[], address: readonly number[]): AddressKind | null {
  for (const { prefix, bits, kind } of blocks) {
    let equal = true;
    for (let i = 0; equal && i * 16 < bits; i++) {
      const rest = Math.max(16 - (bits - i * 16), 0);
      equal = (prefix[i] ?? 0) >>> rest === (address[i] ?? 0) >>> rest;
    }
    if (equal) return kind;
  }
  return null;
}

/** Four decimal numbers and nothing else: resolvers disagree about other spellings. */
function readV4(text: string): number | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1);
  if (parts === undefined) return null;
  let value = 0;
  for (const part of parts) {
    if (Number(part) > 255 || (part.length > 1 && part.startsWith("0"))) return null;
    value = value * 256 + Number(part);
  }
  return value;
}

/** Eight numbers of sixteen bits. */
function readV6(text: string): number[] | null {
  const zone = text.indexOf("%");
  const bare = zone === -1 ? text : text.slice(0, zone);
  const halves = bare.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = [readGroups(halves[0] ?? "", halves.length === 1), readGroups(halves[1] ?? "", true)];
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

/** `mayEndInV4`: the last 32 bits can be written as an IPv4 address. */
function readGroups(text: string, mayEndInV4: boolean): number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [i, part] of parts.entries()) {
    const v4 = mayEndInV4 && i === parts.length - 1 ? readV4(part) : null;
    if (v4 !== null) groups.push(v4 >>> 16, v4 & 0xffff);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}
