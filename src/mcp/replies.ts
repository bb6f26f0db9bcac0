/** Replies of tools: a document, or text from the web between marks. */
import { sep } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { FailureError, UsageError } from "../base/index.ts";
import { PAGE_TOKENS_MAX, tokenCounter } from "./token-limits.ts";
import { harmlessLines, marked } from "./untrusted.ts";

/** For programs and, as the same JSON, for models: nothing in it may come from the web. */
export function documentReply(document: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(document) }], structuredContent: document };
}

export interface WebReply {
  /** Our own words, before and after the text. */
  readonly before: string;
  readonly text: string;
  readonly after?: string;
}

/** Text from the web, as `harmlessLines` gives it. */
export function webReply({ before, text, after = "" }: WebReply): CallToolResult {
  const whole = [before, marked(text), after].filter((part) => part !== "").join("\n\n");
  return { content: [{ type: "text", text: whole }] };
}

/** As many of these lines as a page may have, made harmless; one at the least. */
export async function linesOfPage(lines: Iterable<string>): Promise<string[]> {
  const count = await tokenCounter();
  const taken: string[] = [];
  let left = PAGE_TOKENS_MAX;
  for (const line of lines) {
    const harmless = harmlessLines(line);
    const tokens = count(`${harmless}\n`, left);
    if (tokens === undefined && taken.length > 0) break;
    taken.push(harmless);
    left -= tokens ?? left;
  }
  return taken;
}

/** Flags of the command line that are arguments of tools. */
const ARGUMENT = /--(coverage|exclude|include|scope|tokens)\b/g;

/** What an error says to a client. Paths of the operator's machine are none of its business. */
export function messageFor(error: unknown, root: string): string {
  if (!isExpected(error)) return "this is a bug in tidemark: the operator finds more in the log of the server";
  const message = error.message
    .replaceAll(root + sep, "")
    .replaceAll(root, "the folder of crawls")
    .replaceAll(ARGUMENT, "$1");
  const isPrivate = message.includes("--allow-private");
  return harmlessLines(isPrivate ? `${message}, which only the operator of this server can set` : message);
}

/** Others are bugs. */
export function isExpected(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof FailureError;
}

export interface Answering {
  readonly root: string;
  readonly onBug: (error: unknown) => void;
}

/** The reply of a tool, whatever happens: errors are replies as well. */
export async function answer({ root, onBug }: Answering, work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!isExpected(error)) onBug(error);
    return { content: [{ type: "text", text: messageFor(error, root) }], isError: true };
  }
}
