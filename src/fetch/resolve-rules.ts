/**
 * `--resolve`: addresses by hand, like curl's --resolve and --connect-to in one.
 *
 *     HOST:ADDRESS              every port of HOST at ADDRESS
 *     HOST:ADDRESS:TOPORT       every port of HOST at one port of ADDRESS
 *     HOST:PORT:ADDRESS         only PORT of HOST (curl's form)
 *     HOST:PORT:ADDRESS:TOPORT
 *
 * IPv6 addresses are in brackets; HOST may be "*", or "*.example.org" for all names below it. Host header, SNI and the
 * name in the certificate stay those of the URL.
 */
import { isIP } from "node:net";
import { UsageError } from "../base/index.ts";

export interface ResolveRule {
  readonly host: string;
  /** Only for URLs of this port; null for all. */
  readonly port: number | null;
  readonly address: string;
  /** The port to connect to; null for that of the URL. */
  readonly toPort: number | null;
}

export function parseResolveRule(text: string): ResolveRule {
  const match = /^([^:[\]]+)(?::(\d+))?:(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text);
  const [, host = "", port, bracketed, plain = "", toPort] = match ?? [];
  const address = bracketed ?? plain;
  const family = bracketed === undefined ? 4 : 6;
  const ports = [port, toPort].map((digits) => (digits === undefined ? null : Number(digits)));
  if (isIP(address) !== family || ports.some((number) => number !== null && (number < 1 || number > 65535))) {
    throw new UsageError(
      `--resolve ${text}: expected HOST:ADDRESS, HOST:ADDRESS:PORT or HOST:PORT:ADDRESS, with an IP address ` +
        "(IPv6 in brackets), for instance www.example.org:127.0.0.1:8080",
    );
  }
  return { host: host.toLowerCase(), port: ports[0] ?? null, address, toPort: ports[1] ?? null };
}

export function ruleFor(rules: readonly ResolveRule[], host: string, port: number): ResolveRule | undefined {
  return rules.find((rule) => (rule.port === null || rule.port === port) && hostMatches(rule.host, host));
}

/** Whether a pattern (a name, "*", or "*.below.this") matches a host. */
export function hostMatches(pattern: string, host: string): boolean {
  if (pattern === "*" || pattern === host) return true;
  return pattern.startsWith("*.") && host.endsWith(pattern.slice(1));
}
