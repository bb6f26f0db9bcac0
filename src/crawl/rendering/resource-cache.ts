/**
 * Scripts and styles that pages of a host have used, so that each is fetched once per run. Hosts do not share them:
 * the time a file takes must tell a host nothing about pages of another.
 *
 * When the cache is full, the least recently used files are evicted.
 */
import type { Answer } from "../../fetch/index.ts";

const BYTES_MAX = 64 * 2 ** 20;
const FILE_BYTES_MAX = 8 * 2 ** 20;

/** By whom and how a file is used: servers may allow it to some origins only. */
export interface ResourceKey {
  readonly pageHost: string;
  /** The URL that the page asked for, before redirects. */
  readonly start: string;
  readonly corsOrigin?: string | undefined;
}

export class ResourceCache {
  readonly #bytesMax: number;
  readonly #answers = new Map<string, Answer>();
  #bytes = 0;

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  find(key: ResourceKey): Answer | undefined {
    const text = textOf(key);
    const answer = this.#answers.get(text);
    if (answer === undefined) return undefined;
    this.#answers.delete(text);
    this.#answers.set(text, answer);
    return answer;
  }

  /** Stores a response that may be cached. */
  add(key: ResourceKey, answer: Answer): void {
    const { status, headers, truncated, body } = answer;
    if (status !== 200 || truncated || body.length > Math.min(FILE_BYTES_MAX, this.#bytesMax)) return;
    if (/\bno-store\b/i.test(headers["cache-control"] ?? "")) return;
    const text = textOf(key);
    this.#bytes += body.length - (this.#answers.get(text)?.body.length ?? 0);
    this.#answers.delete(text);
    this.#answers.set(text, answer);
    for (const [oldest, { body: dropped }] of this.#answers) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#answers.delete(oldest);
      this.#bytes -= dropped.length;
    }
  }
}

function textOf({ pageHost, start, corsOrigin = "" }: ResourceKey): string {
  return `${pageHost} ${corsOrigin} ${start}`;
}
