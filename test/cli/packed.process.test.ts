/**
 * What a user gets by installing the package: the files that are packed, with the dependencies that it names, and
 * nothing else.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createCrawl } from "../../src/store/index.ts";
import { plainSettings } from "../support/plain-settings.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { installed, packed, root } from "./installed.ts";

const folder = mkdtempSync(join(tmpdir(), "tidemark-packed-"));
let program: string;
beforeAll(async () => {
  program = join(await installed(folder), "dist/cli/main.js");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function smallCrawl(): string {
  const dir = join(temporaryDirectory(), "crawl");
  const store = createCrawl(dir, JSON.stringify(plainSettings(["https://a.example/"])));
  tellSmallCrawl(store).replaceTrust([{ url: 0, weight: 1 }]);
  store.close();
  return dir;
}

it("an installed package serves its dashboard, page and all", async () => {
  const child = spawn(process.execPath, [program, "serve", smallCrawl(), "--listen", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  const line = await new Promise<string>((resolve) => {
    child.stdout.setEncoding("utf8").once("data", resolve);
  });
  const { url } = JSON.parse(line) as { url: string };
  const page = await (await fetch(url)).text();
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
  expect(files.some((path) => path.endsWith(".js"))).toBe(true);
  expect(files.some((path) => path.endsWith(".css"))).toBe(true);
  for (const path of files) {
    const reply = await fetch(new URL(path, url));
    expect([path, reply.status]).toEqual([path, 200]);
    expect((await reply.text()).length).toBeGreaterThan(100);
  }
  expect((await fetch(new URL("/api/overview", url))).status).toBe(200);
  // The survey is computed by a thread of its own, whose entry must be packed as well.
  while (!(await fetch(new URL("/api/missing", url))).ok) await setTimeout(100);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

it("packing leaves in place what runs from dist, and packs nothing whose source is gone", async () => {
  const main = join(root, "dist/cli/main.js");
  const stale = join(root, "dist/base/source-is-gone.js");
  writeFileSync(stale, "");
  onTestFinished(() => rmSync(stale, { force: true }));
  const { ino } = statSync(main);
  const packing = packed(temporaryDirectory());
  const isPacked = packing.then(() => true);
  while (!(await Promise.race([isPacked, setTimeout(2, false)]))) expect(existsSync(main)).toBe(true);
  const names = execFileSync("tar", ["-tzf", await packing], { encoding: "utf8" }).split("\n");
  expect(names).toContain("package/dist/cli/main.js");
  expect(names.filter((name) => /source-is-gone|\.sources/.test(name))).toEqual([]);
  // Not even written again: the sources are the same.
  expect(statSync(main).ino).toBe(ino);
});

it("an installed package says what else tidemark mcp needs", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "mcp"], {
    cwd: temporaryDirectory(),
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/needs two more packages: run npm install @modelcontextprotocol\/sdk zod/);
});

it("an installed package says what else --render needs, and creates nothing", () => {
  const cwd = temporaryDirectory();
  const args = ["crawl", "http://127.0.0.1:9/", "--allow-private", "--render", "auto"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, encoding: "utf8" });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/--render needs the package playwright-core, .*: npm install playwright-core/);
  expect(readdirSync(cwd)).toEqual([]);
});
