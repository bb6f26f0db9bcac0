/**
 * Hosts that are to be left alone for a while, as a note in a store: they asked for it, or failed. Whoever requests
 * them next waits as well, though it is another run, another process, or a refresh after a crawl by workers.
 */
import { WAIT_MS_MAX } from "../../fetch/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import type { Now } from "../machine.ts";
import type { HostSchedule } from "./host-schedule.ts";

const KEY = "pauses";

/** By host, until when it is to be left alone, Unix time in milliseconds. Some may be over. */
export function pausesIn(store: Pick<CrawlStore, "meta">): Map<string, number> {
  return new Map(Object.entries(JSON.parse(store.meta(KEY) ?? "{}") as Record<string, number>));
}

export class HostPauses {
  readonly #store: Pick<CrawlStore, "meta" | "putMeta">;
  readonly #untilMs: Map<string, number>;
  #isChanged = false;

  constructor(store: Pick<CrawlStore, "meta" | "putMeta">) {
    this.#store = store;
    this.#untilMs = pausesIn(store);
  }

  /** In the store after `save`. A host that was to wait longer does. */
  add(host: string, untilMs: number): void {
    if (untilMs <= (this.#untilMs.get(host) ?? Number.NEGATIVE_INFINITY)) return;
    this.#untilMs.set(host, untilMs);
    this.#isChanged = true;
  }

  /** Those that are to be left alone now, and for how long. */
  *left(wallMs: number): Iterable<readonly [host: string, forMs: number]> {
    for (const [host, untilMs] of this.#untilMs) {
      // No pause is longer: where it seems to be, a clock was set back.
      if (untilMs > wallMs) yield [host, Math.min(WAIT_MS_MAX, untilMs - wallMs)];
    }
  }

  /** Hosts of a schedule wait as they are to. */
  apply(hosts: HostSchedule, { nowMs, wallMs }: Now): void {
    for (const [host, forMs] of this.left(wallMs)) hosts.pause(hosts.named(host), nowMs + forMs);
  }

  /** On disk with the next commit. What is over is forgotten. */
  save(wallMs: number): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    for (const [host, untilMs] of this.#untilMs) if (untilMs <= wallMs) this.#untilMs.delete(host);
    this.#store.putMeta(KEY, this.#untilMs.size === 0 ? undefined : JSON.stringify(Object.fromEntries(this.#untilMs)));
  }
}
