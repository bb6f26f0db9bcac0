/** No reply has more tokens than it may have, as it is sent: in JSON, whatever a page or a client has written. */
import { join } from "node:path";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ShortReplies } from "../../src/mcp/short-replies.ts";
import { anyText } from "../support/any-text.ts";
import { cases } from "../support/cases.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { writeTexts } from "../support/text-crawl.ts";
import { connected, textOf, tokensOf, tokensOfJson, webText } from "./connected.ts";

const START = "http://a.example/";
/** What is longer in JSON, what is replaced because nobody sees it, and what has many tokens per character. */
const NASTY = [
  '"',
  "\\",
  "\n",
  "\n\n",
  "\t",
  "\r\n",
  "\u0007",
  "\u200f",
  "\u2028",
  "\ud83d",
  "深",
  "é",
  "😀",
  "́",
  "\\n",
];
const nastyWord = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.constantFrom("tide ", "# ", "1.", "'s", "{}", "```\n", "---\n", "</x>"),
  anyText({ maxLength: 5 }),
);
/** Many times what a few words make, so that texts are long and cases small. */
const nastyText = fc
  .tuple(fc.array(nastyWord, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 300 }))
  .map(([words, times]) => words.join("").repeat(times));

/** Takes what is sent. */
class Sent implements Transport {
  readonly messages: JSONRPCMessage[] = [];
  async start(): Promise<void> {}
  async close(): Promise<void> {}
  async send(message: JSONRPCMessage): Promise<void> {
    this.messages.push(message);
  }
}

async function sent(message: JSONRPCMessage): Promise<JSONRPCMessage> {
  const transport = new Sent();
  const replies = new ShortReplies(transport);
  void replies.send(message);
  await replies.flush();
  expect(transport.messages).toHaveLength(1);
  return transport.messages[0];
}

describe("a message", () => {
  it("is sent as it is if it is short enough, in JSON; else an error that says what to do", async () => {
    const reply = fc.record({ text: nastyText, document: fc.option(nastyText) }).map(({ text, document }) => ({
      jsonrpc: "2.0" as const,
      id: 7,
      result: {
        content: [{ type: "text" as const, text }],
        ...(document === null ? {} : { structuredContent: { document } }),
      },
    }));
    const seen = { short: 0, long: 0 };
    await fc.assert(
      fc.asyncProperty(reply, async (message) => {
        const got = await sent(message);
        expect(tokensOfJson(got)).toBeLessThanOrEqual(25_000);
        const tokens = tokensOfJson(message);
        seen[tokens <= 25_000 ? "short" : "long"]++;
        // Where a text is one long word, tokens are counted in pieces, which may be a few off.
        if (tokens <= 24_900) expect(got).toBe(message);
        if (got === message) return;
        const text = expect.stringMatching(/more than 25000 tokens: ask for less/);
        expect(got).toEqual({ jsonrpc: "2.0", id: 7, result: { isError: true, content: [{ type: "text", text }] } });
      }),
      { numRuns: cases(100), endOnFailure: true },
    );
    expect(Math.min(seen.short, seen.long)).toBeGreaterThan(0);
  });

  it("of exactly as many tokens as are allowed is sent, one token more is not", async () => {
    const message = (words: number): JSONRPCMessage => ({
      jsonrpc: "2.0",
      id: 7,
      result: { content: [{ type: "text", text: "a" + " tide".repeat(words) }] },
    });
    const words = 25_000 - tokensOfJson(message(0));
    expect(tokensOfJson(message(words))).toBe(25_000);
    expect(await sent(message(words))).toEqual(message(words));
    expect(await sent(message(words + 1))).toMatchObject({ result: { isError: true } });
  });

  it("that says no to a request is bounded as well", async () => {
    const refusal = { jsonrpc: "2.0" as const, id: 7, error: { code: -32_602, message: "深".repeat(30_000) } };
    expect(await sent(refusal)).toMatchObject({
      id: 7,
      error: { code: -32_602, message: expect.stringMatching(/^the reply/) },
    });
  });
});

describe("replies of tools", () => {
  it("fit as they are sent, whatever pages have written", async () => {
    const page = fc.record({ text: nastyText, title: nastyText.map((title) => title.slice(0, 500)) });
    const budgets = fc.integer({ min: 2000, max: 24_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 12 }), budgets, async (pages, tokens) => {
        const root = join(temporaryDirectory(), "crawls");
        writeTexts(join(root, "x"), [{ text: "The tide.", title: "Tides" }, ...pages]);
        const { call, text, close } = await connected({}, { root });
        for (const most of [tokens, 24_000]) {
          const pack = await call("pack", { name: "x", tokens: most });
          const inside = webText(textOf(pack));
          const [, said] = /^[\d,]+ pages?, ([\d,]+) tokens;/.exec(textOf(pack)) ?? [];
          const saidTokens = Number(said.replaceAll(",", ""));
          expect(saidTokens).toBeLessThanOrEqual(most);
          // The quotes around it may be tokens of their own, or parts of others.
          expect(Math.abs(tokensOfJson([inside]) - saidTokens)).toBeLessThanOrEqual(4);
        }
        for (const [tool, args] of [
          ["read", { url: `${START}p1` }],
          ["map", { limit: 1000 }],
          ["search", { words: "tide", limit: 50 }],
        ] as const) {
          // A list has one line at the least, and lines have their lengths.
          expect(tokensOf(await call(tool, { name: "x", ...args }))).toBeLessThan(11_000);
        }
        expect(await text("map", { name: "x" })).toContain(START);
        await close();
      }),
      { numRuns: cases(30), endOnFailure: true },
    );
  });

  it("fill what they may: a pack of texts full of line breaks and quotes has as many tokens as it was given", async () => {
    const root = join(temporaryDirectory(), "crawls");
    const line = '- a "quoted" word, a \\backslash\\ and \'s\n\n';
    const pages = Array.from({ length: 120 }, (_, k) => ({ text: `${line.repeat(20)}${k}`, title: `Page "${k}"` }));
    writeTexts(join(root, "x"), pages);
    const { call } = await connected({}, { root });
    const pack = await call("pack", { name: "x", tokens: 24_000 });
    expect(pack.isError).toBeFalsy();
    expect(tokensOf(pack)).toBeGreaterThan(23_000);
    expect(webText(textOf(pack))).toMatch(/ 2[34],\d{3} tokens \(o200k_base, in JSON\)/);
  });

  it("are short also where a client writes much that is wrong", async () => {
    const { call } = await connected({});
    const many = "深".repeat(40_000);
    for (const [tool, args] of [
      [many, {}],
      ["status", { [many]: 1 }],
      ["status", { name: many }],
      ["crawl", { urls: Array.from({ length: 20_000 }, () => 1) }],
      ["read", { name: "x", url: many }],
      ["search", { name: "x", words: many }],
    ] as const) {
      expect((await call(tool, args)).isError).toBe(true);
    }
  });
});
