/**
 * The table of settings: all settings of a crawl, each once. Flags, the config file and its JSON schema, the options of
 * the library, `--dry-run`, the tables in the docs and the settings that a directory stores all come from it. To add a
 * setting, add a row here and the code that uses it.
 *
 * `--help` loads this file, so it imports only kinds of values.
 */
import { resolve as absolute } from "node:path";
import {
  byteCount,
  choice,
  duration,
  limit,
  list,
  listenAddress,
  listOrNone,
  orNull,
  pause,
  properFraction,
  share,
  text,
  toggle,
  wholeNumber,
} from "./kinds.ts";
import type { SettingsTable } from "./setting.ts";

const file = text({ placeholder: "file" });
const pattern = list({ placeholder: "pattern" });
/** Part of a header of HTTP. */
const headerText = {
  accepts: (given: string) => /^[\x20-\x7e]+$/.test(given),
  expected: "printable ASCII characters, as HTTP headers have them",
};
const NO_LIMIT = "none";

export const settingsTable = {
  urls: {
    group: "what",
    kind: list({ placeholder: "urls" }),
    help: "URLs to start from; www.example.com means https://www.example.com/",
    givenBy: "arguments",
  },
  seedFile: {
    group: "what",
    kind: file,
    help: "more URLs to start from, one per line; - for standard input",
    givenBy: "command",
  },
  trust: {
    group: "what",
    kind: file,
    help: "trusted URLs to start from, one per line: URL, tab, weight",
    givenBy: "command",
  },
  normaliseTrust: {
    group: "what",
    kind: toggle,
    help: "scale the weights of --trust so that they sum to 1",
    givenBy: "command",
  },
  scope: {
    group: "what",
    kind: choice("page", "prefix", "host", "domain", "any"),
    help: "which URLs to crawl: page (the seeds alone), prefix (their directories), host, domain, or any",
    default: "host",
    stored: "web.scope.kind",
    isFixed: true,
  },
  include: {
    group: "what",
    kind: pattern,
    help: "only URLs that match this RE2 pattern; may be repeated",
    stored: "web.scope.include",
    isFixed: true,
  },
  exclude: {
    group: "what",
    kind: pattern,
    help: "no URLs that match this RE2 pattern; may be repeated",
    stored: "web.scope.exclude",
    isFixed: true,
  },
  universe: {
    group: "what",
    kind: choice("scope", "web"),
    help: "what coverage is measured against: scope, or web, where links out of the scope count as missing",
    default: "scope",
    stored: "web.universe",
    isFixed: true,
  },
  stripParameters: {
    group: "what",
    kind: toggle,
    help: "remove session and tracking parameters from URLs",
    default: false,
    stored: "web.urlRules.stripParameters",
    isFixed: true,
  },
  followNofollow: {
    group: "what",
    kind: toggle,
    help: "follow links marked nofollow",
    default: false,
    stored: "web.followNofollow",
    isFixed: true,
  },
  honourCanonical: {
    group: "what",
    kind: toggle,
    help: "count a page that names a canonical URL as a redirect to it",
    default: false,
    stored: "web.honourCanonical",
    isFixed: true,
  },
  sitemaps: {
    group: "what",
    kind: toggle,
    help: "read the sitemaps that robots.txt names",
    default: true,
    stored: "web.sitemaps",
    isFixed: true,
  },
  order: {
    group: "what",
    kind: text({ placeholder: "name" }),
    help: "which page to fetch next; tidemark simulate --help lists the orders",
    default: "rankmass",
    stored: "order",
  },
  damping: {
    group: "what",
    kind: properFraction,
    help: "probability that the random surfer follows a link",
    default: 0.85,
    stored: "damping",
  },
  config: {
    group: "what",
    kind: file,
    help: "YAML or JSON file with settings by their long names; flags win over it",
    givenBy: "command",
  },

  coverage: {
    group: "limits",
    kind: limit(share),
    help: "stop when at least this share of all importance is certainly covered",
    defaultInWords: NO_LIMIT,
    stored: "limits.coverage",
  },
  maxPages: {
    group: "limits",
    kind: limit(wholeNumber(1)),
    help: "stop after this many pages, all runs together",
    defaultInWords: NO_LIMIT,
    stored: "limits.pages",
  },
  maxDepth: {
    group: "limits",
    kind: limit(wholeNumber(1)),
    help: "follow at most this many links from a seed",
    defaultInWords: NO_LIMIT,
    stored: "limits.depth",
  },
  maxTime: {
    group: "limits",
    kind: limit(duration),
    help: "stop this run after this time: 30s, 10m, 2h",
    defaultInWords: NO_LIMIT,
    stored: "limits.timeMs",
  },
  maxBytes: {
    group: "limits",
    kind: limit(byteCount),
    help: "stop after downloading this much, all runs together: 10MB, 1GB",
    defaultInWords: NO_LIMIT,
    stored: "limits.bytes",
  },
  maxPagesPerHost: {
    group: "limits",
    kind: limit(wholeNumber(1)),
    help: "fetch at most this many pages per host",
    defaultInWords: NO_LIMIT,
    stored: "limits.pagesPerHost",
  },

  delay: {
    group: "politeness",
    kind: pause,
    help: "wait this long after each response of a host: 500ms, 1s",
    default: 1000,
    stored: "politeness.delayMs",
  },
  maxCrawlDelay: {
    group: "politeness",
    kind: pause,
    help: "longest crawl-delay of robots.txt that is obeyed; a longer one is cut to it",
    default: 60_000,
    stored: "politeness.crawlDelayMsMax",
  },
  concurrency: {
    group: "politeness",
    kind: wholeNumber(1, 10_000),
    help: "requests at once, to all hosts together",
    default: 64,
    stored: "politeness.concurrency",
  },
  perHost: {
    group: "politeness",
    kind: wholeNumber(1, 1000),
    help: "requests at once per host",
    default: 1,
    stored: "politeness.perHost",
  },
  // Counts connections that are waiting out their delay as well: one address may serve thousands of hosts.
  perAddress: {
    group: "politeness",
    kind: wholeNumber(1, 10_000),
    help: "requests at once per IP address, for all hosts that it serves",
    default: 10,
    stored: "politeness.perAddress",
  },

  dir: {
    group: "output",
    kind: text({ placeholder: "dir" }),
    help: "directory of the crawl; resumes it if it exists",
    defaultInWords: "crawl-HOST",
  },
  warc: {
    group: "output",
    kind: toggle,
    help: "store pages as they came, as WARC files with an index",
    default: false,
    stored: "network.warc",
  },
  dryRun: {
    group: "output",
    kind: toggle,
    help: "show scope, seeds, robots.txt and settings, and create nothing",
    givenBy: "command",
  },
  serve: {
    group: "output",
    kind: toggle,
    help: "show a dashboard in the browser, which can also pause, stop and change the crawl",
    givenBy: "command",
  },
  listen: {
    group: "output",
    kind: listenAddress,
    help: "where the dashboard listens: a port, or host:port; 0 is any free port",
    default: { host: "127.0.0.1", port: 7433 },
    givenBy: "command",
  },
  token: {
    group: "output",
    kind: text({ placeholder: "text" }),
    help: "access token for viewers of the dashboard",
    defaultInWords: "generated when other machines can reach it, otherwise none",
    givenBy: "command",
  },
  json: {
    group: "output",
    kind: toggle,
    help: "print JSON lines on standard output, everything else on standard error",
    givenBy: "command",
  },
  quiet: { group: "output", kind: toggle, help: "no progress and no notes", givenBy: "command" },

  userAgent: {
    group: "network",
    kind: text({ placeholder: "text", ...headerText }),
    help: "how to identify to servers; its first word is the name to look for in robots.txt",
    defaultInWords: "tidemark/VERSION",
    stored: "network.userAgent",
  },
  contact: {
    group: "network",
    kind: text({ placeholder: "where", ...headerText }),
    help: "URL or mail address for the user agent, so that site owners can reach you",
  },
  allowPrivate: {
    group: "network",
    kind: toggle,
    help: "also fetch from private and local addresses, for hosts of your own",
    default: false,
    stored: "network.allowPrivate",
  },
  allowPrivateHost: {
    group: "network",
    kind: list({ placeholder: "name" }),
    help: "the same for this host alone, or *.NAME for all below it; may be repeated",
    stored: "network.allowPrivate",
  },
  resolve: {
    group: "network",
    kind: listOrNone({ placeholder: "host:address" }),
    help: "address to use for a host; may be repeated; none removes earlier rules",
    default: [],
    stored: "network.resolve",
  },
  ca: {
    group: "network",
    kind: orNull(text({ placeholder: "file", kept: (path) => absolute(path) })),
    help: "PEM file of certificates to trust as well as those of the system",
    default: null,
    stored: "network.ca",
  },
  proxy: {
    group: "network",
    kind: orNull(text({ placeholder: "url" })),
    help: "proxy to use; none for no proxy at all",
    default: null,
    defaultInWords: "that of the environment",
    stored: "network.proxy",
  },
  timeout: {
    group: "network",
    kind: duration,
    help: "give up a request that takes longer, from connecting to the last byte",
    default: 60_000,
    stored: "network.timeoutMs",
  },
  readers: {
    group: "network",
    kind: wholeNumber(0, 64),
    help: "threads that parse pages; 0 parses them in the main thread",
    defaultInWords: "one less than processors",
  },

  sameContentMax: {
    group: "what",
    kind: wholeNumber(1),
    help: "skip new URLs found on yet another copy of the same content of a host beyond this many copies",
    default: 20,
    stored: "web.sameContentMax",
    isFixed: true,
    givenBy: "nobody",
  },
  linksPerPageMax: {
    group: "what",
    kind: wholeNumber(1),
    help: "read this many links of a page; a page with more counts as one whose links are not all known",
    default: 10_000,
    stored: "web.linksPerPageMax",
    isFixed: true,
    givenBy: "nobody",
  },
  // Random for each crawl, so that nobody can prepare two URLs that look the same to it.
  hashSeed: {
    group: "what",
    kind: wholeNumber(0, 2 ** 32 - 1),
    help: "seed the fingerprints of URLs",
    defaultInWords: "random",
    stored: "web.hashSeed",
    isFixed: true,
    givenBy: "nobody",
  },
  scopeSeeds: {
    group: "what",
    kind: list({ placeholder: "url" }),
    help: "judge the scope by the seeds of the first run",
    stored: "web.scope.seeds",
    isFixed: true,
    givenBy: "nobody",
  },
  productToken: {
    group: "politeness",
    kind: text({ placeholder: "name" }),
    help: "obey the rules of robots.txt for this name: the first word of the user agent",
    stored: "productToken",
    givenBy: "nobody",
  },
} as const satisfies SettingsTable;
