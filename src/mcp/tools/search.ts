/** `search`: the pages of a crawl that have some words. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { counted, formatCount, formatCoverage, UsageError } from "../../base/index.ts";
import { type Found, hasTexts, searchCrawl, searchExpression, SearchIndex, TextReader } from "../../content/index.ts";
import { reading } from "../../store/index.ts";
import { searchImportance, type Survey } from "../../survey/index.ts";
import { shown, shownInLine } from "../../text/index.ts";
import type { Context } from "../context.ts";
import { linesOfPage, webReply } from "../replies.ts";
import { UNTRUSTED_NOTE } from "../untrusted.ts";

const LIMIT_MAX = 50;

const input = z.strictObject({
  name: z.string().describe("name of the crawl"),
  words: z.string().describe('what to find: all of these words; "a phrase"; begin* of a word; -word excludes'),
  limit: z.int().min(1).max(LIMIT_MAX).default(10).describe("how many pages at most"),
  offset: z.int().min(0).default(0).describe("leave out the first so many"),
});

type Query = z.infer<typeof input>;

export function registerSearch(server: McpServer, context: Context): void {
  // One at a time: each brings the index up to date.
  let last: Promise<unknown> = Promise.resolve();
  server.registerTool(
    "search",
    {
      title: "Search a crawl",
      description:
        "Finds pages of a crawl by their text, the best first: by the words and by importance. Gives URLs, titles and " +
        `excerpts. ${UNTRUSTED_NOTE}`,
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    context.answering(async (query: Query) => {
      // Throws before the work begins.
      searchExpression(query.words);
      const dir = context.folder.existing(query.name);
      const work = last.then(() => context.surveying(dir, (survey) => found(dir, survey, query)));
      last = work.catch(() => {});
      const { total, pages, importanceOf } = await work;
      if (pages.length === 0) return { content: [{ type: "text", text: noneInWords(query, total) }] };
      const lines = await linesOfPage(pages.map((page, k) => entry(page, query.offset + k + 1, importanceOf(page.id))));
      const next = query.offset + lines.length;
      return webReply({
        before: `${formatCount(query.offset + 1)} to ${formatCount(next)} of ${counted(total, "page")}, the best first.`,
        text: lines.join("\n\n"),
        after: next < total ? `For more, call search with offset ${next}.` : "",
      });
    }),
  );
}

interface Searched extends Found {
  readonly importanceOf: (id: number) => number;
}

async function found(dir: string, survey: Survey, { words, limit, offset }: Query): Promise<Searched> {
  if (!(await reading(dir, (store) => hasTexts(dir, store)))) {
    throw new UsageError("this crawl has no text of its pages yet: call crawl with its name, which stores text");
  }
  const importance = searchImportance(survey);
  const index = new SearchIndex(dir);
  try {
    for (const step of index.update()) {
      void step;
      await nextTurn();
    }
    return await reading(dir, (store) => ({
      ...searchCrawl(
        { index, store, texts: new TextReader(dir, store) },
        { query: words, importance, isWanted: () => true, from: offset, count: limit },
      ),
      importanceOf: importance.of,
    }));
  } finally {
    index.close();
  }
}

function noneInWords({ offset }: Query, total: number): string {
  if (total === 0) return "No page has what you search for. Try fewer or other words.";
  return `No page at offset ${offset}: ${counted(total, "page")} found.`;
}

function entry({ url, title, excerpt }: Found["pages"][number], number: number, importance: number): string {
  const text = shown(excerpt.map((part) => part.text).join(""));
  const name = shownInLine(title ?? "") || "(no title)";
  return `${number}. ${name}\n${url}\nimportance at least ${formatCoverage(importance, 6)}\n${text}`;
}
