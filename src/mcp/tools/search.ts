/** `search`: the pages of a crawl that have some words. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { counted, formatCount, formatCoverage } from "../../base/index.ts";
import { type FoundPage, searchExpression } from "../../content/index.ts";
import { searchDirectory, searchImportance, type Survey } from "../../survey/index.ts";
import { shown, shownInLine } from "../../text/index.ts";
import { toolArguments } from "../arguments.ts";
import type { Context } from "../context.ts";
import { linesOfPage, webReply } from "../replies.ts";
import { expectTexts } from "../stored-texts.ts";
import { UNTRUSTED_NOTE } from "../untrusted.ts";

const LIMIT_MAX = 50;

const input = toolArguments({
  name: z.string().describe("name of the crawl"),
  words: z.string().describe('what to find: all of these words; "a phrase"; begin* of a word; -word excludes'),
  limit: z.int().min(1).max(LIMIT_MAX).default(10).describe("how many pages at most"),
  offset: z.int().min(0).default(0).describe("leave out the first so many"),
});

type Query = z.infer<typeof input>;

export function registerSearch(server: McpServer, context: Context): void {
  server.registerTool(
    "search",
    {
      title: "Search a crawl",
      description:
        "Finds pages of a crawl by their text, the best first: by the words and by importance. Gives URLs, titles " +
        `and excerpts. ${UNTRUSTED_NOTE}`,
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    context.answering(async (query: Query) => {
      // Throws before the work begins.
      searchExpression(query.words);
      const dir = context.folder.existing(query.name);
      await expectTexts(dir);
      const { total, entries } = await context.surveying(dir, (survey) => found(dir, survey, query));
      if (entries.length === 0) return { content: [{ type: "text", text: noneInWords(query, total) }] };
      const lines = await linesOfPage(entries);
      const next = query.offset + lines.length;
      const shown = `${formatCount(query.offset + 1)} to ${formatCount(next)} of ${counted(total, "page")}`;
      return webReply({
        before: `${shown}, the best first.`,
        text: lines.join("\n\n"),
        after: next < total ? `For more, call search with offset ${next}.` : "",
      });
    }),
  );
}

interface Searched {
  readonly total: number;
  readonly entries: readonly string[];
}

async function found(dir: string, survey: Survey, { words, limit, offset }: Query): Promise<Searched> {
  const { total, pages } = await searchDirectory(dir, {
    survey,
    query: words,
    isWanted: () => true,
    from: offset,
    count: limit,
    onStep: () => nextTurn(),
  });
  const { of: importanceOf } = searchImportance(survey);
  return { total, entries: pages.map((page, k) => entry(page, offset + k + 1, importanceOf(page.id))) };
}

function noneInWords({ offset }: Query, total: number): string {
  if (total === 0) return "No page matches. Try fewer or other words.";
  return `No page at offset ${offset}: ${counted(total, "page")} found.`;
}

function entry({ url, title, excerpt }: FoundPage, number: number, importance: number): string {
  const text = shown(excerpt.map((part) => part.text).join(""));
  const name = shownInLine(title ?? "") || "(no title)";
  return `${number}. ${name}\n${url}\nimportance at least ${formatCoverage(importance, 6)}\n${text}`;
}
