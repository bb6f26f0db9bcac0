/** Sites behind a login: who gets in, what the site next door learns, and that no secret is left anywhere. */
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  BASIC,
  COMMON,
  expectNoSecret,
  HEADER,
  NETSCAPE,
  PASSWORD,
  RENEWED,
  secretsIn,
  siteBehindLogin,
} from "./login-site.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";
import { served } from "./sites.ts";
import { linesOf } from "./demo-web.ts";

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

it("a seed that leads elsewhere takes no headers there, and the user is told", async () => {
  const got: IncomingHttpHeaders[] = [];
  const elsewhere = await served(({ headers }, response) => {
    got.push(headers);
    response.setHeader("content-type", "text/html").end("<p>here");
  });
  const seed = await served((_, response) => void response.writeHead(302, { location: elsewhere }).end());
  const { code, stderr } = await new Folder().run(["crawl", seed, ...COMMON, "--header", `X-Key: ${HEADER}`]);
  expect(code).toBe(0);
  expect(stderr).toContain(`--header is not sent there: start at ${elsewhere} if it should be`);
  expect(got.length).toBeGreaterThan(0);
  expect(got.filter((headers) => "x-key" in headers)).toEqual([]);
});

describe("a site behind a login", () => {
  it("is crawled with cookies, and nothing else learns them", async () => {
    const { url, thief, seen, stolen } = await siteBehindLogin();
    const folder = new Folder({ "cookies.txt": NETSCAPE });
    chmodSync(folder.at("cookies.txt"), 0o600);
    const session = ["--cookie-file", "cookies.txt", "--header", `X-Key: ${HEADER}`];
    const args = ["crawl", url, ...COMMON, "--scope", "any", "--warc", "--json", "--verbose", "--dir", "c"];
    const crawled = await folder.run([...args, ...session]);
    expect(crawled).toMatchObject({ code: 0, stderr: expect.not.stringContaining("chmod") });
    expect(linesOf(crawled.stdout).at(-1)).toMatchObject({ pages: 4, refused: 1, failed: 0, coverage: 1 });
    const pages = seen.filter(([path]) => !path.startsWith("/logout"));
    expect(new Set(pages.map(([path]) => path))).toEqual(
      new Set(["/robots.txt", "/", "/a", "/away", "/renew", "/renewed"]),
    );
    expect(pages.every(([, headers]) => headers["x-key"] === HEADER)).toBe(true);
    expect(seen.at(-1)?.[1].cookie).toBe(`sid=${RENEWED}`);
    // The sitemap was requested, but without the session that it would have ended.
    expect(seen.filter(([path]) => path.startsWith("/logout")).map(([, { cookie }]) => cookie)).toEqual([undefined]);
    expect(stolen.length).toBeGreaterThan(0);
    expect(stolen.flatMap((headers) => secretsIn(Buffer.from(JSON.stringify(headers))))).toEqual([]);

    const others = [
      ["crawl", url, ...COMMON, ...session, "--dry-run"],
      ["crawl", url, ...COMMON, ...session, "--dry-run", "--json"],
      ["coverage", "c", "--json"],
      ["report", "c", "--out", "c/report.html"],
      ["export", "c", "--out", "c/pages.jsonl"],
      ["refresh", "c", "--budget", "9", "--once", ...session],
      ["coverage", "c", "--confidence", "0.9", "--budget", "5", ...session],
    ];
    for (const words of others) {
      const outcome = await folder.run(words);
      expect({ words, code: outcome.code, stderr: outcome.stderr }).toMatchObject({ code: 0 });
      expectNoSecret(outcome);
    }
    expectNoSecret(crawled);
    const kept = filesBelow(folder.at("c"));
    expect(kept.map((file) => file.slice(folder.at("c/").length)).toSorted()).toEqual(
      expect.arrayContaining(["crawl.sqlite", "pages.jsonl", "report.html", "warc/index.cdxj"]),
    );
    expect(kept.filter((file) => secretsIn(readFileSync(file)).length > 0)).toEqual([]);
    const rows = readFileSync(folder.at("c/pages.jsonl"), "utf8").trim().split("\n");
    const refused = rows
      .map((row) => JSON.parse(row) as Record<string, unknown>)
      .filter(({ state }) => state === "refused");
    expect(refused).toMatchObject([{ url: `${url}logout`, reason: "logout" }]);
    expect(thief).not.toBe(url);
  });

  it("is crawled, sampled and read again with credentials of a file or of the environment", async () => {
    const { url, port, seen, stolen } = await siteBehindLogin();
    const auth = `# the site\nhttp://127.0.0.1:${port}  me  ${PASSWORD}\n`;
    const folder = new Folder({ auth });
    chmodSync(folder.at("auth"), 0o644);
    const args = ["crawl", url, ...COMMON, "--scope", "any", "--dir", "c", "--json"];
    const first = await folder.run([...args, "--max-pages", "1", "--auth-file", "auth"]);
    expect(first.stderr).toContain("auth: other users of this machine can read this file; run chmod 600 auth");
    expect(linesOf(first.stdout).at(-1)).toMatchObject({ pages: 1 });

    const without = await folder.run(["crawl", "--dir", "c", "--max-pages", "1"]);
    expect(without.stderr).toContain(
      "this crawl has been run with --auth-file (or TIDEMARK_AUTH), which is not stored: give the same again",
    );
    const again = await folder.runWith({ TIDEMARK_AUTH: auth }, [
      "crawl",
      "--dir",
      "c",
      "--max-pages",
      "none",
      "--json",
    ]);
    expect(again.stderr).not.toContain("not stored");
    expect(linesOf(again.stdout).at(-1)).toMatchObject({ pages: 4, failed: 0, refused: 1 });
    const refreshed = await folder.run(["refresh", "c", "--budget", "4", "--once", "--auth-file", "auth", "--json"]);
    expect(JSON.parse(refreshed.stdout)).toMatchObject({ unchanged: 4, failed: 0 });
    for (const outcome of [first, without, again, refreshed]) expectNoSecret(outcome);
    const kept = filesBelow(folder.at("c"));
    expect(kept.filter((file) => secretsIn(readFileSync(file)).length > 0)).toEqual([]);
    expect(seen.filter(([path]) => path === "/logout")).toEqual([]);
    expect(stolen.map(({ authorization }) => authorization ?? "none")).not.toContain(`Basic ${BASIC}`);
  });
});

it("a file of secrets may be a pipe, of a crawl of a list and of a refresh", async () => {
  const refused: (string | undefined)[] = [];
  const url = await served(({ url: path, headers }, response) => {
    if (path === "/robots.txt") return void response.writeHead(404).end();
    if (headers.authorization !== `Basic ${BASIC}`) refused.push(path);
    response.writeHead(200, { "content-type": "text/plain" }).end(path === "/list.txt" ? `${url}a\n${url}b\n` : "page");
  });
  const folder = new Folder({ secret: `${new URL(url).origin} me ${PASSWORD}\n` });
  const piped = (...words: string[]) =>
    outcomeOf(folder.start("bash", ["-c", '"$@" --auth-file <(cat secret)', "bash", process.execPath, MAIN, ...words]));
  const list = ["--scope", "page", "--sitemap", `${url}list.txt`, "--max-pages", "1"];
  expect(await piped("crawl", "--dir", "c", ...COMMON, ...list)).toMatchObject({ code: 0 });
  expect(await piped("refresh", "c", "--budget", "2", "--once")).toMatchObject({ code: 0 });
  expect(refused).toEqual([]);
});

it("a file of secrets may be a pipe, of a crawl that goes on", async () => {
  const read: string[] = [];
  const url = await served(({ url: path = "", headers }, response) => {
    if (headers.authorization !== `Basic ${BASIC}`) return void response.writeHead(403).end();
    read.push(path);
    response.setHeader("content-type", "text/html").end('<a href="/a">a</a>');
  });
  const folder = new Folder({ secret: `${new URL(url).origin} me ${PASSWORD}\n` });
  const words = ["crawl", url, "--dir", "c", ...COMMON, "--max-pages", "1", "--forever", "--budget", "288000"];
  const shell = ["-c", 'exec "$@" --auth-file <(cat secret)', "bash", process.execPath, MAIN];
  const child = folder.start("bash", [...shell, ...words]);
  const outcome = outcomeOf(child);
  const isOver = outcome.then(() => true);
  // The page that the limit left out is read by what follows.
  await expect.poll(() => read.includes("/a") || Promise.race([isOver, false])).toBe(true);
  child.kill("SIGINT");
  expect(await outcome).toMatchObject({ code: 0 });
  expect(read).toContain("/a");
});

it("arguments with a secret are not in the list of processes", async () => {
  let arrived: (response: ServerResponse) => void = () => {};
  const waiting = new Promise<ServerResponse>((resolve) => (arrived = resolve));
  const url = await served((request, response) => {
    if (request.url === "/") arrived(response);
    else response.writeHead(404).end();
  });
  const folder = new Folder();
  const child = folder.start(process.execPath, [MAIN, "crawl", url, ...COMMON, "--header", `X-Key: ${HEADER}`]);
  const ended = outcomeOf(child);
  const response = await waiting;
  const listed = execFileSync("ps", ["-o", "args=", "-p", String(child.pid)], { encoding: "utf8" });
  response.end("done");
  expect(listed.trim()).toBe("tidemark");
  expect(await ended).toMatchObject({ code: 0 });
});

it("credentials in a seed of standard input are refused", async () => {
  const folder = new Folder();
  const outcome = await folder.run(["crawl", "-"], `https://me:${PASSWORD}@a.example/\n`);
  expect(outcome).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the URL of "a.example" has a user name'),
  });
  expectNoSecret(outcome);
  expect(folder.names()).toEqual([]);
});
