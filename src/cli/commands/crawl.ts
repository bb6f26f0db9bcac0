/** The arguments of `tidemark crawl`. */
import { type Command, Option } from "commander";
import { commonOptions, examples } from "../options/command.ts";
import type { CrawlOptions } from "../crawl/options.ts";
import { servingOptions } from "../serve/address.ts";
import { byteCount, duration, level, orNone, properFraction, rest, wholeNumber } from "../options/numbers.ts";

export function declare(command: Command): void {
  command.argument("[urls...]", "where to start; www.example.com means https://www.example.com/");
  seedOptions(command);
  limitOptions(command);
  webOptions(command);
  politenessOptions(command);
  networkOptions(command);
  command
    .option(
      "--readers <n>",
      "threads that read pages (one less than processors unless given); 0 reads them where all else is done",
      wholeNumber(0, 64),
    )
    .option(
      "--config <file>",
      "options from a YAML or JSON file, by their long names; options given here win",
    )
    .option(
      "--serve",
      "show a dashboard in the browser, from which the crawl can be paused, stopped and changed",
    )
    .option("--dry-run", "show scope, seeds, robots.txt and settings, and create nothing");
  servingOptions(command);
  commonOptions(command).action(async (urls: string[], options: CrawlOptions) => {
    const { crawl } = await import("../actions/crawl.ts");
    await crawl(await configured(command, urls, options));
  });
  command.addHelpText("after", NOTES);
  examples(command, ["tidemark demo --coverage 0.5 --dir demo", "tidemark crawl --dir demo --dry-run"]);
}

function seedOptions(command: Command): void {
  command
    .option(
      "--dir <dir>",
      "where the crawl is kept (crawl-HOST unless given); one that exists is gone on with",
    )
    .option("--seed-file <file>", "more URLs to start from, one a line; - for standard input")
    .option("--trust <file>", "trusted URLs to start from, each with its weight: URL, tab, weight")
    .option("--normalise-trust", "divide the weights of the trusted URLs by their sum");
}

function limitOptions(command: Command): void {
  command
    .option(
      "--coverage <level>",
      "stop when this share of all importance is certainly covered",
      orNone(level),
    )
    .option("--max-pages <n>", "stop after so many pages", orNone(wholeNumber(1)))
    .option("--max-depth <n>", "at most so many links from a seed", orNone(wholeNumber(1)))
    .option("--max-time <time>", "stop after this time: 30s, 10m, 2h", orNone(duration))
    .option("--max-bytes <bytes>", "stop after so much was fetched: 10MB, 1GB", orNone(byteCount))
    .option("--max-pages-per-host <n>", "at most so many pages of one host", orNone(wholeNumber(1)));
}

function webOptions(command: Command): void {
  command
    .addOption(
      new Option(
        "--scope <what>",
        "which URLs count, by the seeds: the pages themselves, their directories, hosts (the default), domains, any",
      ).choices(["page", "prefix", "host", "domain", "any"]),
    )
    .option("--include <pattern>", "only URLs that match this RE2 pattern; may be repeated", collected, [])
    .option("--exclude <pattern>", "no URLs that match this RE2 pattern; may be repeated", collected, [])
    .addOption(
      new Option(
        "--universe <what>",
        "what coverage is measured against: the scope (the default) or the web",
      ).choices(["scope", "web"]),
    )
    .option("--order <name>", "what is fetched next (rankmass unless given; see tidemark simulate --help)")
    .option("--damping <d>", "chance to follow a link (0.85 unless given)", properFraction)
    .option("--strip-parameters", "take session and tracking parameters out of URLs")
    .option("--follow-nofollow", "follow links marked nofollow too")
    .option("--honour-canonical", "count a page that names a canonical URL as a redirect to it")
    .option("--no-sitemaps", "do not read the sitemaps that robots.txt names");
}

function politenessOptions(command: Command): void {
  command
    .option("--delay <time>", "rest of a host after each answer: 500, 1s (1s unless given)", rest)
    .option(
      "--max-crawl-delay <time>",
      "rests that robots.txt asks for are cut at this (60s unless given)",
      rest,
    )
    .option("--concurrency <n>", "requests under way at once (64 unless given)", wholeNumber(1, 10_000))
    .option("--per-host <n>", "of these, to one host (1 unless given)", wholeNumber(1, 1000))
    .option("--per-address <n>", "and to one address (10 unless given)", wholeNumber(1, 10_000));
}

function networkOptions(command: Command): void {
  command
    .option("--user-agent <text>", "who we say we are (tidemark/VERSION unless given)")
    .option("--contact <where>", "a URL or mail address that is added to the user agent")
    .option("--allow-private", "also ask private and local addresses: for one's own hosts")
    .option(
      "--allow-private-host <name>",
      "the same for this host alone, *.NAME for all below; may be repeated",
      collected,
      [],
    )
    .option(
      "--resolve <host:address>",
      "use this address for a host; may be repeated; none: no more rules",
      collected,
      [],
    )
    .option("--ca <file>", "certificates to trust beside the system's, in PEM form")
    .option(
      "--proxy <url>",
      "ask through this proxy (that of the environment unless given); none: through no proxy",
    )
    .option("--warc", "keep the bodies, as WARC files with an index");
}

function collected(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** Options of the command line, then those of the file; seeds come from one of the two. */
async function configured(
  command: Command,
  urls: readonly string[],
  options: CrawlOptions,
): Promise<CrawlOptions> {
  const given: Record<string, unknown> = { ...options, ...(urls.length > 0 ? { urls } : {}) };
  if (options.config === undefined) return given as CrawlOptions;
  const { readConfig } = await import("../input/config-file.ts");
  const config = readConfig(options.config, command);
  const isGiven = (name: string): boolean => {
    const value = given[name];
    return (
      value !== undefined &&
      !(Array.isArray(value) && value.length === 0) &&
      !(name === "sitemaps" && value === true)
    );
  };
  const namesSeeds = SEED_SOURCES.some(isGiven);
  for (const [name, value] of Object.entries(config)) {
    if (isGiven(name) || (namesSeeds && SEED_SOURCES.includes(name))) continue;
    given[name] = value;
  }
  return given as CrawlOptions;
}

const SEED_SOURCES = ["urls", "seedFile", "trust", "normaliseTrust"];

const NOTES = `
A limit that is left out does not limit; none takes away one that the crawl was begun with. Ctrl-C stops cleanly, and
tidemark crawl --dir DIR goes on, with all the settings it has but for what is given anew. Usually one says:

  tidemark crawl https://www.example.com/ --coverage 0.95 --contact you@example.com

Exit codes: 0 done (also at a limit or after Ctrl-C), 1 failed, or nothing is left and not a single page came, 2 wrong usage,
130 forced to stop.`;
