/** The programs of docs/crawlee.md and examples/ run as printed, with the real packages, on a small site. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/temporary.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const SITE: Readonly<Record<string, readonly string[]>> = {
  "/": ["/a", "/b", "https://elsewhere.example/"],
  "/a": ["/", "/b"],
  "/b": ["/a", "/c"],
  "/c": ["/"],
};

let guide: string[];

beforeAll(() => {
  const text = readFileSync(join(root, "docs/crawlee.md"), "utf8");
  guide = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, program]) => program);
});

async function startSite(): Promise<string> {
  const server = createServer((request, response) => {
    const links = SITE[request.url ?? ""];
    response.writeHead(links === undefined ? 404 : 200, { "content-type": "text/html" });
    const anchors = (links ?? []).map((link) => `<a href="${link}">x</a>`);
    response.end(`<title>Page ${request.url}</title>${anchors.join("")}`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A project of a user, with Tidemark and Crawlee installed. */
async function run(program: string): Promise<string> {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(root, join(cwd, "node_modules/tidemark"));
  symlinkSync(join(root, "bench/node_modules/@crawlee"), join(cwd, "node_modules/@crawlee"));
  writeFileSync(join(cwd, "program.mjs"), program);
  const env = {
    ...process.env,
    CRAWLEE_DEFAULT_BROWSER_PATH: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    CRAWLEE_DISABLE_BROWSER_SANDBOX: "1",
    CRAWLEE_HEADLESS: "1",
  };
  const options = { cwd, env, timeout: 120_000, killSignal: "SIGKILL" } as const;
  const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs", await startSite()], options);
  return stdout;
}

describe("the guide to Crawlee", () => {
  it.each([0, 1])("has program %i, which runs until its coverage is proved", async (number) => {
    const output = await run(guide[number]);
    expect(output).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a Page \/a$/m);
    expect(output).toMatch(/^4 pages hold at least 1 of all importance$/m);
  });
});

describe("examples/crawlee.mjs", () => {
  it("crawls a site and says what is proved", async () => {
    const output = await run(readFileSync(join(root, "examples/crawlee.mjs"), "utf8"));
    expect(output).toMatch(/^4 pages hold at least 100\.00% of all importance$/m);
    expect(output).toMatch(/^\d\d\.\d\d% if what the filter dropped counts$/m);
  });
});
