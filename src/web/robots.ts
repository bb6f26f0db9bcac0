/**
 * robots.txt by RFC 9309; where the RFC leaves room, as Google's parser reads it.
 *
 * Lines end at CR, LF or both; `#` starts a comment; keys may be in any case. A group is one or more user-agent lines
 * and the rules up to the next user-agent line that follows a rule; other lines (sitemap, crawl-delay, unknown ones)
 * never end a group. All groups of our product token count together; if there is none, all groups of `*`. A rule
 * without a path, or before any user-agent line, is ignored. /robots.txt itself is always allowed.
 *
 * Policy where implementations differ:
 * - A user-agent line names the product token that it begins with (letters, digits, `_`, `-`). The token must match
 *   entirely: `tidemark/2.0` and `Tidemark bot` are us, `tide` and `tidemark-images` are not. `*` must stand alone.
 * - Common misspellings that Google's parser accepts are accepted (`dissallow`, `useragent`, a missing colon).
 * - A pattern without a leading slash gets one (`private` means `/private`); one that begins with a star matches
 *   anywhere.
 * - A rule that allows `/a/index.html` also allows `/a/` (Google's rule, which others share).
 * - HTML tags are skipped: some servers send the file as a page.
 * - A body in UTF-16 with a byte order mark is decoded; otherwise rules are bytes, whatever their encoding.
 * - crawl-delay, which is not part of the RFC, belongs to the user-agent lines directly before it, in seconds, as a
 *   plain number; of several the longest counts. The crawler decides how long a delay it accepts.
 * - Content-Usage and Content-Signal (usage.ts) belong to the user-agent lines directly before them, as crawl-delay
 *   does, and never end a group: they change nothing about what may be fetched. Before any user-agent line they are for
 *   everybody, which is more careful than to ignore them.
 * - Only the first 500 KiB are read, without the line that the limit cuts. This bounds the number of rules and
 *   sitemaps: a rule takes at least eight bytes.
 */
import { bytesOf, cutLoose, RuleSet, type WrittenRule } from "./robots-rules.ts";
import { canonicalUrl } from "./url.ts";
import { UsageRules, type UsageVocabulary, type WrittenUsage } from "./usage-rules.ts";
import { NO_PREFERENCES, type UsagePreferences } from "./usage.ts";

/** How much of a file is read; RFC 9309, section 2.5, demands at least this much. */
export const ROBOTS_BYTES_MAX = 500 * 1024;
/** What to store of a longer file: room for a byte order mark, and a byte which shows that the last line was cut. */
export const ROBOTS_BYTES_KEPT = ROBOTS_BYTES_MAX + 4;
/** Redirects to follow to a robots.txt; with more it is unreadable. RFC 9309, 2.3.1.2 asks for at least five. */
export const ROBOTS_REDIRECTS_MAX = 5;

/** A parsed robots.txt: what it says to all robots. */
export interface RobotsFile {
  readonly groups: readonly RobotsGroup[];
  /** As written in the file, each once; they may be relative. */
  readonly sitemaps: readonly string[];
  /** What stands before any user-agent line. */
  readonly usage: readonly WrittenUsage[];
}

interface RobotsGroup {
  /** In lower case, in the order of the file. */
  readonly agents: readonly string[];
  readonly rules: readonly WrittenRule[];
  readonly delays: readonly CrawlDelay[];
  readonly usage: readonly (WrittenUsage & AgentRun)[];
}

/** The agents of the group that a line applies to, from the first index up to but not including the second. */
interface AgentRun {
  readonly from: number;
  readonly to: number;
}

interface CrawlDelay extends AgentRun {
  readonly delayMs: number;
}

/** What a robots.txt says to one robot. */
export interface RobotsRules {
  /** Whether this path and query of a canonical URL, such as "/a?b", may be fetched. */
  allows(path: string): boolean;
  /** Whether anything is said about the use of any page. */
  readonly speaksOfUsage: boolean;
  /** What is said about the use of such a page. */
  usageOf(path: string): UsagePreferences;
  readonly crawlDelayMs: number | null;
  /** Absolute and canonical, each once. */
  readonly sitemaps: readonly string[];
}

export const allowAll: RobotsRules = {
  allows: () => true,
  speaksOfUsage: false,
  usageOf: () => NO_PREFERENCES,
  crawlDelayMs: null,
  sitemaps: [],
};

/** Parses a robots.txt. Never throws: what it cannot read, it ignores. */
export function parseRobots(body: Uint8Array | string): RobotsFile {
  const reader = new FileReader();
  const text = textOf(body);
  for (const line of text.split(/\r\n?|\n/)) reader.read(line);
  return reader;
}

/** The rules for a robot with this product token. Relative sitemaps need the URL of the file. */
export function rulesFor(file: RobotsFile, productToken: string, robotsUrl?: string): RobotsRules {
  const token = tokenIn(productToken);
  const named = file.groups.some(({ agents }) => agents.includes(token)) ? token : ANYONE;
  const groups = file.groups.filter(({ agents }) => agents.includes(named));
  const rules = new RuleSet(groups.flatMap((group) => group.rules));
  const sitemaps = new Set(file.sitemaps.map((text) => canonicalUrl(text, robotsUrl)));
  sitemaps.delete(null);
  const usage = new UsageRules([
    ...file.usage,
    ...groups.flatMap((group) => group.usage.filter((each) => isFor(each, group, named))),
  ]);
  return {
    allows: (path) => path === "/robots.txt" || rules.allows(path),
    speaksOfUsage: !usage.isEmpty,
    usageOf: (path) => usage.of(path),
    crawlDelayMs: longestDelay(groups, named),
    sitemaps: [...sitemaps].filter((url) => url !== null).map(cutLoose),
  };
}

/**
 * What the status of a robots.txt means (RFC 9309, 2.3.1): `obey` the file; `allow-all`, since there is none; or
 * `defer`: fetch nothing until it can be read. So 429 and too many redirects defer, as with Google.
 */
export function robotsOfStatus(status: number | null): "obey" | "allow-all" | "defer" {
  if (status === null || status === 429) return "defer";
  if (status >= 200 && status < 300) return "obey";
  return status >= 400 && status < 500 ? "allow-all" : "defer";
}

const ANYONE = "*";
const BLANKS = "\t\v\f ";
const AGENT_KEYS = new Set(["user-agent", "useragent", "user agent"]);
const DISALLOW_KEYS = new Set(["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]);
const DELAY_KEYS = new Set(["crawl-delay", "crawldelay", "crawl delay"]);
const SITEMAP_KEYS = new Set(["sitemap", "site-map"]);
const USAGE_KEYS: ReadonlyMap<string, UsageVocabulary> = new Map([
  ["content-usage", "content-usage"],
  ["content-signal", "content-signal"],
  ["content-signals", "content-signal"],
]);

class FileReader implements RobotsFile {
  readonly groups: {
    agents: string[];
    rules: WrittenRule[];
    delays: CrawlDelay[];
    usage: (WrittenUsage & AgentRun)[];
  }[] = [];
  readonly usage: WrittenUsage[] = [];
  readonly #sitemaps = new Set<string>();
  /** The next user-agent line starts a group. */
  #closed = true;
  /** The agents that share a delay, and those that share what is said about use. */
  readonly #delayRun = new RunOfAgents();
  readonly #usageRun = new RunOfAgents();

  get sitemaps(): readonly string[] {
    return [...this.#sitemaps];
  }

  read(line: string): void {
    const pair = keyAndValue(line);
    if (pair === null) return;
    const [key, value] = pair;
    if (AGENT_KEYS.has(key)) this.#readAgent(value);
    else if (key === "allow") this.#readRule(true, value);
    else if (DISALLOW_KEYS.has(key)) this.#readRule(false, value);
    else if (DELAY_KEYS.has(key)) this.#readDelay(value);
    else if (SITEMAP_KEYS.has(key) && value !== "") this.#sitemaps.add(percentEncoded(value));
    else this.#readUsage(USAGE_KEYS.get(key), value);
  }

  #readAgent(value: string): void {
    if (this.#closed) this.groups.push({ agents: [], rules: [], delays: [], usage: [] });
    const place = this.groups.at(-1)?.agents.length ?? 0;
    this.#delayRun.agent(place);
    this.#usageRun.agent(place);
    this.#closed = false;
    this.groups.at(-1)?.agents.push(/^\*(?:[\t\v\f ]|$)/.test(value) ? ANYONE : tokenIn(value));
  }

  #readRule(allow: boolean, value: string): void {
    const group = this.groups.at(-1);
    if (group === undefined) return;
    this.#closed = true;
    if (value === "") return;
    const pattern = /^[/*]/.test(value) ? value : `/${value}`;
    group.rules.push({ allow, pattern });
    const directoryEnd = pattern.lastIndexOf("/") + 1;
    if (allow && pattern.startsWith("index.htm", directoryEnd)) {
      group.rules.push({ allow: true, pattern: `${pattern.slice(0, directoryEnd)}$` });
    }
  }

  #readDelay(value: string): void {
    const group = this.groups.at(-1);
    if (group === undefined || !/^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(value)) return;
    const delayMs = Math.min(Math.round(Number(value) * 1000), Number.MAX_SAFE_INTEGER);
    group.delays.push({ ...this.#delayRun.upTo(group.agents.length), delayMs });
  }

  #readUsage(vocabulary: UsageVocabulary | undefined, value: string): void {
    if (vocabulary === undefined || value === "") return;
    const group = this.groups.at(-1);
    if (group === undefined) return void this.usage.push({ vocabulary, value });
    group.usage.push({ ...this.#usageRun.upTo(group.agents.length), vocabulary, value });
  }
}

/** The user-agent lines directly before a line, others of its kind apart. */
class RunOfAgents {
  #from = 0;
  /** The next user-agent line starts a run. */
  #isOver = true;

  /** A user-agent line that is the first of its group starts a run too. */
  agent(place: number): void {
    if (this.#isOver || place === 0) this.#from = place;
    this.#isOver = false;
  }

  upTo(to: number): AgentRun {
    this.#isOver = true;
    return { from: this.#from, to };
  }
}

/** The product token at the start of a text, in lower case; it may be empty. */
function tokenIn(text: string): string {
  return (/^[\w-]*/.exec(text)?.[0] ?? "").toLowerCase();
}

function keyAndValue(line: string): [key: string, value: string] | null {
  const comment = line.indexOf("#");
  const bare = comment === -1 ? line : line.slice(0, comment);
  const text = trimmed(bare.includes("<") ? bare.replace(/<[^<>]*>/g, "") : bare);
  const colon = text.indexOf(":");
  if (colon !== -1) return [trimmed(text.slice(0, colon)).toLowerCase(), trimmed(text.slice(colon + 1))];
  // "disallow /private": exactly two words.
  const words = /^([^\t\v\f ]+)[\t\v\f ]+([^\t\v\f ]+)$/.exec(text);
  return words === null ? null : [(words[1] ?? "").toLowerCase(), words[2] ?? ""];
}

/** Characters are bytes here, so only blanks of ASCII are blanks: A0 and 85 are parts of letters. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANKS.includes(text[start])) start++;
  while (end > start && BLANKS.includes(text[end - 1])) end--;
  return text.slice(start, end);
}

/** One character per byte, without a byte order mark, cut at the limit. */
function textOf(body: Uint8Array | string): string {
  const bytes = typeof body === "string" ? bytesOf(body) : textOfBytes(body);
  // Google's parser skips half a byte order mark too.
  const text = bytes.replace(/^\xef(?:\xbb\xbf?)?/, "");
  if (text.length <= ROBOTS_BYTES_MAX) return text;
  const end = Math.max(text.lastIndexOf("\n", ROBOTS_BYTES_MAX), text.lastIndexOf("\r", ROBOTS_BYTES_MAX));
  return text.slice(0, Math.max(end, 0));
}

function textOfBytes(body: Uint8Array): string {
  const utf16 = body[0] === 0xff && body[1] === 0xfe ? "utf-16le" : "utf-16be";
  if (utf16 === "utf-16le" || (body[0] === 0xfe && body[1] === 0xff)) {
    return bytesOf(new TextDecoder(utf16).decode(body.subarray(0, 2 * ROBOTS_BYTES_MAX)));
  }
  // A byte order mark and one byte more than are read, so that a longer file is recognised.
  const length = Math.min(body.length, ROBOTS_BYTES_KEPT);
  return Buffer.from(body.buffer, body.byteOffset, length).toString("latin1");
}

/** Encodes bytes beyond ASCII, which mean the same in a URL. */
function percentEncoded(bytes: string): string {
  return bytes.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function longestDelay(groups: readonly RobotsGroup[], agent: string): number | null {
  let longest: number | null = null;
  for (const group of groups) {
    for (const delay of group.delays) {
      if (isFor(delay, group, agent) && delay.delayMs > (longest ?? -1)) longest = delay.delayMs;
    }
  }
  return longest;
}

function isFor({ from, to }: AgentRun, { agents }: RobotsGroup, agent: string): boolean {
  const index = agents.indexOf(agent, from);
  return index !== -1 && index < to;
}
