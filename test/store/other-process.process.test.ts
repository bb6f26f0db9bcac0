/** The directory of a crawl before other processes: one writes, others may look, and a killed one frees it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { createCrawl, openCrawl, openWindow, type SqliteStore } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const BUILT = JSON.stringify(new URL("../../dist/store/index.js", import.meta.url).href);

const TRIES_TO_WRITE = `
  import { createCrawl, openCrawl, openCrawlReadOnly } from ${BUILT};
  const dir = process.argv[1];
  for (const act of [() => openCrawl(dir + "/crawl"), () => createCrawl(dir + "/new", "{}")]) {
    try {
      act();
      console.log("written");
    } catch (error) {
      console.log(String(error));
    }
  }
  const reader = openCrawlReadOnly(dir + "/crawl");
  console.log("read", reader.settings(), ...reader.urls());
  reader.close();
`;

/** A process that commits one URL, adds another and waits to be killed; run as built. */
const HOLDS_A_CRAWL = `
  import { openCrawl } from ${BUILT};
  const store = openCrawl(process.argv[1]);
  const url = { id: 0, origin: 0, path: "/committed", depth: 0, source: "seed", discoveredAt: 0, reason: null };
  store.addOrigin(0, "http://a.example");
  store.addUrl(url);
  store.commit();
  store.addUrl({ ...url, id: 1, path: "/told" });
  process.stdout.write("ready");
  // A store that nobody refers to any more is collected, and its lock with it.
  setInterval(() => store.urlCount, 1000);
`;

describe("a directory of another process", () => {
  it("that it may not write is refused, but may be read", () => {
    const dir = temporaryDirectory();
    const crawl = join(dir, "crawl");
    createCrawl(crawl, '{"read":"me"}').close();
    for (const [path, mode] of [
      [join(crawl, "crawl.sqlite"), 0o444],
      [join(crawl, "lock.sqlite"), 0o444],
      [crawl, 0o555],
      [dir, 0o555],
    ] as const) {
      chmodSync(path, mode);
    }
    // The superuser may write anywhere: the child is somebody else.
    const somebody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", TRIES_TO_WRITE, dir], somebody);
    chmodSync(dir, 0o755);
    chmodSync(crawl, 0o755);
    expect(String(said).split("\n")).toEqual([
      `UsageError: ${crawl} may not be written: expected permission to crawl into it`,
      `UsageError: ${dir}/new cannot be used as the directory of a crawl: permission denied`,
      'read {"read":"me"}',
      "",
    ]);
    expect(readdirSync(crawl)).toEqual(["crawl.sqlite", "lock.sqlite"]);
    expect(readdirSync(dir)).toEqual(["crawl"]);
  });

  it("is freed when the process is killed, with all that it had committed", async () => {
    const dir = temporaryDirectory();
    createCrawl(dir, "{}").close();
    const holder = await holderOf(dir);
    expect(() => openCrawl(dir)).toThrow(UsageError);
    expect(() => openCrawl(dir)).toThrow(`is in use by process ${holder.pid}`);
    await kill(holder);
    expect(urlsOf(openCrawl(dir))).toEqual(["/committed"]);
  });

  it("is seen to be held, and to be free again, through a window", async () => {
    const dir = temporaryDirectory();
    createCrawl(dir, "{}").close();
    const window = openWindow(dir);
    onTestFinished(() => window.close());
    const holder = await holderOf(dir);
    expect(window.isHeld()).toBe(true);
    await kill(holder);
    expect(window.isHeld()).toBe(false);
    openCrawl(dir).close();
  });
});

async function holderOf(dir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", HOLDS_A_CRAWL, dir]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [words] = await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
  expect(String(words)).toBe("ready");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

function urlsOf(store: SqliteStore): (string | null)[] {
  const paths = [...store.urls()].map(({ path }) => path);
  store.close();
  return paths;
}
