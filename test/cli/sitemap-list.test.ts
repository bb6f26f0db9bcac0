/** `--scope page --sitemap URL`: the URLs of a sitemap are the seeds of a crawl. */
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { planCrawl } from "../../src/cli/crawl/plan.ts";
import { checkSeedHosts, type CommandOptions, launchCrawl } from "../../src/crawl/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { InlineWeb } from "../support/inline-web.ts";
import { temporaryDirectory } from "../support/temporary.ts";

let server: Server;
let site: string;
let requested: string[];
let dir: string;
let said: string[];

beforeEach(async () => {
  requested = [];
  said = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  dir = `${temporaryDirectory()}/c`;
  server = createServer((request, response) => {
    requested.push(request.url ?? "");
    if (request.url === "/half.xml") {
      response.writeHead(200, { "content-length": 1000 });
      response.write("<urlset><url><loc>/1</loc></url>", () => response.destroy());
      return;
    }
    const body = served(request.url ?? "");
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/plain" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.restoreAllMocks();
  return new Promise((resolve) => server.close(resolve));
});

function served(path: string): string | Buffer | undefined {
  if (path === "/index.xml") {
    return "<sitemapindex><sitemap><loc>/a.xml.gz</loc></sitemap><sitemap><loc>/b.txt</loc></sitemap></sitemapindex>";
  }
  if (path === "/a.xml.gz") return gzipSync("<urlset><url><loc>/1</loc></url><url><loc>/2</loc></url></urlset>");
  if (path === "/b.txt") return `${site}/2\n${site}/3\nhttp://elsewhere.example/4\n`;
  if (path === "/mixed.txt") return `${site}/1\nhttp://10.0.0.1/\nhttp://10.0.0.1/x\nhttp://a b/\n`;
  if (path === "/cut.xml") return "<urlset><url><loc>/1</loc></url></ur";
  if (path === "/cut-part.xml") return "<sitemapindex><sitemap><loc>/cut.xml</loc></sitemap></sitemapindex>";
  if (path === "/wrong.txt") return "http://a b/\nhttp://\n";
  return path === "/empty.xml" ? "<urlset/>" : undefined;
}

function trustFile(): string {
  const path = `${temporaryDirectory()}/trust`;
  writeFileSync(path, `${site}/1\t1\n`);
  return path;
}

const plan = (options: CommandOptions) =>
  planCrawl({ allowPrivate: true, delay: 0, quiet: true, dir, scope: "page", ...options });

const ONLY_THIS_MACHINE = { allowPrivate: false, allowPrivateHost: ["127.0.0.1"] };

describe("a crawl of a list", () => {
  it("starts at all that a sitemap lists, with equal trust, and at the URLs given beside it", async () => {
    const { settings } = await plan({ sitemap: [`${site}/index.xml`], urls: [`${site}/0`] });
    const urls = ["/0", "/1", "/2", "/3"].map((path) => `${site}${path}`);
    const seeds = [...urls, "http://elsewhere.example/4"];
    expect(settings.seeds).toEqual(seeds.map((url) => ({ url, weight: 1 / 5 })));
    expect(settings.web.scope).toMatchObject({ kind: "page", seeds });
    expect(settings.sitemap).toEqual([`${site}/index.xml`]);
    expect(requested).toEqual(["/robots.txt", "/index.xml", "/a.xml.gz", "/b.txt"]);
  });

  it("does not read its sitemaps again, nor those that its robots.txt names, and stores what they say", async () => {
    const { settings, sitemaps = [] } = await plan({ sitemap: [`${site}/index.xml`], include: ["127"] });
    const store = createCrawl(dir, JSON.stringify(settings));
    const web = new InlineWeb(({ pathname }) =>
      pathname === "/robots.txt"
        ? { body: `Sitemap: ${site}/b.txt`, headers: { "content-type": "text/plain" } }
        : "page",
    );
    await (await launchCrawl({ settings, store, fetcher: web, readers: 0, sitemaps })).run();
    expect(web.requested.map((url) => url.slice(site.length))).toEqual(["/robots.txt", "/1", "/2", "/3"]);
    expect(Array.from(store.listedUrls(), ({ sitemap }) => sitemap.slice(site.length))).toEqual([
      "/a.xml.gz",
      "/b.txt",
      "/b.txt",
    ]);
    store.close();
  });

  it("leaves out what patterns of the user leave out", async () => {
    const { settings } = await plan({ sitemap: [`${site}/index.xml`], include: ["127"], exclude: ["/2$"] });
    expect(settings.seeds.map(({ url }) => url)).toEqual([`${site}/1`, `${site}/3`]);
  });

  it("sends headers of the user to the hosts that the user named, not to those that a sitemap lists", async () => {
    const options = { sitemap: [`${site}/index.xml`], urls: ["https://named.example/"], header: ["X-Key: 1"] };
    const { session } = await plan(options);
    const origins = (session.options.headers ?? []).map(({ origin }) => origin);
    expect(origins).toContain("https://named.example");
    expect(origins).toContain(site);
    expect(origins.filter((origin) => origin.includes("elsewhere"))).toEqual([]);
  });

  it("sends them there again when it is resumed by its directory alone", async () => {
    const given = { header: ["X-Key: 1"], maxPages: 1 };
    const { settings } = await plan({ sitemap: [`${site}/index.xml`], urls: ["https://named.example/"], ...given });
    const store = createCrawl(dir, JSON.stringify(settings));
    await (await launchCrawl({ settings, store, fetcher: new InlineWeb(() => "page"), readers: 0 })).run();
    store.close();
    const originsOf = async (options: CommandOptions): Promise<unknown> =>
      (await planCrawl({ dir, ...given, ...options })).session.options.headers?.map(({ origin }) => origin);
    const ofSite = [site, site.replace("http:", "https:")];
    expect(await originsOf({})).toEqual(["https://named.example", ...ofSite]);
    // Seeds that replace those of the list are all named.
    expect(await originsOf({ urls: [`${site}/1`, `${site}/2`] })).toEqual(ofSite);
  });

  it("names what cannot be fetched, and goes on with the rest, which coverage does not forget", async () => {
    const { settings, proxy } = await plan({ ...ONLY_THIS_MACHINE, sitemap: [`${site}/mixed.txt`] });
    expect(said.join("")).toContain('mixed.txt: 1 entry is no URL of a web page ("http://a b/")');
    expect(settings.seeds.map(({ url }) => url)).toEqual([`${site}/1`, "http://10.0.0.1/", "http://10.0.0.1/x"]);
    expect(await checkSeedHosts(settings, proxy)).toBe(
      "2 of the 3 listed URLs cannot be fetched now: the seed host 10.0.0.1 is not a public address; " +
        "for your own hosts use --allow-private",
    );
  });

  it("names a part of an index that is cut off, and goes on with what came of it", async () => {
    const { settings } = await plan({ sitemap: [`${site}/cut-part.xml`] });
    expect(said.join("")).toContain(
      `the sitemap ${site}/cut.xml is read only in part, and may list more: it is cut off`,
    );
    expect(settings.seeds.map(({ url }) => url)).toEqual([`${site}/1`]);
  });

  it("is refused if none of its URLs can be fetched, or one that the user named", async () => {
    const listed = await plan({ ...ONLY_THIS_MACHINE, sitemap: [`${site}/mixed.txt`], exclude: ["127"] });
    await expect(checkSeedHosts(listed.settings, listed.proxy)).rejects.toThrow(
      "none of the listed URLs can be fetched: the seed host 10.0.0.1 is not a public address",
    );
    const named = await plan({ ...ONLY_THIS_MACHINE, sitemap: [`${site}/mixed.txt`], urls: ["http://10.0.0.2/"] });
    await expect(checkSeedHosts(named.settings, named.proxy)).rejects.toThrow("the seed host 10.0.0.2 is not");
  });

  it("may be the user's own: of more than ten seeds some may be gone", async () => {
    const urls = Array.from({ length: 10 }, (_, k) => `http://10.0.0.1/${k}`);
    const few = await plan({ ...ONLY_THIS_MACHINE, sitemap: [], scope: "host", urls: [...urls.slice(1), site] });
    await expect(checkSeedHosts(few.settings, few.proxy)).rejects.toThrow("the seed host 10.0.0.1 is not");
    const many = await plan({ ...ONLY_THIS_MACHINE, sitemap: [], scope: "host", urls: [...urls, site] });
    expect(await checkSeedHosts(many.settings, many.proxy)).toMatch(
      /^10 of the 11 listed URLs cannot be fetched now: the seed host 10.0.0.1 is not a public address/,
    );
  });

  it.each<[why: string, options: () => CommandOptions, message: string | RegExp]>([
    ["is not there", () => ({ sitemap: [`${site}/none`] }), "is not read: it responds with 404 (not found)"],
    ["is cut off", () => ({ sitemap: [`${site}/cut.xml`] }), /cut.xml is read only in part, .*: it is cut off/],
    [
      "is cut off on its way",
      () => ({ sitemap: [`${site}/half.xml`] }),
      /half.xml is read only in part, .*: it is cut off/,
    ],
    ["lists nothing", () => ({ sitemap: [`${site}/empty.xml`] }), /nothing to crawl: .*empty.xml lists no URL/],
    [
      "lists nothing that the patterns let pass",
      () => ({ sitemap: [`${site}/index.xml`], include: ["nothing"] }),
      "--include and --exclude leave out all 4 URLs",
    ],
    [
      "lists nothing that is a URL",
      () => ({ sitemap: [`${site}/wrong.txt`] }),
      /nothing to crawl: .*2 entries are no URLs of web pages \("http:\/\/a b\/", "http:\/\/"\)/,
    ],
    ["is no URL", () => ({ sitemap: ["sitemap"] }), '"sitemap" is not the URL of a web page'],
    ["comes with a trust file", () => ({ sitemap: [`${site}/b.txt`], trust: trustFile() }), "leave out one of them"],
    ["is to be a site's", () => ({ sitemap: [`${site}/b.txt`], scope: "host" }), "give URLs to start from as well"],
    ["has an address of its own network", () => ({ sitemap: [`${site}/b.txt`], allowPrivate: false }), "private"],
  ])("is refused if its sitemap %s", async (_, options, message) => {
    await expect(plan(options())).rejects.toThrow(message);
  });
});
