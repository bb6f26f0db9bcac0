/** What pages ask of robots, in a meta element or in the header X-Robots-Tag. */

/** Whether a page asks robots not to index it, not to follow its links, or not to show a copy of it. */
export interface RobotsDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Also written `nocache`. */
  readonly noarchive: boolean;
}

/** Directives with a value: the word before their colon is not the name of a robot. */
const VALUED = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

/** Reads the content of a robots meta element: words separated by commas. */
export function robotsMeta(content: string): RobotsDirectives {
  return directives(content.toLowerCase().split(","));
}

/**
 * Reads the header X-Robots-Tag. A part `name: directive` applies to that robot only, and so does what follows, up to
 * the next name. What comes before any name, or after `*`, applies to all robots.
 */
export function xRobotsTag(header: string | null, productToken: string): RobotsDirectives {
  if (header === null) return { noindex: false, nofollow: false, noarchive: false };
  const token = productToken.toLowerCase();
  const parts: string[] = [];
  let robot = "*";
  for (const part of header.toLowerCase().split(",")) {
    const named = /^\s*([^\s:]+)\s*:(.*)$/s.exec(part);
    const name = named?.[1];
    const names = name !== undefined && !VALUED.has(name);
    if (names) robot = name;
    if (robot === "*" || robot === token) parts.push(names ? (named?.[2] ?? "") : part);
  }
  return directives(parts);
}

function directives(words: readonly string[]): RobotsDirectives {
  let noindex = false;
  let nofollow = false;
  let noarchive = false;
  for (const each of words) {
    const word = each.trim();
    if (word === "noindex" || word === "none") noindex = true;
    if (word === "nofollow" || word === "none") nofollow = true;
    if (word === "noarchive" || word === "nocache") noarchive = true;
  }
  return { noindex, nofollow, noarchive };
}
