/** `map`: the URLs of a crawl, the most important first. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { counted, formatCount, formatCoverage } from "../../base/index.ts";
import { isDownloaded } from "../../coverage/index.ts";
import { stateName } from "../../log/index.ts";
import { reading, type SqliteStore } from "../../store/index.ts";
import type { Survey } from "../../survey/index.ts";
import { shownInLine } from "../../text/index.ts";
import { toolArguments } from "../arguments.ts";
import type { Context } from "../context.ts";
import { linesOfPage, webReply } from "../replies.ts";
import { UNTRUSTED_NOTE } from "../untrusted.ts";

const LIMIT_MAX = 1000;

const input = toolArguments({
  name: z.string().describe("name of the crawl"),
  limit: z.int().min(1).max(LIMIT_MAX).default(100).describe("how many URLs at most"),
  offset: z.int().min(0).default(0).describe("leave out the first so many"),
  fetchedOnly: z.boolean().default(false).describe("only pages that were fetched, which can be read"),
});

export function registerMap(server: McpServer, context: Context): void {
  server.registerTool(
    "map",
    {
      title: "URLs of a crawl",
      description:
        "Lists the URLs that a crawl knows, the most important first: rank, proven share of all importance, state, " +
        `URL, title. ${UNTRUSTED_NOTE}`,
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    context.answering(({ name, limit, offset, fetchedOnly }: z.infer<typeof input>) => {
      const dir = context.folder.existing(name);
      return context.surveying(dir, (survey) =>
        reading(dir, async (store) => {
          const { byImportance, state } = survey;
          const ids = fetchedOnly ? byImportance.filter((id) => isDownloaded(state[id])) : byImportance;
          const shown = ids.subarray(offset, offset + limit);
          const lines = await linesOfPage(rowsOf(survey, store, shown));
          const next = offset + lines.length;
          const what = `${fetchedOnly ? "fetched page" : "URL"}`;
          if (lines.length === 0) {
            return {
              content: [{ type: "text", text: `No URL at offset ${offset}: there are ${counted(ids.length, what)}.` }],
            };
          }
          return webReply({
            before: `${formatCount(offset + 1)} to ${formatCount(next)} of ${counted(ids.length, what)} of ${name}.`,
            text: ["rank\timportance at least\tstate\tURL\ttitle", ...lines].join("\n"),
            after: next < ids.length ? `For more, call map with offset ${next}.` : "",
          });
        }),
      );
    }),
  );
}

function* rowsOf(survey: Survey, store: SqliteStore, ids: Uint32Array): Generator<string> {
  for (const id of ids) {
    const { url, title } = store.page(id) ?? { url: "", title: null };
    const importance = formatCoverage(survey.interval(id).low, 6);
    yield [survey.place(id) || "-", importance, stateName(survey.state[id]), url, shownInLine(title ?? "")].join("\t");
  }
}
