/** The server on standard input and output: it ends when its input ends, or when it is told to. */
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { McpOptions } from "./options.ts";
import { createCrawlServer } from "./server.ts";

/** Serves until standard input ends, or `interrupted` resolves. Crawls that run then end in order. */
export async function serveStdio(options: McpOptions, interrupted: Promise<void>): Promise<void> {
  const { connect, close } = createCrawlServer(options);
  let disconnect = (): void => {};
  const disconnected = new Promise<void>((resolve) => {
    disconnect = resolve;
  });
  // A broken input is an end as well.
  const inputEnded = once(process.stdin, "end").catch(() => {});
  await connect(new StdioServerTransport(), () => disconnect());
  await Promise.race([inputEnded, disconnected, interrupted]);
  // What came with the end of the input is a call by now.
  await nextTurn();
  await close();
}
