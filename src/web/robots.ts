/**
 * robots.txt by RFC 9309, read the way Google's parser reads it where the RFC leaves room.
 *
 * Lines end at CR, LF or both; `#` begins a comment; keys are in any case. A group is one or more user-agent lines and the
 * rules up to the next user-agent line that follows a rule; other lines (sitemap, crawl-delay, unknown ones) never end a group.
 * All groups of our product token count together, and if there is none, all groups of `*`. A rule without a path says
 * nothing, and neither does one before any user-agent line. /robots.txt itself is always allowed.
 *
 * Policy where implementations differ:
 * - A user-agent line names the product token that it begins with (letters, `_`, `-`, and also digits), and it must be ours
 *   entirely: `tidemark/2.0` and `Tidemark bot` are us, `tide` and `tidemark-images` are not. `*` must stand alone.
 * - Common misspellings that Google's parser reads are read (`dissallow`, `useragent`, a missing colon).
 * - A pattern without a slash at its front matches where one would be (`private` is `/private`); one that begins with a star
 *   matches anywhere.
 * - What allows `/a/index.html` allows `/a/` too (Google's rule, which the others share).
 * - HTML tags in a line are skipped: some servers send the file as a page.
 * - A body in UTF-16 with a byte order mark is decoded; else rules are bytes, whatever their encoding.
 * - crawl-delay is no part of the RFC: it belongs to the user-agent lines right before it, in seconds, as a plain number; of
 *   several the longest counts. How long a delay is honoured is for the crawler to say.
 * - Beyond 500 KiB the file is not read, nor is the line that the limit cuts. This bounds the number of rules and sitemaps: a
 *   rule takes at least eight bytes.
 */
import { bytesOf, RuleSet, type WrittenRule } from "./robots-rules.ts";
import { canonicalUrl } from "./url.ts";

/** RFC 9309, section 2.5, demands at least this much. */
export const ROBOTS_BYTES_MAX = 500 * 1024;
/** What must be kept of a longer one: a byte order mark and a byte more show that the last line was cut, and it is not read. */
export const ROBOTS_BYTES_KEPT = ROBOTS_BYTES_MAX + 4;
/** Redirects followed to a robots.txt, after which it counts as one that cannot be read. RFC 9309, 2.3.1.2 asks for at least five. */
export const ROBOTS_REDIRECTS_MAX = 5;

/** What a file says to anyone. */
export interface RobotsFile {
  readonly groups: readonly RobotsGroup[];
  /** As they stand in the file, each once; perhaps relative. */
  readonly sitemaps: readonly string[];
}

interface RobotsGroup {
  /** In lower case, in the order of the file. */
  readonly agents: readonly string[];
  readonly rules: readonly WrittenRule[];
  readonly delays: readonly CrawlDelay[];
}

interface CrawlDelay {
  /** The agents of the group that it belongs to: from the first index up to, and without, the second. */
  readonly from: number;
  readonly to: number;
  readonly delayMs: number;
}

/** What a file says to us. */
export interface RobotsRules {
  /** Of the path and query of a canonical URL, "/a?b". */
  allows(path: string): boolean;
  readonly crawlDelayMs: number | null;
  /** Absolute and canonical, each once. */
  readonly sitemaps: readonly string[];
}

export const allowAll: RobotsRules = { allows: () => true, crawlDelayMs: null, sitemaps: [] };
export const denyAll: RobotsRules = {
  allows: (path) => isRobotsFile(path),
  crawlDelayMs: null,
  sitemaps: [],
};

/** Never throws: what cannot be read says nothing. */
export function parseRobots(body: Uint8Array | string): RobotsFile {
  const reader = new FileReader();
  const text = textOf(body);
  for (const line of text.split(/\r\n?|\n/)) reader.read(line);
  return reader;
}

/** The rules for a product token. Sitemaps that are relative need the URL of the file. */
export function rulesFor(file: RobotsFile, productToken: string, robotsUrl?: string): RobotsRules {
  const token = tokenIn(productToken);
  const named = file.groups.some(({ agents }) => agents.includes(token)) ? token : ANYONE;
  const groups = file.groups.filter(({ agents }) => agents.includes(named));
  const rules = new RuleSet(groups.flatMap((group) => group.rules));
  const sitemaps = new Set(file.sitemaps.map((text) => canonicalUrl(text, robotsUrl)));
  sitemaps.delete(null);
  return {
    allows: (path) => isRobotsFile(path) || rules.allows(path),
    crawlDelayMs: longestDelay(groups, named),
    sitemaps: [...sitemaps].filter((url) => url !== null),
  };
}

/**
 * What the status of robots.txt means (RFC 9309, section 2.3.1), null if there was no answer: `obey` what it says, `allow-all`
 * since there is none, or `defer`: ask for nothing until it can be read. 429 is no statement about the file but asks for
 * patience, so it defers, as with Google; a redirect that is left over after our limit is no answer.
 */
export function robotsOfStatus(status: number | null): "obey" | "allow-all" | "defer" {
  if (status === null || status === 429) return "defer";
  if (status >= 200 && status < 300) return "obey";
  return status >= 400 && status < 500 ? "allow-all" : "defer";
}

const ANYONE = "*";
const AGENT_KEYS = new Set(["user-agent", "useragent", "user agent"]);
const DISALLOW_KEYS = new Set(["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]);
const DELAY_KEYS = new Set(["crawl-delay", "crawldelay", "crawl delay"]);
const SITEMAP_KEYS = new Set(["sitemap", "site-map"]);

class FileReader implements RobotsFile {
  readonly groups: { agents: string[]; rules: WrittenRule[]; delays: CrawlDelay[] }[] = [];
  readonly #sitemaps = new Set<string>();
  /** The next user-agent line begins a group. */
  #closed = true;
  /** The next user-agent line begins a run of agents that share a delay; the run at hand begins at this one of the group. */
  #delayed = true;
  #delayFrom = 0;

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
  }

  #readAgent(value: string): void {
    if (this.#closed) this.groups.push({ agents: [], rules: [], delays: [] });
    if (this.#closed || this.#delayed) this.#delayFrom = this.groups.at(-1)?.agents.length ?? 0;
    this.#closed = false;
    this.#delayed = false;
    this.groups.at(-1)?.agents.push(/^\*(?:\s|$)/.test(value) ? ANYONE : tokenIn(value));
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
    group.delays.push({ from: this.#delayFrom, to: group.agents.length, delayMs });
    this.#delayed = true;
  }
}

/** The product token that a text begins with, perhaps empty, in lower case. */
function tokenIn(text: string): string {
  return (/^[\w-]*/.exec(text)?.[0] ?? "").toLowerCase();
}

function keyAndValue(line: string): [key: string, value: string] | null {
  const comment = line.indexOf("#");
  const bare = comment === -1 ? line : line.slice(0, comment);
  const text = (bare.includes("<") ? bare.replace(/<[^<>]*>/g, "") : bare).trim();
  const colon = text.indexOf(":");
  if (colon !== -1) return [text.slice(0, colon).trimEnd().toLowerCase(), text.slice(colon + 1).trimStart()];
  // "disallow /private": two words only.
  const words = /^(\S+)\s+(\S+)$/.exec(text);
  return words === null ? null : [(words[1] ?? "").toLowerCase(), words[2] ?? ""];
}

/** One character a byte, without a byte order mark, cut at the limit. */
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
  // One byte and a byte order mark more than are read, so that a longer file is seen to be longer.
  const length = Math.min(body.length, ROBOTS_BYTES_KEPT);
  return Buffer.from(body.buffer, body.byteOffset, length).toString("latin1");
}

/** Bytes beyond ASCII encoded: in a URL they mean the same. */
function percentEncoded(bytes: string): string {
  return bytes.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function isRobotsFile(path: string): boolean {
  return path === "/robots.txt";
}

function longestDelay(groups: readonly RobotsGroup[], agent: string): number | null {
  let longest: number | null = null;
  for (const { agents, delays } of groups) {
    for (const { from, to, delayMs } of delays) {
      const index = agents.indexOf(agent, from);
      if (index !== -1 && index < to && delayMs > (longest ?? -1)) longest = delayMs;
    }
  }
  return longest;
}
