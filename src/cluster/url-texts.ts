/**
 * The texts of the URLs of a shard, by their numbers. They are asked for when a page is fetched, or when another shard
 * hears of it, so they lie in a file: a scratch file, which is made anew whenever the log is replayed.
 */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { assert, BYTES_PER_CHARACTER_MAX, capacityFor, enlarged } from "../base/index.ts";
import { named } from "../store/index.ts";

export interface UrlTexts {
  /** The text of the next number. */
  add(text: string): void;
  get(number: number): string;
  close(): void;
}

/** For simulations. */
export class TextsInMemory implements UrlTexts {
  readonly #texts: string[] = [];

  add(text: string): void {
    this.#texts.push(text);
  }

  get(number: number): string {
    return this.#texts[number];
  }

  close(): void {}
}

/** Other shards hear of a URL soon after it was discovered; so its text should be in memory until then. */
const BUFFER_BYTES = 1 << 20;

/** Five bytes per URL in memory, and the texts of the last ones; at most 1 TB in the file. */
export class TextsInFile implements UrlTexts {
  readonly #folder: string;
  readonly #file: number;
  /** Where the text of each number ends: the low 32 bits, and the high 8. */
  #low = new Uint32Array(1024);
  #high = new Uint8Array(1024);
  #count = 0;
  /** The last bytes, which are not in the file yet, and where they begin. */
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;
  #written = 0;
  /** What was written last, and where it begins and ends. */
  #recent = Buffer.allocUnsafe(BUFFER_BYTES);
  #recentStart = 0;
  #recentEnd = 0;

  constructor(path: string) {
    this.#folder = dirname(path);
    this.#file = named(this.#folder, () => openSync(path, "w+"));
    // Nobody else reads it, and nobody has to remove it if we die.
    named(this.#folder, () => unlinkSync(path));
  }

  add(text: string): void {
    // Bytes are counted only where there might be no room for them.
    if (this.#buffered + BYTES_PER_CHARACTER_MAX * text.length > BUFFER_BYTES) {
      const length = Buffer.byteLength(text);
      if (this.#buffered + length > BUFFER_BYTES) this.#flush();
      if (length > BUFFER_BYTES) {
        this.#write(Buffer.from(text), length);
        return this.#note(this.#written);
      }
    }
    this.#buffered += this.#buffer.write(text, this.#buffered);
    this.#note(this.#written + this.#buffered);
  }

  get(number: number): string {
    const start = number === 0 ? 0 : this.#end(number - 1);
    const end = this.#end(number);
    if (start >= this.#written) return this.#buffer.toString("utf8", start - this.#written, end - this.#written);
    if (start >= this.#recentStart && end <= this.#recentEnd) {
      return this.#recent.toString("utf8", start - this.#recentStart, end - this.#recentStart);
    }
    const bytes = Buffer.allocUnsafe(end - start);
    for (let read = 0; read < bytes.length; ) {
      const more = named(this.#folder, () => readSync(this.#file, bytes, read, bytes.length - read, start + read));
      assert(more > 0, "the file has all texts");
      read += more;
    }
    return bytes.toString("utf8");
  }

  close(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    const start = this.#written;
    this.#write(this.#buffer, this.#buffered);
    [this.#buffer, this.#recent] = [this.#recent, this.#buffer];
    this.#recentStart = start;
    this.#recentEnd = this.#written;
    this.#buffered = 0;
  }

  #write(bytes: Buffer, length: number): void {
    for (let from = 0; from < length; ) {
      from += named(this.#folder, () => writeSync(this.#file, bytes, from, length - from, this.#written + from));
    }
    this.#written += length;
  }

  #note(end: number): void {
    if (this.#count === this.#low.length) {
      const capacity = capacityFor(this.#count + 1, this.#count);
      this.#low = enlarged(this.#low, capacity);
      this.#high = enlarged(this.#high, capacity);
    }
    this.#low[this.#count] = end % 2 ** 32;
    this.#high[this.#count++] = Math.floor(end / 2 ** 32);
  }

  #end(number: number): number {
    return this.#high[number] * 2 ** 32 + this.#low[number];
  }
}
