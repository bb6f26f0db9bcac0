/** A sitemap from the bytes of an answer, which may be a gzip file. */
import { gunzipSync } from "node:zlib";
import { isGzip, parseSitemap, SITEMAP_BYTES_MAX, type SitemapOptions, type SitemapResult } from "../../web/index.ts";

export function readSitemap(body: Uint8Array, options: SitemapOptions): SitemapResult {
  if (!isGzip(body)) return parseSitemap(body, options);
  try {
    return parseSitemap(gunzipSync(body, { maxOutputLength: SITEMAP_BYTES_MAX }), options);
  } catch {
    return { kind: "error", message: "its gzip is broken or too large" };
  }
}
