/** `pack`: the pages that are worth most per token, in one reply. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { counted, noProgress, percentAtLeast } from "../../base/index.ts";
import { packCrawl } from "../../survey/index.ts";
import { importanceInWords } from "../../text/index.ts";
import { toolArguments } from "../arguments.ts";
import type { Context } from "../context.ts";
import { webReply } from "../replies.ts";
import { expectTexts } from "../stored-texts.ts";
import { TOKENS_MAX, tokenCounter } from "../token-limits.ts";
import { harmlessLines, UNTRUSTED_NOTE } from "../untrusted.ts";

/** The rest of a reply is for our own words and the marks. */
const PACK_TOKENS_MAX = TOKENS_MAX - 1000;

const input = toolArguments({
  name: z.string().describe("name of the crawl"),
  tokens: z.int().min(1).max(PACK_TOKENS_MAX).default(9000).describe("how many tokens the pack may have, in JSON"),
});

export function registerPack(server: McpServer, context: Context): void {
  server.registerTool(
    "pack",
    {
      title: "Pack a crawl",
      description:
        "Gives the pages of a crawl that are worth most per token, whole and as Markdown, within a budget of tokens; " +
        `says how much of all importance they certainly hold. ${UNTRUSTED_NOTE}`,
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    context.answering(async ({ name, tokens }: z.infer<typeof input>) => {
      const dir = context.folder.existing(name);
      await expectTexts(dir);
      const count = await tokenCounter();
      const packed = await packCrawl(dir, {
        tokensMax: tokens,
        tokens: { unit: "o200k_base, in JSON", count: (text, most) => count(harmlessLines(text), most) },
        progress: noProgress,
        onStep: () => nextTurn(),
      });
      const { pages, coverage, universe, tooLong } = packed;
      const share = `${percentAtLeast(coverage)} of ${importanceInWords(universe)}`;
      return webReply({
        before: `${counted(pages, "page")}, ${counted(packed.tokens, "token")}; they hold at least ${share}.`,
        text: harmlessLines(packed.text),
        after:
          tooLong === 0 ? "" : `${counted(tooLong, "page")} left out: too long for so few tokens. Use read for them.`,
      });
    }),
  );
}
