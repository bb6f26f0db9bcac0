/** Pages read on threads are read as on this one. */
import { describe, expect, it } from "vitest";
import { defaultWebSettings, InlineReader } from "../../src/crawl/index.ts";
import { ReaderPool } from "../../src/crawl/reader/reader-pool.ts";
import type { PageContent, PageJob } from "../../src/crawl/reader/contract.ts";

const settings = {
  web: {
    ...defaultWebSettings({ kind: "host", seeds: ["https://a.example/"] }, 0),
    universe: "web" as const,
  },
  productToken: "tidemark",
};

function job(html: string, url = "https://a.example/x/"): PageJob {
  const body = new TextEncoder().encode(html);
  return { url, body, truncated: false, contentType: "text/html; charset=utf-8", robotsTag: null };
}

describe("readers on threads", () => {
  it("answer what a reader on this thread does, each job once", async () => {
    const inline = await InlineReader.create(settings);
    const pool = await ReaderPool.start(settings, { threads: 2, keepsBodies: true });
    try {
      const places = Array.from({ length: 5 }, (_, k) => `https://b${k}.example/`);
      const links = '<a href="//b0.example/">b</a><a href="//b4.example/">b</a><a rel=nofollow href="/n">z</a>';
      // Seeds lead to one more host every ten pages, which every thread has to know.
      const jobs = Array.from({ length: 50 }, (_, k) => ({
        ...job(`<title>${k}</title><a href="p${k}">x</a><a href="//b.example/${k}">y</a>${links}`),
        widened: places.slice(0, Math.floor(k / 10)),
      }));
      const answers = await Promise.all(
        jobs.map((each) => new Promise<PageContent>((resolve) => pool.readPage(each, resolve))),
      );
      expect(answers).toEqual(jobs.map((each) => inline.page(each)));
    } finally {
      await pool.close();
    }
  });

  it("take over bodies without a copy where nobody needs them any more", async () => {
    const pool = await ReaderPool.start(settings, { threads: 1, keepsBodies: false });
    try {
      const page = job("<a href=y>");
      const content = await new Promise<PageContent>((resolve) => pool.readPage(page, resolve));
      expect(content.links.text).toBe("https://a.example/x/y");
      expect(page.body.byteLength).toBe(0);
    } finally {
      await pool.close();
    }
  });

  it("read gzipped sitemaps, and say what is wrong with broken ones", async () => {
    const { gzipSync } = await import("node:zlib");
    const inline = await InlineReader.create(settings);
    const xml = "<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://b.example/2</loc></url></urlset>";
    const url = "https://a.example/sitemap.xml.gz";
    const read = inline.sitemap({ url, body: gzipSync(xml), truncated: false, contentType: "application/gzip" });
    expect(read.error).toBeNull();
    expect(read.links.text).toBe("https://a.example/1https://b.example/2");
    const broken = inline.sitemap({
      url,
      body: gzipSync(xml).subarray(0, 30),
      truncated: false,
      contentType: "application/gzip",
    });
    expect(broken.error).toMatch(/gzip/);
  });
});
