/** Which shard owns a host. Every process of a job must come to the same answer, whatever its machine or version. */
import { hash32, mix32 } from "../base/index.ts";
import { registrableDomain } from "../web/index.ts";

/** By its own name, or together with all hosts of its registrable domain. */
export type ShardKey = "host" | "domain";

export interface Sharding {
  readonly shards: number;
  readonly by: ShardKey;
}

export function shardOf(host: string, { shards, by }: Sharding): number {
  const name = by === "domain" ? registrableDomain(host) : host;
  return mix32(hash32(name)) % shards;
}
