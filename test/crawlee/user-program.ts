/** A program of a user of Crawlee, in a project with Tidemark and Crawlee installed, on a small site. */
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/temporary.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const SITE: Readonly<Record<string, readonly string[]>> = {
  "/": ["/a", "/b", "https://elsewhere.example/"],
  "/a": ["/", "/b"],
  "/b": ["/a", "/c"],
  "/c": ["/"],
};

/** A site of four pages; returns its URL. */
export async function startSite(): Promise<string> {
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

/** Returns what it prints; its argument is the URL of the site. */
export async function runProgram(program: string): Promise<string> {
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
