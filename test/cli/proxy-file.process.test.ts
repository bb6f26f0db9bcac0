/** `tidemark crawl --proxy-file`, and `--verbose`, with real proxies and sites on loopback. */
import type { ChildProcess } from "node:child_process";
import { chmodSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/index.ts";
import { ProxyPool } from "../../src/fetch/proxy-pool.ts";
import { openCrawlReadOnly } from "../../src/store/index.ts";
import { linesOf } from "./demo-web.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";
import { served } from "./sites.ts";

const PAGES = 12;
const HOSTS = Array.from({ length: 40 }, (_, k) => `http://h${k}.test/`);

/** Answers for every host: a front page that links to /1, /2 and so on. `asked` has the hosts by their number. */
async function startProxy(port = 0, onRequest: (server: Server, count: number) => void = () => {}) {
  let count = 0;
  const authorizations = new Set<string | undefined>();
  const server = createServer((request, response) => {
    authorizations.add(request.headers["proxy-authorization"]);
    onRequest(server, ++count);
    if (response.destroyed) return;
    const { pathname } = new URL(request.url ?? "");
    response.setHeader("content-type", "text/html");
    if (pathname === "/robots.txt") response.writeHead(404).end();
    else if (pathname === "/list.txt")
      response.setHeader("content-type", "text/plain").end(`${HOSTS[0]}1\n${HOSTS[0]}2\n`);
    else if (pathname !== "/") response.end(`page ${pathname}`);
    else response.end(Array.from({ length: PAGES }, (_, k) => `<a href="/${k + 1}">x</a>`).join(""));
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, count: () => count, authorizations };
}

const crawl = (folder: Folder, ...args: string[]) =>
  folder.run(["crawl", "--dir", "c", "--delay", "0", "--json", ...args]);

function outcomesIn(folder: Folder): Record<string, number> {
  const store = openCrawlReadOnly(folder.at("c"));
  const counts: Record<string, number> = {};
  for (const { outcome } of store.visits()) counts[outcome] = (counts[outcome] ?? 0) + 1;
  store.close();
  return counts;
}

it("loses no page when one of two proxies dies in the middle of a crawl, and keeps passwords to itself", async () => {
  const dying = await startProxy(0, (server, count) => {
    if (count === 15) server.close().closeAllConnections();
  });
  const other = await startProxy();
  const uris = [`http://me:s3cret@127.0.0.1:${dying.port}/`, `http://127.0.0.1:${other.port}/`];
  const folder = new Folder({ "p.txt": `# two\n${uris.join("\n")}\n` });
  chmodSync(folder.at("p.txt"), 0o644);
  // Three hosts for each proxy; the ports differ from run to run, and with them the choice.
  const pool = new ProxyPool(uris, { clock: systemClock, nameOf: (uri) => uri, onDown: () => {}, onNote: () => {} });
  const hosts = uris.flatMap((uri) => HOSTS.filter((host) => pool.choose(new URL(host).hostname) === uri).slice(0, 3));
  const { code, stdout, stderr } = await crawl(folder, ...hosts, "--proxy-file", "p.txt", "--verbose");
  expect(code).toBe(0);
  const pages = 6 * (PAGES + 1);
  expect(linesOf(stdout).at(-1)).toMatchObject({ type: "done", reason: "frontier-empty", pages, dead: 0, failed: 0 });
  expect(outcomesIn(folder)["dead"]).toBeUndefined();
  expect(dying.count()).toBe(15);
  expect([...dying.authorizations]).toEqual([`Basic ${Buffer.from("me:s3cret").toString("base64")}`]);
  expect([...other.authorizations]).toEqual([undefined]);
  expect(stderr).toContain("other users of this machine can read this file");
  const files = readdirSync(folder.at("c")).map((name) => readFileSync(folder.at(`c/${name}`), "latin1"));
  expect(files.join() + stdout + stderr).not.toContain("s3cret");
  expect(JSON.parse(String(settingsIn(folder)))).toMatchObject({
    network: { proxy: null, proxyFile: folder.at("p.txt") },
  });
});

function settingsIn(folder: Folder): string {
  const store = openCrawlReadOnly(folder.at("c"));
  const settings = store.settings();
  store.close();
  return settings;
}

it("stops with a clear failure if no proxy works, and goes on where it was when one does", async () => {
  const proxy = await startProxy(0, (server) => void server.close().closeAllConnections());
  const folder = new Folder({ "p.txt": `http://me:s3cret@127.0.0.1:${proxy.port}\nhttp://127.0.0.1:1\n` });
  const failed = await crawl(folder, HOSTS[0], "--proxy-file", "p.txt");
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/none of the 2 proxies works \(http:\/\/127\.0\.0\.1:\d+\/: .*ECONNREFUSED/);
  expect(failed.stderr).toContain("resume: tidemark crawl --dir c");
  expect(failed.stderr).not.toContain("s3cret");
  expect(linesOf(failed.stdout).at(-1)).toMatchObject({ type: "done", reason: "failed", pages: 0, dead: 0, failed: 0 });
  expect(outcomesIn(folder)).toEqual({});
  const { port } = await startProxy();
  writeFileSync(folder.at("p.txt"), `127.0.0.1:${port}\n`);
  const resumed = await crawl(folder);
  expect(resumed.code).toBe(0);
  expect(linesOf(resumed.stdout).at(-1)).toMatchObject({ reason: "frontier-empty", pages: PAGES + 1 });
});

/** Runs the command in a shell that gives it the file p.txt as a pipe, which can be read once. */
function startPiped(folder: Folder, ...args: string[]): ChildProcess {
  const script = 'exec "$@" --proxy-file <(cat p.txt)';
  return folder.start("bash", ["-c", script, "bash", process.execPath, MAIN, "crawl", "--dir", "c", ...args]);
}

it("may be a pipe, of a crawl that goes on", async () => {
  const proxy = await startProxy();
  const folder = new Folder({ "p.txt": `127.0.0.1:${proxy.port}\n` });
  const limits = ["--delay", "0", "--no-sitemaps", "--max-pages", "1", "--forever", "--budget", "288000"];
  const child = startPiped(folder, HOSTS[0], ...limits);
  const outcome = outcomeOf(child);
  const isOver = outcome.then(() => true);
  // After robots.txt and the one page of the limit.
  await expect.poll(() => proxy.count() > 2 || Promise.race([isOver, false])).toBe(true);
  child.kill("SIGINT");
  expect(await outcome).toMatchObject({ code: 0 });
  expect(proxy.count()).toBeGreaterThan(2);
});

it("may be a pipe, of a crawl of a list", async () => {
  const proxy = await startProxy();
  const folder = new Folder({ "p.txt": `127.0.0.1:${proxy.port}\n` });
  const list = ["--scope", "page", "--sitemap", `${HOSTS[0]}list.txt`];
  expect(await outcomeOf(startPiped(folder, ...list, "--delay", "0"))).toMatchObject({ code: 0 });
  expect(outcomesIn(folder)).toEqual({ downloaded: 2 });
});

const STAMP = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

it("prints one line per fetch with --verbose, of a crawl and of a refresh", async () => {
  const site = await served((request, response) => {
    response.setHeader("content-type", "text/html");
    if (request.url === "/") response.end('<a href="/a">a</a> <a href="/gone">b</a>');
    else if (request.url === "/a") response.end("page");
    else response.writeHead(404).end();
  });
  const folder = new Folder();
  const { stderr, stdout } = await crawl(folder, site, "--allow-private", "--verbose", "--no-sitemaps");
  const lines = stderr.split("\n").filter((line) => line.includes(" http://"));
  const line = (status: string, path: string) => new RegExp(`^${STAMP} ${status} \\d+ \\d+ ${site}${path}$`);
  expect(lines.filter((each) => !each.startsWith("tidemark:"))).toHaveLength(4);
  expect(lines).toContainEqual(expect.stringMatching(line("404", "robots.txt")));
  expect(lines).toContainEqual(expect.stringMatching(line("200", "")));
  expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${STAMP} 200 4 \\d+ ${site}a$`)));
  expect(lines).toContainEqual(expect.stringMatching(line("404", "gone")));
  expect(linesOf(stdout).at(-1)).toMatchObject({ type: "done", pages: 2 });
  const refreshed = await folder.run(["refresh", "c", "--budget", "2", "--once", "--verbose"]);
  expect(refreshed.stderr.split("\n").filter((each) => line("200", "a?").test(each))).toHaveLength(2);
  expect(refreshed.stdout).toContain("Read again: 2 unchanged");
  for (const [args, message] of [
    [["--plan", "--verbose"], "--verbose is about fetching"],
    [["--once", "--verbose", "--quiet"], "contradict each other"],
  ] as const) {
    const { code, stderr: error } = await folder.run(["refresh", "c", "--budget", "2", ...args]);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  }
});

it("names failures in the place of a status", async () => {
  const folder = new Folder();
  const { stderr } = await crawl(folder, "http://127.0.0.1:1/", "--allow-private", "--verbose", "--max-time", "1s");
  expect(stderr).toMatch(new RegExp(`^${STAMP} connect-refused 0 \\d+ http://127\\.0\\.0\\.1:1/robots\\.txt$`, "m"));
});
