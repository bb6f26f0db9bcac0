/** `crawl`: starts a crawl, or resumes one, and returns at once. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { quoted, UsageError } from "../../base/index.ts";
import { evenSeeds, parseSettings, type Seed, seedUrl, type StoredSettings } from "../../crawl/index.ts";
import { isCrawl, reading } from "../../store/index.ts";
import { hostOfUrl } from "../../web/index.ts";
import { toolArguments } from "../arguments.ts";
import type { Context } from "../context.ts";
import { NAME_RULE } from "../crawl-folder.ts";
import { documentReply } from "../replies.ts";
import { granted, type Wishes } from "../wishes.ts";

const URLS_MAX = 100;
const PATTERNS_MAX = 20;
const patterns = z.array(z.string().max(1000)).max(PATTERNS_MAX);

const input = toolArguments({
  urls: z
    .array(z.string().max(2000))
    .max(URLS_MAX)
    .optional()
    .describe("URLs to start from; leave out to resume the crawl of this name"),
  name: z.string().optional().describe(`name of the crawl: ${NAME_RULE} (default: the host of the first URL)`),
  coverage: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe("stop when at least this share of all importance is proven to be covered, such as 0.9"),
  maxPages: z.int().min(1).optional().describe("stop after this many pages, all runs of the crawl together"),
  maxSeconds: z.number().gt(0).optional().describe("stop this run after this time"),
  maxBytes: z.int().min(1).optional().describe("stop after this many bytes, all runs of the crawl together"),
  maxDepth: z.int().min(1).optional().describe("follow at most this many links from a start URL"),
  scope: z
    .enum(["page", "prefix", "host", "domain"])
    .optional()
    .describe("what to crawl: the start URLs alone, their directories, their hosts (default), or their domains"),
  include: patterns.optional().describe("only URLs that match one of these RE2 patterns"),
  exclude: patterns.optional().describe("no URLs that match one of these RE2 patterns"),
});

const output = z.object({
  name: z.string(),
  resumed: z.boolean(),
  limits: z.object({ pages: z.number().nullable(), seconds: z.number().nullable(), bytes: z.number().nullable() }),
  notes: z.array(z.string()).describe("what of your wishes was not granted"),
  next: z.string(),
});

export function registerCrawl(server: McpServer, context: Context): void {
  server.registerTool(
    "crawl",
    {
      title: "Crawl a site",
      description:
        "Crawls web pages, the most important first, and stores their text as Markdown. Returns at once: follow the " +
        "crawl with status, then use map, search, read and pack. The same name again resumes a crawl.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    context.answering(async ({ urls, name: wanted, ...wishes }: z.infer<typeof input>) =>
      documentReply(await start(context, { urls, wanted, wishes })),
    ),
  );
}

interface Request {
  readonly urls: readonly string[] | undefined;
  readonly wanted: string | undefined;
  readonly wishes: Wishes;
}

async function start(context: Context, { urls, wanted, wishes }: Request): Promise<z.infer<typeof output>> {
  const { folder, runs, options: operator } = context;
  const given = seedsOf(urls, operator.settings.stripParameters);
  const { name, before } = wanted === undefined ? await freeName(context, given) : await named(context, wanted);
  runs.expectFree(name);
  if (given === undefined && before === undefined) {
    throw new UsageError(
      `there is no crawl ${quoted(name)} to resume: give urls to start it, or call status to list all`,
    );
  }
  if (given !== undefined && before !== undefined && !isSame(given, before.seeds)) {
    throw new UsageError(
      `the crawl ${name} started from other URLs (${before.seeds[0]?.url ?? "none"}): give another name, ` +
        "or leave out urls to resume it",
    );
  }
  const { options, limits, notes } = granted(wishes, operator, before);
  const seeds = before === undefined ? given?.map(({ url }) => url) : undefined;
  await runs.start(name, folder.dirOf(name), seeds === undefined ? options : { ...options, urls: seeds });
  return {
    name,
    resumed: before !== undefined,
    limits: { pages: finite(limits.pages), seconds: finite(limits.timeMs / 1000), bytes: finite(limits.bytes) },
    notes: [...notes],
    next: `Call status with name ${name} to follow the crawl; what is stored can be read meanwhile.`,
  };
}

interface Place {
  readonly name: string;
  /** The settings of the crawl that is there. */
  readonly before: StoredSettings | undefined;
}

async function named({ folder }: Context, name: string): Promise<Place> {
  const dir = folder.dirOf(name);
  const before = isCrawl(dir) ? await reading(dir, (store) => parseSettings(store.settings())) : undefined;
  return { name, before };
}

const NAMES_MAX = 1000;

/** By the host of the first URL. A crawl from the same URLs is resumed; one from others keeps its name. */
async function freeName(context: Context, given: readonly Seed[] | undefined): Promise<Place> {
  if (given === undefined) {
    throw new UsageError("nothing to crawl: give urls to start from, or the name of a crawl to resume");
  }
  const host = hostOfUrl(given[0].url).replaceAll(/[^A-Za-z0-9.-]+/g, "-");
  const base = host.replace(/^[.-]+/, "").slice(0, 90);
  for (let k = 1; k <= NAMES_MAX; k++) {
    const place = await named(context, k === 1 ? base : `${base}-${k}`);
    if (place.before === undefined || isSame(given, place.before.seeds)) return place;
  }
  throw new UsageError(`there are ${NAMES_MAX} crawls of ${base} already: give a name`);
}

function seedsOf(urls: readonly string[] = [], stripParameters = false): readonly Seed[] | undefined {
  return urls.length === 0 ? undefined : evenSeeds(urls.map((url) => seedUrl(url, { stripParameters })));
}

function isSame(given: readonly Seed[], seeds: readonly Seed[]): boolean {
  return JSON.stringify(given) === JSON.stringify(seeds);
}

function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}
