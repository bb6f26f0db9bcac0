/** A server and the SDK's own client, connected in memory; both are closed when the test ends. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult, JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished } from "vitest";
import { loadTokenCounter } from "../../src/content/index.ts";
import type { McpOptions } from "../../src/mcp/index.ts";
import { createCrawlServer } from "../../src/mcp/server.ts";
import { InlineWeb, type Served } from "../support/inline-web.ts";
import { surveyed } from "../support/survey-now.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const count = await loadTokenCounter();

export type Web = Readonly<Record<string, Served>>;

export interface Connected {
  readonly root: string;
  readonly client: Client;
  /** URLs that were requested. */
  readonly requested: readonly string[];
  call(tool: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** The text of a reply that is no error. */
  text(tool: string, args?: Record<string, unknown>): Promise<string>;
  /** The document of a reply that is no error. */
  document<T>(tool: string, args?: Record<string, unknown>): Promise<T>;
  /** The message of a reply that is an error. */
  error(tool: string, args?: Record<string, unknown>): Promise<string>;
  /** Crawls until the end, and returns the name. */
  crawled(args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Pages by path, of every host. Without a web, pages come by HTTP. */
export async function connected(web: Web | undefined, options: Partial<McpOptions> = {}): Promise<Connected> {
  const root = options.root ?? join(temporaryDirectory(), "crawls");
  const requested: string[] = [];
  const serve = ({ href, pathname, search }: URL): Served | undefined => {
    requested.push(href);
    return web?.[pathname + search];
  };
  const { connect, close } = createCrawlServer({
    root,
    limits: { pages: 1000, timeMs: 60_000, bytes: 1e8 },
    crawlsMax: 2,
    readers: 0,
    surveyOf: async (dir) => surveyed(dir),
    onBug: (error) => expect.unreachable(String((error as Error).stack)),
    ...(web === undefined ? {} : { fetcher: () => new InlineWeb(serve) }),
    ...options,
    settings: { delay: 0, sitemaps: false, ...options.settings },
  });
  const client = new Client({ name: "test", version: "1" });
  const tokensSent: number[] = [];
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([connect(countingTokens(theirs, tokensSent)), client.connect(ours)]);
  onTestFinished(async () => {
    await close();
    await client.close();
  });
  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<CallToolResult> => {
    const reply = (await client.callTool({ name: tool, arguments: args })) as CallToolResult;
    expect(Math.max(...tokensSent)).toBeLessThanOrEqual(25_000);
    return reply;
  };
  const text = async (tool: string, args?: Record<string, unknown>): Promise<string> => {
    const reply = await call(tool, args);
    expect(reply.isError, textOf(reply)).toBeFalsy();
    return textOf(reply);
  };
  const document = async <T>(tool: string, args?: Record<string, unknown>): Promise<T> => {
    const reply = await call(tool, args);
    expect(reply.isError, textOf(reply)).toBeFalsy();
    expect(JSON.parse(textOf(reply))).toEqual(reply.structuredContent);
    return reply.structuredContent as T;
  };
  return {
    root,
    client,
    requested,
    call,
    text,
    document,
    error: async (tool, args) => {
      const reply = await call(tool, args);
      expect(reply.isError, textOf(reply)).toBe(true);
      return textOf(reply);
    },
    crawled: async (args) => {
      const { name } = await document<{ name: string }>("crawl", args);
      await expect.poll(async () => (await statusOf(document, name)).state).not.toBe("running");
      return name;
    },
    close,
  };
}

export interface View {
  readonly name: string;
  readonly state: string;
  readonly why: string;
  readonly pages: number;
  readonly waiting: number;
  readonly coverage: number;
  readonly ceiling: number;
  readonly target: number | null;
  readonly startUrls: readonly string[];
}

export async function statusOf(document: Connected["document"], name: string): Promise<View> {
  const { crawls } = await document<{ crawls: View[] }>("status", { name });
  return crawls[0];
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** What stands between the marks of a reply. */
export function webText(reply: string): string {
  const [, , inside] = /<untrusted-content ([0-9a-f]{32})>\n(.*)\n<\/untrusted-content \1>/s.exec(reply) ?? [];
  expect(inside, reply).toBeDefined();
  return inside;
}

/** How many tokens a reply has, as it is sent. */
export function tokensOf(reply: CallToolResult): number {
  return tokensOfJson({ result: reply, jsonrpc: "2.0", id: 1 });
}

export function tokensOfJson(message: object): number {
  return count(JSON.stringify(message), Number.POSITIVE_INFINITY) ?? Number.NaN;
}

/** The same transport; `tokens` gets how many each message has that is sent. */
function countingTokens(transport: InMemoryTransport, tokens: number[]): InMemoryTransport {
  const send = transport.send.bind(transport);
  return Object.assign(transport, {
    send: (message: JSONRPCMessage) => {
      tokens.push(tokensOfJson(message));
      return send(message);
    },
  });
}
