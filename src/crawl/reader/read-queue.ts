/** What is being read: pages and sitemaps handed to a reader, whose answers enter the crawl as turns. */
import type { Answer } from "../../fetch/index.ts";
import type { PageContent, PageReader, SitemapContent, SitemapJob } from "./contract.ts";

/** Pages being read at once, and their bytes; beyond either nothing new is fetched. */
const READING_MAX = 256;
const READING_BYTES_MAX = 64 * 2 ** 20;

export class Readings {
  count = 0;
  #bytes = 0;
  readonly #reader: PageReader;
  readonly #turn: (event: () => void) => void;

  constructor(reader: PageReader, turn: (event: () => void) => void) {
    this.#reader = reader;
    this.#turn = turn;
  }

  get areMany(): boolean {
    return this.count >= READING_MAX || this.#bytes >= READING_BYTES_MAX;
  }

  page(url: string, { body, truncated, headers }: Answer, done: (content: PageContent) => void): void {
    const contentType = headers["content-type"] ?? null;
    const job = { url, body, truncated, contentType, robotsTag: headers["x-robots-tag"] ?? null };
    // The body may be gone to the thread that reads it by the time it is read.
    const bytes = body.length;
    this.count++;
    this.#bytes += bytes;
    this.#reader.readPage(job, (content) =>
      this.#turn(() => {
        this.count--;
        this.#bytes -= bytes;
        done(content);
      }),
    );
  }

  sitemap(job: SitemapJob, done: (content: SitemapContent) => void): void {
    this.count++;
    this.#reader.readSitemap(job, (content) =>
      this.#turn(() => {
        this.count--;
        done(content);
      }),
    );
  }
}
