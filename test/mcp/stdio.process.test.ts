/** The server as clients start it: a process that speaks the protocol on its standard streams, and nothing else. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDemoServer } from "../../src/demo/index.ts";
import { SEED } from "../cli/demo-web.ts";
import { Folder, MAIN } from "../cli/run.ts";
import { statusOf, textOf, type View, webText } from "./connected.ts";

/** A folder with the settings that lead a server to the demo web. */
async function demoFolder(delay = "0"): Promise<Folder> {
  const server = await startDemoServer();
  onTestFinished(() => server.close());
  const settings = { resolve: server.resolve, delay, "per-host": 4, "per-address": 32, scope: "domain" };
  return new Folder({ "settings.json": JSON.stringify(settings) });
}

const ARGS = ["mcp", "--allow-private", "--config", "settings.json"];

interface Message {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly result?: CallToolResult;
  readonly error?: { readonly message: string };
}

/** A server that is spoken to line by line. */
class Server {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  stderr = "";
  #stdout = "";

  constructor(folder: Folder, args: readonly string[] = ARGS) {
    this.child = folder.start(process.execPath, [MAIN, ...args]);
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.child, "close").then(([code]) => code as number | null);
    this.write({ id: 0, method: "initialize", params: INITIALIZE });
    this.write({ method: "notifications/initialized" });
  }

  write(message: object | string): void {
    const line = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin?.write(`${line}\n`);
  }

  call(id: number, name: string, args: object): void {
    this.write({ id, method: "tools/call", params: { name, arguments: args } });
  }

  /** All that was written so far; fails if any line is not of the protocol. */
  messages(): Message[] {
    const lines = this.#stdout.split("\n");
    expect(lines.pop()).toBe("");
    return lines.map((line) => {
      const message = JSON.parse(line) as Message;
      expect(message.jsonrpc).toBe("2.0");
      return message;
    });
  }

  async reply(id: number): Promise<CallToolResult> {
    const find = () => this.messages().find((message) => message.id === id);
    await expect.poll(() => this.#stdout.endsWith("\n") && find() !== undefined).toBe(true);
    return find()?.result as CallToolResult;
  }
}

const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };

function viewIn(reply: CallToolResult): View {
  return (reply.structuredContent as { crawls: View[] }).crawls[0];
}

describe("tidemark mcp", () => {
  it("lets the SDK's client crawl the demo web, and read it", async () => {
    const folder = await demoFolder();
    const client = new Client({ name: "test", version: "1" });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, ...ARGS],
      cwd: folder.path,
      stderr: "pipe",
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> => {
      const reply = (await client.callTool({ name, arguments: args })) as CallToolResult;
      expect(reply.isError, textOf(reply)).toBeFalsy();
      return reply;
    };
    const document = async <T>(tool: string, args: Record<string, unknown> = {}): Promise<T> =>
      (await call(tool, args)).structuredContent as T;
    expect(await document("crawl", { urls: [SEED], coverage: 0.5 })).toMatchObject({ name: "www.demo.test" });
    const name = "www.demo.test";
    await expect.poll(async () => (await statusOf(document, name)).state).toBe("finished");
    const { coverage, pages } = await statusOf(document, name);
    expect(coverage).toBeGreaterThanOrEqual(0.5);
    expect(pages).toBeGreaterThan(10);
    expect(folder.names()).toEqual(["crawls", "settings.json"]);

    const [, first] = webText(textOf(await call("map", { name, limit: 5 }))).split("\n");
    const [rank, , , url, title] = first.split("\t");
    expect(rank).toBe("1");
    expect(webText(textOf(await call("read", { name, url }))).length).toBeGreaterThan(20);
    expect(textOf(await call("search", { name, words: title }))).toContain(url);
    expect(textOf(await call("pack", { name, tokens: 3000 }))).toMatch(/they hold at least \d/);
    expect(await document("coverage", { name })).toMatchObject({ pages, target: 0.5 });
    await client.close();
    // Nobody holds the crawl any more.
    const { code, stdout } = await folder.run(["coverage", "crawls/www.demo.test"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/pages hold at least/)]);
  });

  it("writes the protocol alone, ends with its input, and leaves a crawl that can be resumed", async () => {
    const folder = await demoFolder("300ms");
    const server = new Server(folder);
    server.write("this is no JSON");
    server.write({ id: 1, method: "no/such/method" });
    server.call(2, "no-such-tool", {});
    server.call(3, "crawl", { urls: 7 });
    server.call(4, "crawl", { urls: ["http://10.0.0.1/"], name: "../x" });
    server.call(5, "crawl", { urls: [SEED], name: "slow" });
    expect((await server.reply(2)).isError).toBe(true);
    expect((await server.reply(3)).isError).toBe(true);
    expect(textOf(await server.reply(4))).toMatch(/is no name of a crawl/);
    expect((await server.reply(5)).structuredContent).toMatchObject({ name: "slow", resumed: false });
    let id = 10;
    await expect
      .poll(async () => {
        server.call(++id, "status", { name: "slow" });
        return viewIn(await server.reply(id)).pages;
      })
      .toBeGreaterThan(2);
    // This call is still answered.
    server.call(6, "status", {});
    server.child.stdin?.end();
    expect(await server.ended).toBe(0);
    expect(viewIn(await server.reply(6))).toMatchObject({ name: "slow" });
    expect(server.messages().find((message) => message.id === 1)?.error?.message).toMatch(/not found/i);
    expect(server.stderr).toBe("");

    const next = new Server(folder);
    next.call(1, "status", { name: "slow" });
    const view = viewIn(await next.reply(1));
    expect(view).toMatchObject({ state: "stopped", why: expect.stringMatching(/cut off/) });
    expect(view.pages).toBeGreaterThan(2);
    next.call(2, "crawl", { name: "slow", maxPages: view.pages + 3 });
    expect((await next.reply(2)).structuredContent).toMatchObject({ resumed: true });
    next.child.stdin?.end();
    expect(await next.ended).toBe(0);
  });

  it("sends a reply that is too long to be counted at once, although its input has ended", async () => {
    const server = new Server(new Folder({}), ["mcp"]);
    server.call(1, "深".repeat(40_000), {});
    server.child.stdin?.end();
    expect(await server.ended).toBe(0);
    expect(textOf(await server.reply(1))).toMatch(/^the reply has more than 25000 tokens: ask for less/);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends cleanly at %s, with its input open", async (signal) => {
    const folder = await demoFolder("300ms");
    const server = new Server(folder);
    server.call(1, "crawl", { urls: [SEED], name: "slow" });
    await server.reply(1);
    server.child.kill(signal);
    expect(await server.ended).toBe(0);
    expect(server.messages().length).toBe(2);
    const { code, stdout } = await folder.run(["coverage", "crawls/slow"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/at least/)]);
  });

  it("shows the crawl of a server that was killed as stopped, and resumes it", async () => {
    const folder = await demoFolder("100ms");
    const server = new Server(folder);
    server.call(1, "crawl", { urls: [SEED], name: "slow" });
    await server.reply(1);
    let id = 10;
    await expect
      .poll(async () => {
        server.call(++id, "status", { name: "slow" });
        return viewIn(await server.reply(id)).pages;
      })
      .toBeGreaterThan(2);
    server.child.kill("SIGKILL");
    await server.ended;
    const next = new Server(folder);
    next.call(1, "status", {});
    const view = viewIn(await next.reply(1));
    expect(view).toMatchObject({ name: "slow", state: "stopped" });
    next.call(2, "crawl", { name: "slow" });
    expect((await next.reply(2)).structuredContent).toMatchObject({ name: "slow", resumed: true });
    next.child.stdin?.end();
    expect(await next.ended).toBe(0);
  });

  it("refuses what makes no sense, with a message on standard error alone", async () => {
    const folder = new Folder({
      file: "",
      "wrong.yaml": "max-pages: many\n",
      "seeds.yaml": "urls: [https://www.example.com/]\n",
      "command.yaml": "dry-run: true\n",
    });
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await folder.run(["mcp", ...args]);
      expect([code, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await refused("--root", "file")).toMatch(/: --root file is a file; expected a directory for the crawls\n/);
    expect(await refused("--config", "wrong.yaml")).toMatch(/wrong\.yaml: line 1: max-pages: got "many"/);
    expect(await refused("--config", "seeds.yaml")).toMatch(/urls is no setting of all crawls of the server/);
    expect(await refused("--config", "command.yaml")).toMatch(/dry-run is no setting of all crawls/);
    expect(await refused("--max-crawls", "0")).toMatch(/Expected a whole number from 1 to 64/);
    expect(await refused("crawls")).toMatch(/too many arguments/);
  });
});
