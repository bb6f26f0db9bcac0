/** `read`: the Markdown of a page, a part at a time. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { formatCount, quoted, UsageError } from "../../base/index.ts";
import { isInsideCharacter, pageEnd, TextReader } from "../../content/index.ts";
import { isDownloaded } from "../../coverage/index.ts";
import { parseSettings, REDIRECTS_MAX, seedUrl } from "../../crawl/index.ts";
import { type PageRow, reading, type SqliteStore } from "../../store/index.ts";
import { stateTexts } from "../../text/index.ts";
import { toolArguments } from "../arguments.ts";
import type { Context } from "../context.ts";
import { webReply } from "../replies.ts";
import { expectTexts } from "../stored-texts.ts";
import { PAGE_TOKENS_MAX, tokenCounter } from "../token-limits.ts";
import { harmlessLines, UNTRUSTED_NOTE } from "../untrusted.ts";

const LENGTH_MAX = 40_000;

const input = toolArguments({
  name: z.string().describe("name of the crawl"),
  url: z.string().max(10_000).describe("URL of the page, as map or search give it"),
  offset: z.int().min(0).default(0).describe("where to begin, in characters: the next offset of the reply before"),
});

export function registerRead(server: McpServer, context: Context): void {
  server.registerTool(
    "read",
    {
      title: "Read a page",
      description: `Gives the main part of a fetched page as Markdown, in parts if it is long. ${UNTRUSTED_NOTE}`,
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    context.answering(async ({ name, url, offset }: z.infer<typeof input>) => {
      const dir = context.folder.existing(name);
      await expectTexts(dir);
      const markdown = await reading(dir, (store) => markdownOf(dir, store, url));
      const text = harmlessLines(markdown);
      if (offset > 0 && offset >= text.length) {
        throw new UsageError(`offset ${offset} is beyond the end: the page has ${formatCount(text.length)} characters`);
      }
      const from = isInsideCharacter(text, offset) ? offset - 1 : offset;
      const count = await tokenCounter();
      const end = pageEnd(text, from, { tokensMax: PAGE_TOKENS_MAX, lengthMax: LENGTH_MAX, count });
      const which = `Characters ${formatCount(from)} to ${formatCount(end)} of ${formatCount(text.length)}`;
      return webReply({
        before: `${which} of the page.`,
        text: text.slice(from, end),
        after: end < text.length ? `For more, call read with offset ${end}.` : "This is the end of the page.",
      });
    }),
  );
}

/** Throws if there is no text of the page, and says why. */
function markdownOf(dir: string, store: SqliteStore, written: string): string {
  const page = pageAt(store, seedUrl(written, parseSettings(store.settings()).web.urlRules));
  if (!isDownloaded(page.state)) {
    const { sentence } = stateTexts[page.state];
    throw new UsageError(`there is no text of this URL. ${sentence} Call map with fetchedOnly to see what can be read`);
  }
  const markdown = new TextReader(dir, store).read(page.id, page.url, "markdown");
  if (markdown !== undefined) return markdown;
  throw new UsageError(
    "the page was fetched, but no text of it is stored: it is neither HTML nor plain text, or the crawl did not " +
      "store text at the time. Call search or map to find others",
  );
}

/** The page at the end of all redirects. */
function pageAt(store: SqliteStore, url: string): PageRow {
  let at = url;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const id = store.idOf(at);
    const page = id === undefined ? undefined : store.page(id);
    if (page === undefined) {
      throw new UsageError(`the crawl does not know ${quoted(url)}: use a URL that map or search give`);
    }
    if (page.state !== "redirected" || page.target === null) return page;
    at = page.target;
  }
  throw new UsageError("the URL redirects too often: use another URL that map or search give");
}
