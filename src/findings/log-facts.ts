import type { LogListener, UrlRecord, Visit } from "../log/index.ts";
import { ContentDigests } from "./content-groups.ts";
import { SimHashes } from "./near-duplicates.ts";
import { SitemapUrls } from "./orphans.ts";

/** What findings take from a log besides states and links, in one reading. */
export class FindingsFacts implements LogListener {
  readonly digests = new ContentDigests();
  readonly simhashes = new SimHashes();
  readonly sitemapUrls = new SitemapUrls();

  url(record: UrlRecord): void {
    this.sitemapUrls.url(record);
  }

  visited(visit: Visit): void {
    this.digests.visited(visit);
    this.simhashes.visited(visit);
  }

  /**
   * Groups of pages with nearly the same words, of the pages given, which come most important first. Of pages with the
   * same content only the first counts.
   */
  nearDuplicates(pages: Uint32Array): Generator<Uint32Array> {
    return this.simhashes.groups(this.digests.distinct(pages));
  }
}
