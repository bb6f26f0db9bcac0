/**
 * The table of settings: all settings of a crawl, each once. Flags, the config file and its JSON schema, the options of
 * the library, `--dry-run`, the tables in the docs and the settings that a directory stores all come from it. To add a
 * setting, add a row here (of the network, in network-rows.ts) and the code that uses it.
 *
 * `--help` loads this file, so it imports only kinds of values.
 */
import { hostRules } from "./host-rule-kind.ts";
import { keptVisits } from "./kept-visits-kind.ts";
import {
  byteCount,
  choice,
  choices,
  duration,
  file,
  type Kind,
  limit,
  list,
  listenAddress,
  listOrNone,
  pause,
  positive,
  properFraction,
  share,
  text,
  toggle,
  wholeNumber,
} from "./kinds.ts";
import { networkRows } from "./network-rows.ts";
import type { Group, Row, SettingsTable } from "./setting.ts";

const pattern = list({ placeholder: "pattern" });

export const settingsTable = {
  ...inGroup("what", {
    urls: {
      kind: list({ placeholder: "urls" }),
      help: "URLs to start from; www.example.com means https://www.example.com/; - reads them from standard input",
      givenBy: "arguments",
    },
    seedFile: { kind: file, help: "more URLs to start from, one per line; - for standard input", givenBy: "command" },
    trust: { kind: file, help: "trusted URLs to start from, one per line: URL, tab, weight", givenBy: "command" },
    normaliseTrust: { kind: toggle, help: "scale the weights of --trust so that they sum to 1", givenBy: "command" },
    scope: {
      kind: choice("page", "prefix", "host", "domain", "any"),
      help: "which URLs to crawl: page (the seeds alone), prefix (their directories), host, domain, or any",
      default: "host",
      stored: "web.scope.kind",
    },
    include: {
      kind: pattern,
      help: "only URLs that match this RE2 pattern; may be repeated",
      stored: "web.scope.include",
    },
    exclude: {
      kind: pattern,
      help: "no URLs that match this RE2 pattern; may be repeated",
      stored: "web.scope.exclude",
    },
    universe: {
      kind: choice("allowed", "scope", "web"),
      help:
        "what coverage is measured against: allowed (pages of the scope that exist and may be fetched), scope " +
        "(forbidden and dead pages count as missing), or web (so do links out of the scope)",
      default: "allowed",
      stored: "web.universe",
    },
    stripParameters: {
      kind: toggle,
      help: "remove session and tracking parameters from URLs",
      default: false,
      stored: "web.urlRules.stripParameters",
    },
    followNofollow: {
      kind: toggle,
      help: "follow links marked nofollow",
      default: false,
      stored: "web.followNofollow",
    },
    honourCanonical: {
      kind: toggle,
      help: "count a page that names a canonical URL as a redirect to it",
      default: false,
      stored: "web.honourCanonical",
    },
    duplicatesCountNothing: {
      kind: toggle,
      help: "also say how much is covered if copies of a page on the same host count nothing",
      default: false,
      stored: "web.duplicatesCountNothing",
    },
    sitemaps: {
      kind: toggle,
      help: "read the sitemaps that robots.txt names, or /sitemap.xml where it names none",
      default: true,
      stored: "web.sitemaps",
    },
    sitemap: {
      kind: listOrNone({ placeholder: "url" }),
      help:
        "read this sitemap as well, at the start of each run; with --scope page, crawl the URLs that it lists; " +
        "may be repeated; none removes earlier ones",
      default: [],
      stored: "sitemap",
    },
    purpose: {
      kind: choice("none", "search", "ai-input", "ai-train"),
      help:
        "what the pages are for: search, ai-input or ai-train; leaves out those whose owners forbid this use by " +
        "Content-Signal or Content-Usage, in robots.txt or in headers; none only keeps what they say",
      default: "none",
      stored: "web.purpose",
    },
    render: {
      kind: choice("never", "auto", "always"),
      help:
        "run the scripts of pages in Chromium before reading them: always, auto (on hosts whose plain HTML lacks " +
        "content or links, found by comparing samples), or never; auto and always need playwright-core",
      default: "never",
      stored: "web.render",
    },
    linksPerPage: {
      kind: wholeNumber(1),
      help: "take this many links of a page, each URL once; of a page with more, not all links are known",
      default: 100_000,
      stored: "web.linksPerPageMax",
    },
    order: {
      kind: text({ placeholder: "name" }),
      help: "which page to fetch next; tidemark simulate --help lists the orders",
      default: "rankmass",
      stored: "order",
    },
    damping: {
      kind: properFraction,
      help: "probability that the random surfer follows a link",
      default: 0.85,
      stored: "damping",
    },
    config: {
      kind: file,
      help: "YAML or JSON file with settings by their long names; the command line overrides it",
      givenBy: "command",
    },
  }),
  ...inGroup("limits", {
    coverage: limitRow(
      share,
      "limits.coverage",
      "stop when at least this share of all importance is certainly covered",
    ),
    confidence: limitRow(
      properFraction,
      "confidence",
      "also sample: stop when --coverage is reached with this confidence, such as 0.999",
    ),
    seed: {
      kind: wholeNumber(0, 2 ** 32 - 1),
      help: "random seed of --confidence",
      defaultInWords: "random",
      stored: "seed",
    },
    maxPages: limitRow(wholeNumber(1), "limits.pages", "stop after this many pages, all runs together"),
    maxDepth: limitRow(wholeNumber(1), "limits.depth", "follow at most this many links from a seed"),
    maxTime: limitRow(duration, "limits.timeMs", "stop this run after this time: 30s, 10m, 2h"),
    maxBytes: limitRow(byteCount, "limits.bytes", "stop after downloading this much, all runs together: 10MB, 1GB"),
    maxPagesPerHost: limitRow(wholeNumber(1), "limits.pagesPerHost", "fetch at most this many pages per host"),
    forever: {
      kind: toggle,
      help: "go on after the crawl: read known pages again and new ones, as tidemark refresh --forever does",
      givenBy: "command",
    },
    budget: {
      kind: wholeNumber(1),
      help: "with --forever: pages to read per day, new ones and known ones again",
      givenBy: "command",
    },
    budgetPerHost: {
      kind: wholeNumber(1),
      help: "with --forever: pages of one host to read per day",
      defaultInWords: "any number",
      givenBy: "command",
    },
    rate: {
      kind: positive,
      help: "with --forever: start at most this many reads per second",
      defaultInWords: "any number",
      givenBy: "command",
    },
    quietHours: {
      kind: text({ placeholder: "hours" }),
      help: "with --forever: read nothing in these hours of the day, such as 22:00-06:00,12:00-13:00",
      defaultInWords: "none",
      givenBy: "command",
    },
    timeZone: {
      kind: text({ placeholder: "name" }),
      help: "with --quiet-hours: their time zone, such as Europe/Berlin",
      defaultInWords: "UTC",
      givenBy: "command",
    },
    keepVisits: {
      kind: keptVisits,
      help:
        "with --forever: once a day, delete earlier visits, but keep this many of each page (5, with the newest), or " +
        "those replaced within a time (90d) or since one (2026-11-18)",
      defaultInWords: "all",
      givenBy: "command",
    },
  }),
  ...inGroup("politeness", {
    delay: {
      kind: pause,
      help: "wait this long after each response of a host: 500ms, 1s; a plain number is milliseconds",
      default: 1000,
      stored: "politeness.delayMs",
    },
    maxCrawlDelay: {
      kind: pause,
      help: "longest crawl-delay of robots.txt that is obeyed; longer ones are shortened to this",
      default: 60_000,
      stored: "politeness.crawlDelayMsMax",
    },
    concurrency: {
      kind: wholeNumber(1, 10_000),
      help: "concurrent requests, all hosts together",
      default: 64,
      stored: "politeness.concurrency",
    },
    perHost: {
      kind: wholeNumber(1, 1000),
      help: "concurrent requests per host",
      default: 1,
      stored: "politeness.perHost",
    },
    // Counts connections that are waiting out their delay as well: one address may serve thousands of hosts.
    perAddress: {
      kind: wholeNumber(1, 10_000),
      help: "concurrent requests per IP address, for all hosts that it serves",
      default: 10,
      stored: "politeness.perAddress",
    },
    hosts: {
      kind: hostRules,
      help: "what holds for single hosts instead: delay, connections, pages, preference, include, exclude, header",
      stored: "hosts",
      givenBy: "document",
    },
    robotsAgent: {
      kind: text({
        placeholder: "name",
        accepts: (given) => /^[A-Za-z0-9_-]+$/.test(given),
        expected: "the name of a robot as robots.txt has it: letters, digits, _ and -",
      }),
      help: "obey the rules of robots.txt for this name",
      defaultInWords: "the name of the robot in the user agent",
      stored: "productToken",
    },
  }),
  ...inGroup("output", {
    dir: {
      kind: text({ placeholder: "dir" }),
      help: "directory of the crawl; resumes it if it exists",
      defaultInWords: "crawl-HOST",
      givenBy: "command",
    },
    anchors: {
      kind: toggle,
      help: "store the text of links to pages not fetched yet, for the list of broken links",
      default: false,
      stored: "anchors",
    },
    nearDuplicates: {
      kind: toggle,
      help: "store a fingerprint of the words of each page, for the list of near-duplicates",
      default: false,
      stored: "nearDuplicates",
    },
    store: {
      kind: choices("text", "markdown", "html"),
      help:
        "store the text of pages: text or markdown (of the main part), html (all of it); several with " +
        "commas; or none",
      default: [],
      stored: "texts",
    },
    warc: {
      kind: toggle,
      help: "store responses as received, as WARC files with an index",
      default: false,
      stored: "network.warc",
    },
    warcRecords: {
      kind: choice("all", "pages"),
      help: "what --warc stores: all responses, also redirects, errors, robots.txt and sitemaps, or pages alone",
      default: "all",
      stored: "network.warcRecords",
      onlyWith: "warc",
    },
    requisites: {
      kind: toggle,
      help: "after the crawl, also store what archived pages need to be shown: stylesheets, scripts, images, fonts",
      givenBy: "command",
    },
    dryRun: {
      kind: toggle,
      help: "show scope, seeds, robots.txt and settings, and create nothing",
      givenBy: "command",
    },
    serve: {
      kind: toggle,
      help: "show a dashboard in the browser, which can also pause, stop and change the crawl",
      givenBy: "command",
    },
    listen: {
      kind: listenAddress,
      help: "where the dashboard listens: a port, or host:port; 0 is any free port",
      default: { host: "127.0.0.1", port: 7433 },
      givenBy: "command",
    },
    token: {
      kind: text({ placeholder: "text" }),
      help: "access token for viewers of the dashboard",
      defaultInWords: "generated when other machines can reach it, otherwise none",
      givenBy: "command",
    },
    json: {
      kind: toggle,
      help: "print JSON lines on standard output, everything else on standard error",
      givenBy: "command",
    },
    quiet: { kind: toggle, help: "print only the result and errors", givenBy: "command" },
    verbose: {
      kind: toggle,
      help: "print one line per fetch on standard error: time, status, bytes, milliseconds, URL",
      givenBy: "command",
    },
  }),
  ...inGroup("network", networkRows),
  ...inGroup("what", {
    sameContentMax: {
      kind: wholeNumber(1),
      help: "skip new URLs found on yet another copy of the same content of a host beyond this many copies",
      default: 20,
      stored: "web.sameContentMax",
      givenBy: "nobody",
    },
    // Random for each crawl, so that nobody can prepare two URLs that look the same to it.
    hashSeed: {
      kind: wholeNumber(0, 2 ** 32 - 1),
      help: "seed the fingerprints of URLs",
      defaultInWords: "random",
      stored: "web.hashSeed",
      givenBy: "nobody",
    },
    hostPatterns: {
      kind: hostRules,
      help: "patterns of the rules for single hosts",
      default: {},
      stored: "web.scope.hosts",
      givenBy: "nobody",
    },
    scopeSeeds: {
      kind: list({ placeholder: "url" }),
      help: "judge the scope by the seeds of the first run",
      stored: "web.scope.seeds",
      givenBy: "nobody",
    },
  }),
} as const satisfies SettingsTable;

type Grouped<Rows> = { readonly [Name in keyof Rows]: Rows[Name] & { readonly group: Group } };

function inGroup<const Rows extends Readonly<Record<string, Row>>>(group: Group, rows: Rows): Grouped<Rows> {
  return Object.fromEntries(Object.entries<Row>(rows).map(([name, row]) => [name, { group, ...row }])) as Grouped<Rows>;
}

function limitRow<const Path extends string>(kind: Kind<number>, stored: Path, help: string) {
  return { kind: limit(kind), help, defaultInWords: "none", stored } as const;
}
