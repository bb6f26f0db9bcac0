/**
 * What the logs of shards say of URLs of the log that is split, by their numbers there: seven bytes each, and their
 * paths, which lie in a file.
 */
import { assert, capacityFor, enlarged } from "../base/index.ts";
import { refusalReasons } from "../coverage/index.ts";
import { DEPTH_MAX, sources, type UrlRecord } from "../log/index.ts";
import type { UrlTexts } from "./url-texts.ts";

export class SplitUrls {
  readonly #paths: UrlTexts;
  #origins = new Uint32Array(1024);
  #depths = new Uint8Array(1024);
  #sources = new Uint8Array(1024);
  /** Of sinks, why they are never fetched, plus one; 0 for all other URLs. */
  #reasons = new Uint8Array(1024);

  constructor(paths: UrlTexts) {
    this.#paths = paths;
  }

  /** The one after the last. */
  add({ id, origin, path, depth, source, reason }: UrlRecord): void {
    if (id === this.#origins.length) this.#grow(capacityFor(id + 1, id));
    this.#origins[id] = origin;
    this.#depths[id] = Math.min(DEPTH_MAX, depth);
    this.#sources[id] = sources.indexOf(source);
    this.#paths.add(path ?? "");
    if (path !== null) return;
    assert(reason !== null && reason !== "elsewhere", "a sink has a reason");
    this.#reasons[id] = 1 + refusalReasons.indexOf(reason);
  }

  originOf(url: number): number {
    return this.#origins[url];
  }

  /** All but when it was discovered: logs of shards count visits of their own. */
  recordOf(id: number): Omit<UrlRecord, "discoveredAt"> {
    const reason = this.#reasons[id];
    return {
      id,
      origin: this.#origins[id],
      path: reason === 0 ? this.#paths.get(id) : null,
      depth: this.#depths[id],
      source: sources[this.#sources[id]],
      reason: reason === 0 ? null : refusalReasons[reason - 1],
    };
  }

  #grow(capacity: number): void {
    this.#origins = enlarged(this.#origins, capacity);
    this.#depths = enlarged(this.#depths, capacity);
    this.#sources = enlarged(this.#sources, capacity);
    this.#reasons = enlarged(this.#reasons, capacity);
  }
}
