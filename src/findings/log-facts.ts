import type { LogListener, UrlRecord, Visit } from "../log/index.ts";
import { ContentDigests } from "./content-groups.ts";
import { SitemapUrls } from "./orphans.ts";

/** What findings take from a log besides states and links, in one reading. */
export class FindingsFacts implements LogListener {
  readonly digests = new ContentDigests();
  readonly sitemapUrls = new SitemapUrls();

  grow(urls: number): void {
    this.digests.grow(urls);
  }

  url(record: UrlRecord): void {
    this.sitemapUrls.url(record);
  }

  visited(visit: Visit): void {
    this.digests.visited(visit);
  }
}
