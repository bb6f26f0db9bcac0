/** Which shard owns a host. Every process of a job must come to the same answer, whatever its machine or version. */
import { mix32 } from "../base/index.ts";
import { registrableDomain } from "../web/index.ts";

/** By its own name, or together with all hosts of its registrable domain. */
export type ShardKey = "host" | "domain";

export interface Sharding {
  readonly shards: number;
  readonly by: ShardKey;
}

/** FNV-1a over the code units of the name, and mixed: its low bits alone are poor. */
export function shardOf(host: string, { shards, by }: Sharding): number {
  const name = by === "domain" ? registrableDomain(host) : host;
  let hash = 0x811c9dc5;
  for (let k = 0; k < name.length; k++) hash = Math.imul(hash ^ name.charCodeAt(k), 0x01000193);
  return mix32(hash) % shards;
}
