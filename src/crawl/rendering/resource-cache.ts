/**
 * Scripts and styles that pages of a host have used, so that each is fetched once per run. Hosts do not share them:
 * what one host learns from how fast a file comes is nothing about another.
 *
 * When the cache is full, what was not used for the longest time goes.
 */
import type { Answer } from "../../fetch/index.ts";

const BYTES_MAX = 64 * 2 ** 20;
const FILE_BYTES_MAX = 8 * 2 ** 20;

export class ResourceCache {
  readonly #bytesMax: number;
  readonly #answers = new Map<string, Answer>();
  #bytes = 0;

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  find(host: string, url: string): Answer | undefined {
    const key = keyOf(host, url);
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  /** Takes an answer that is worth it. */
  keep(host: string, url: string, answer: Answer): void {
    const { status, headers, truncated, body } = answer;
    if (status !== 200 || truncated || body.length > Math.min(FILE_BYTES_MAX, this.#bytesMax)) return;
    if (/\bno-store\b/i.test(headers["cache-control"] ?? "")) return;
    const key = keyOf(host, url);
    this.#bytes += body.length - (this.#answers.get(key)?.body.length ?? 0);
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    for (const [oldest, { body: dropped }] of this.#answers) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#answers.delete(oldest);
      this.#bytes -= dropped.length;
    }
  }
}

function keyOf(host: string, url: string): string {
  return `${host} ${url}`;
}
