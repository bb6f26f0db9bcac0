/** `tidemark mcp` */
import type { Command } from "commander";
import { UsageError } from "../../base/index.ts";
import type { CommandOptions, CrawlOptions } from "../../crawl/index.ts";
import { keyOf, settingsTable } from "../../crawl/settings/index.ts";
import { examples, integer, notes } from "../options/command.ts";
import { declareSettings, givenSettings, settingsFor } from "../options/settings.ts";
import { untilInterrupted } from "../terminal/interrupts.ts";
import { report } from "../terminal/terminal.ts";

interface ServerOptions {
  readonly root: string;
  readonly maxCrawls: number;
}

const LIMITS = { pages: 1000, timeMs: 600_000, bytes: 100_000_000 };

const { allowPrivate, maxPages, maxTime, maxBytes, config } = settingsTable;

/** The operator's own; all others are in the config file. */
const SETTINGS = {
  maxPages: { ...maxPages, help: "most pages of a crawl, all its runs together; or none", defaultInWords: "1000" },
  maxTime: { ...maxTime, help: "most time of a run: 30s, 10m, 2h; or none", defaultInWords: "10m" },
  maxBytes: {
    ...maxBytes,
    help: "most bytes that a crawl downloads, all its runs together: 10MB, 1GB; or none",
    defaultInWords: "100MB",
  },
  allowPrivate: { ...allowPrivate, help: "let clients crawl private and local addresses as well" },
  config: { ...config, help: "YAML or JSON file with settings of all crawls, which clients cannot change" },
};

export function declare(command: Command): void {
  command.option("--root <dir>", "folder of the crawls, which clients call by name", "./crawls");
  declareSettings(command, SETTINGS);
  command.option("--max-crawls <n>", "crawls that may run at the same time", integer(1, 64), 2);
  command.action((options: ServerOptions) => serve(options, givenSettings(command, SETTINGS)));
  notes(command, [
    {
      title: "Tools",
      lines: [
        ["crawl", "start or resume a crawl, and return at once"],
        ["status", "one crawl, or all: running or ended and why, pages, coverage"],
        ["map", "URLs by importance"],
        ["read", "a page as Markdown, in parts"],
        ["search", "pages by their words"],
        ["pack", "the pages that are worth most per token"],
        ["coverage", "what is proven, and what is missing"],
      ],
    },
    "Standard output carries the protocol only. The server ends when its input ends, or after Ctrl-C; crawls that " +
      "run then stop cleanly and can be resumed. It needs the packages @modelcontextprotocol/sdk and zod.",
  ]);
  examples(command, ["tidemark mcp --root crawls --max-pages 200 < /dev/null"]);
}

async function serve({ root, maxCrawls }: ServerOptions, given: CommandOptions): Promise<void> {
  // From the start, so that Ctrl-C while modules are loading is a clean stop, too.
  const interrupted = untilInterrupted();
  const settings = await configured(given);
  const { serveStdio } = await loadServer();
  if (process.stdin.isTTY === true) report("waiting for an MCP client on standard input; Ctrl-C ends it");
  const limits = {
    pages: settings.maxPages ?? LIMITS.pages,
    timeMs: settings.maxTime ?? LIMITS.timeMs,
    bytes: settings.maxBytes ?? LIMITS.bytes,
  };
  const onBug = (error: unknown): void =>
    report(`this is a bug in tidemark, please report it:\n${error instanceof Error ? error.stack : String(error)}`);
  await serveStdio({ root, limits, crawlsMax: maxCrawls, settings, onBug }, interrupted);
}

/** Settings of all crawls: those of the config file, and the flags, which win. */
async function configured({ config, ...flags }: CommandOptions): Promise<CrawlOptions> {
  if (config === undefined) return settingsFor(flags);
  const { readConfig } = await import("../input/config-file.ts");
  const { urls, ...written } = readConfig(config);
  const settings = settingsFor(written);
  const other = urls === undefined ? Object.keys(written).find((name) => !(name in settings)) : "urls";
  if (other !== undefined) {
    throw new UsageError(`${config}: ${keyOf(other)} is no setting of all crawls of the server: leave it out`);
  }
  return { ...settings, ...settingsFor(flags) };
}

/** The SDK of the protocol brings more packages than all else that we need: only those who want it install it. */
async function loadServer(): Promise<typeof import("../../mcp/index.ts")> {
  try {
    return await import("../../mcp/index.ts");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !/'(?:@modelcontextprotocol\/sdk|zod)'/.test(message)) throw error;
    throw new UsageError(
      "tidemark mcp needs two more packages: run npm install @modelcontextprotocol/sdk zod where tidemark is installed",
      { cause: error },
    );
  }
}
