/** `status`: one crawl, or all of them. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { toolArguments } from "../arguments.ts";
import type { Context } from "../context.ts";
import { crawlView, viewOf } from "../crawl-view.ts";
import { documentReply } from "../replies.ts";

const CRAWLS_SHOWN = 10;

const input = toolArguments({
  name: z.string().optional().describe("name of a crawl (default: all crawls)"),
  offset: z.int().min(0).default(0).describe("of all crawls, leave out the first so many"),
});

const output = z.object({
  crawls: z.array(crawlView),
  total: z.number(),
  nextOffset: z.number().nullable().describe("the offset of the crawls that follow"),
});

export function registerStatus(server: McpServer, context: Context): void {
  server.registerTool(
    "status",
    {
      title: "Status of crawls",
      description:
        "Says whether a crawl runs, how it ended, how many pages it has and how much is proven to be covered.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    context.answering(async ({ name, offset }: z.infer<typeof input>) => {
      const names = name === undefined ? namesOf(context) : [checked(context, name)];
      const shown = names.slice(offset, offset + CRAWLS_SHOWN);
      const crawls: z.infer<typeof crawlView>[] = [];
      for (const each of shown) crawls.push(await viewOf(context, each));
      const next = offset + shown.length;
      return documentReply({ crawls, total: names.length, nextOffset: next < names.length ? next : null });
    }),
  );
}

/** A run that has not created its directory yet counts as well. */
function namesOf({ folder, runs }: Context): string[] {
  return [...new Set([...folder.names(), ...runs.names])].sort();
}

function checked({ folder, runs }: Context, name: string): string {
  if (runs.of(name) === undefined) folder.existing(name);
  return name;
}
