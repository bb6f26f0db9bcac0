/** `coverage`: what is proven, and what is missing. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { SurveyMissing } from "../../survey/index.ts";
import { parseSettings } from "../../crawl/index.ts";
import { reading } from "../../store/index.ts";
import { REASONS, universeInWords } from "../../text/index.ts";
import { toolArguments } from "../arguments.ts";
import type { Context } from "../context.ts";
import { atLeast, atMost } from "../crawl-view.ts";
import { documentReply } from "../replies.ts";

const input = toolArguments({ name: z.string().describe("name of the crawl") });

const missing = z.object({
  reason: z.string(),
  share: z.number().describe("of all importance, at most"),
  pages: z.number(),
  meaning: z.string(),
});

const output = z.object({
  name: z.string(),
  pages: z.number().describe("pages fetched"),
  proven: z.number().describe("share of all importance that these pages certainly hold: at least"),
  strict: z.number().describe("the same if forbidden and dead pages count as the worst: at least"),
  ceiling: z.number().describe("the most that can still be reached"),
  target: z.number().nullable(),
  sampled: z
    .object({ coverage: z.number(), confidence: z.number() })
    .nullable()
    .describe("what sampling shows with this confidence, which is no proof"),
  measuredOver: z.string(),
  missing: z.array(missing),
  leftOut: z.array(missing).describe("not part of what is measured: dead or forbidden"),
});

export function registerCoverage(server: McpServer, context: Context): void {
  server.registerTool(
    "coverage",
    {
      title: "Coverage of a crawl",
      description:
        "Says how much of all importance (PageRank from the start URLs) a crawl has certainly covered, the most " +
        "that it can still reach, and what is missing, by reason. These are proven bounds, not estimates.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    context.answering(async ({ name }: z.infer<typeof input>) => {
      const dir = context.folder.existing(name);
      const { limits, web } = await reading(dir, (store) => parseSettings(store.settings()));
      return context.surveying(dir, ({ facts: { certificate, status, missing, outside } }) => {
        const { sampled } = status;
        return documentReply({
          name,
          pages: certificate.downloaded,
          proven: atLeast(certificate.coverage),
          strict: atLeast(certificate.strict),
          ceiling: atMost(status.ceiling),
          target: limits.coverage ?? null,
          sampled:
            sampled === undefined ? null : { coverage: atLeast(sampled.coverage), confidence: sampled.confidence },
          measuredOver: universeInWords(web.universe),
          missing: missing.map(shareInWords),
          leftOut: outside.map(shareInWords),
        });
      });
    }),
  );
}

function shareInWords({ reason, mass, pages }: SurveyMissing): z.infer<typeof missing> {
  return { reason, share: atMost(mass), pages, meaning: REASONS[reason].meaning };
}
