/**
 * Hosts that are crawled with headers, cookies or credentials. The job knows their names and nothing else; a worker
 * that was not given their secrets does not take their shards.
 */
import type { SessionOptions } from "../fetch/index.ts";
import { hostOfUrl } from "../web/index.ts";
import { type Sharding, shardOf } from "./sharding.ts";

/** Names of hosts, in order. */
export function secretHostsOf({ headers = [], credentials = [], cookieOrigins = [] }: SessionOptions): string[] {
  const origins = [...headers, ...credentials].map(({ origin }) => origin);
  return [...new Set([...origins, ...cookieOrigins].map((origin) => hostOfUrl(`${origin}/`)))].sort();
}

/** Whether a worker with this session lacks what it would need to crawl a shard. */
export function lacksSecrets(
  needed: readonly string[],
  session: SessionOptions,
  sharding: Sharding,
): (shard: number) => boolean {
  const had = new Set(secretHostsOf(session));
  const lacking = new Set(needed.filter((host) => !had.has(host)).map((host) => shardOf(host, sharding)));
  return (shard) => lacking.has(shard);
}
