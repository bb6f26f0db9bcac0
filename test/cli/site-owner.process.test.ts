/** What a crawl tells the owner of a site, from the command to the report. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { linesOf } from "./demo-web.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";
import { served } from "./sites.ts";

const COMMON = ["--delay", "0", "--allow-private", "--dir", "c"];
const WORDS = Array.from({ length: 1000 }, (_, k) => `word${k ** 3 % 1009}`);

/** Pages by their paths; others are 404. */
async function site(
  pages: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly paths: string[] }> {
  const paths: string[] = [];
  const url = await served(({ url: path = "" }, response) => {
    paths.push(path);
    const body = pages[path];
    const type = path.endsWith(".xml") ? "application/xml" : "text/html";
    if (body === undefined) return void response.writeHead(404, { "content-type": type }).end();
    if (body.startsWith("/")) return void response.writeHead(302, { location: body }).end();
    response.setHeader("content-type", type).end(body);
  });
  return { url, paths };
}

it("finds near-duplicates and the texts of broken links, in exports and in the report", async () => {
  const folder = new Folder();
  const { url } = await site({
    "/": '<a href="a">A</a><a href="b">B</a><a href="gone">the old page</a>',
    "/a": `<title>A</title>${WORDS.join(" ")}`,
    "/b": `<title>A</title><b>${WORDS.join(" ")}</b>`,
  });
  const crawled = await folder.run(["crawl", url, ...COMMON, "--near-duplicates", "--anchors"]);
  expect([crawled.code, crawled.stderr]).toEqual([0, expect.not.stringContaining("bug")]);
  const near = await folder.run(["export", "c", "--format", "near-duplicates", "--no-importance"]);
  expect(near.stdout.trim().split("\r\n").slice(1)).toEqual([`1,2,0,${url}a,A`, `1,2,0,${url}b,A`]);
  const broken = await folder.run(["export", "c", "--format", "broken-links", "--no-importance"]);
  expect(broken.stdout).toContain(`${url},the old page,${url}gone,404`);
  expect((await folder.run(["report", "c", "--out", "r.html"])).code).toBe(0);
  const report = readFileSync(folder.at("r.html"), "utf8");
  expect(report).toContain("the old page");
  expect(report).toContain("Near-duplicate pages");
});

it("says that a login page stands before the site, in words and in JSON", async () => {
  const folder = new Folder();
  const pages: Record<string, string> = { "/": "/login", "/login": "<form>password</form>" };
  const { url } = await site(pages);
  const { stdout, code } = await folder.run(["crawl", url, ...COMMON]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("the site may want a login")]);
  const again = await folder.run(["crawl", url, "--delay", "0", "--allow-private", "--dir", "d", "--json"]);
  expect(linesOf(again.stdout).at(-1)).toMatchObject({ loginWall: { page: `${url}login`, seeds: 1 } });
  const certified = await folder.run(["coverage", "c"]);
  expect(certified.stdout).toContain(`The seed leads to ${url}login: the site may want a login`);
  const document = JSON.parse((await folder.run(["coverage", "c", "--json"])).stdout) as unknown;
  expect(document).toMatchObject({ loginWall: { page: `${url}login`, seeds: 1 } });
  // With a session the crawl starts anew: its only page was that of the login.
  writeFileSync(folder.at("auth.txt"), `${new URL(url).origin} me secret\n`, { mode: 0o600 });
  pages["/"] = "welcome";
  const inside = await folder.run(["crawl", url, ...COMMON, "--auth-file", "auth.txt", "--json"]);
  expect(linesOf(inside.stdout).at(-1)).toMatchObject({ pages: 1, coverage: 1 });
  expect((await folder.run(["export", "c", "--states", "downloaded"])).stdout).not.toContain("login");
});

it("says that a session has ended when a crawl is resumed without it, however few URLs are left", async () => {
  const folder = new Folder();
  const url = await served(({ url: path = "", headers }, response) => {
    const isOpen = headers.cookie !== undefined || path.startsWith("/login");
    if (!isOpen) return void response.writeHead(302, { location: `/login?next=${path}` }).end();
    response.setHeader("content-type", "text/html").end('<a href="/a">a</a><a href="/b">b</a>');
  });
  writeFileSync(folder.at("cookies.txt"), `127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tx\n`, { mode: 0o600 });
  const args = ["crawl", url, ...COMMON, "--no-sitemaps", "--json"];
  const inside = await folder.run([...args, "--cookie-file", "cookies.txt", "--max-pages", "2"]);
  expect(linesOf(inside.stdout).at(-1)).toMatchObject({ pages: 2 });
  const outside = await folder.run([...args, "--max-pages", "100"]);
  expect(linesOf(outside.stdout).at(-1)).toMatchObject({ loginWall: { page: `${url}login`, urls: 1, last: 1 } });
  expect((await folder.run(["coverage", "c"])).stdout).toContain(`The last URL redirects to ${url}login`);
});

it("reads the sitemap of a list once, and names the hosts that cannot be fetched", async () => {
  const folder = new Folder();
  const listed = { sitemap: "" };
  const { url, paths } = await site({
    get "/list.xml"() {
      return listed.sitemap;
    },
    "/a": "a",
  });
  const entry = (address: string): string => `<url><loc>${address}</loc></url>`;
  listed.sitemap = `<urlset>${entry(`${url}a`)}${entry("http://no-such-host.invalid/")}</urlset>`;
  const args = ["crawl", "--scope", "page", "--sitemap", `${url}list.xml`, ...COMMON, "--json"];
  const child = folder.start(process.execPath, [MAIN, ...args]);
  const ended = outcomeOf(child);
  let told = "";
  child.stderr?.on("data", (text: string) => (told += text));
  // It would try the host again and again.
  await expect.poll(() => told).toContain("1 of the 2 listed URLs cannot be fetched now");
  await expect.poll(() => paths).toContain("/a");
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain("no-such-host.invalid");
  expect(paths.filter((path) => path === "/list.xml")).toHaveLength(1);
  expect(paths).toContain("/a");
});

it("names a proxy that wants a password", async () => {
  const proxy = await served((_, response) => void response.writeHead(407).end());
  const folder = new Folder({ "proxies.txt": proxy });
  const args = ["crawl", "http://site.test/", "--dir", "c", "--delay", "0", "--proxy-file", "proxies.txt", "--json"];
  const { stderr } = await folder.run([...args, "--max-time", "5s"]);
  expect(stderr).toMatch(/127\.0\.0\.1:\d+.*user name and (?:a )?password/);
});
