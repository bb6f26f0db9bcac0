/**
 * Writes records to a series of gzipped WARC files, one after the other, each of about 1 GiB.
 *
 * A body that was stored before is not stored again: later ones are revisit records. The latest bodies are remembered,
 * as long as the writer lives. A revisit always refers to a record before it in the series, so whatever is cut off at
 * the end of a series takes no body from what stays.
 */
import { join } from "node:path";
import { dropOldest } from "../base/index.ts";
import { indexLine, mimeOf, REVISIT } from "./cdxj.ts";
import type { HttpExchange } from "./contract.ts";
import { syncDirectory } from "./folders.ts";
import { GrowingFile } from "./growing-file.ts";
import { contentTypeOf, type Original, payloadDigest, request, response, responseId, warcinfo } from "./warc-record.ts";

export interface WarcOptions {
  /** Name and version of the crawler, for the first record of a file. */
  readonly software: string;
  /** A file that has grown to this size is the last but one; 1 GiB unless said. */
  readonly fileBytesMax?: number;
  /** Of how many bodies it is remembered that they were kept; 65,536 unless said, about 20 MB. */
  readonly rememberedMax?: number;
}

export interface SeriesOptions extends WarcOptions {
  readonly dir: string;
  readonly nameOf: (number: number) => string;
  /** Whether `crc` is to be known. */
  readonly hasChecksums?: boolean;
}

const FILE_BYTES_MAX = 2 ** 30;
export const REMEMBERED_MAX = 2 ** 16;

export class WarcWriter {
  readonly #options: SeriesOptions;
  readonly #remembered = new Map<string, Original>();
  #file: GrowingFile | undefined;
  #number: number;
  #directorySynced = false;

  /** `last` is the file to go on with; without bytes, the next file is the one after it. */
  constructor(options: SeriesOptions, last: { readonly number: number; readonly bytes: number }) {
    this.#options = options;
    this.#number = last.number;
    if (last.bytes > 0) this.#file = new GrowingFile(this.#path, last.bytes);
  }

  /** Of the file that was written last. */
  get number(): number {
    return this.#number;
  }

  get bytes(): number {
    return this.#file?.length ?? 0;
  }

  /** CRC-32 of the file that was written last, for a series that has checksums and began with a new file. */
  get crc(): number {
    return this.#file?.crc ?? 0;
  }

  /** Returns the line of the index, which ends with a line break. */
  keep(exchange: HttpExchange): string {
    const file = this.#fileFor(exchange.dateMs);
    const place = { file: this.#name, offset: file.length };
    const digest = payloadDigest(exchange.body);
    const original = exchange.truncated ? undefined : this.#remembered.get(digest);
    const bytes = response(exchange, place, digest, original);
    const recordId = responseId(exchange, place);
    file.append(Buffer.concat([bytes, request(exchange, place, recordId)]));
    const { url, dateMs, status } = exchange;
    const mime = original === undefined ? mimeOf(contentTypeOf(exchange)) : REVISIT;
    if (original === undefined && !exchange.truncated && exchange.body.length > 0) {
      this.#remembered.set(digest, { recordId, url, dateMs });
      dropOldest(this.#remembered, this.#options.rememberedMax ?? REMEMBERED_MAX);
    }
    const { file: filename, offset } = place;
    return indexLine({ url, dateMs, mime, status, digest, length: bytes.length, offset, filename });
  }

  /** What was kept is on disk when this returns. */
  sync(): void {
    this.#file?.sync();
    this.#syncDirectory();
  }

  /** The same without holding up the thread. */
  async syncLater(): Promise<void> {
    this.#syncDirectory();
    await this.#file?.syncLater();
  }

  /** Also what others have made or renamed there. */
  directoryChanged(): void {
    this.#directorySynced = false;
  }

  close(): void {
    this.#file?.close();
  }

  #syncDirectory(): void {
    if (!this.#directorySynced) syncDirectory(this.#options.dir);
    this.#directorySynced = true;
  }

  #fileFor(dateMs: number): GrowingFile {
    const { software, fileBytesMax = FILE_BYTES_MAX, hasChecksums = false } = this.#options;
    if (this.#file !== undefined && this.#file.length < fileBytesMax) return this.#file;
    this.#file?.sync();
    this.#file?.close();
    this.#file = undefined;
    this.#number++;
    const file = new GrowingFile(this.#path, 0, hasChecksums ? 0 : undefined);
    this.#file = file;
    this.#directorySynced = false;
    file.append(warcinfo(software, dateMs, { file: this.#name, offset: 0 }));
    return file;
  }

  get #name(): string {
    return this.#options.nameOf(this.#number);
  }

  get #path(): string {
    return join(this.#options.dir, this.#name);
  }
}
