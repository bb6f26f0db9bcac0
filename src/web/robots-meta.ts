/**
 * What a page says to robots about itself: `<meta name=robots>` and the header X-Robots-Tag, in the words that search
 * engines have agreed on (`none` is `noindex, nofollow`). Where several apply, the strictest wins.
 */

export interface RobotsDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/** Directives with a value of their own: what stands before their colon is no robot's name. */
const VALUED = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

/** The content of a robots meta element: words with commas between them. */
export function robotsMeta(content: string): RobotsDirectives {
  return directives(content.toLowerCase().split(","));
}

/**
 * The header, all its lines joined by commas. A part `name: directive` speaks to that robot alone, and so does what follows
 * until another robot is named; what stands before any name is for everybody, and so is `*`.
 */
export function xRobotsTag(header: string | null, productToken: string): RobotsDirectives {
  if (header === null) return { noindex: false, nofollow: false };
  const token = productToken.toLowerCase();
  const heard: string[] = [];
  let robot = "*";
  for (const part of header.toLowerCase().split(",")) {
    const named = /^\s*([^\s:]+)\s*:(.*)$/s.exec(part);
    const name = named?.[1];
    const names = name !== undefined && !VALUED.has(name);
    if (names) robot = name;
    if (robot === "*" || robot === token) heard.push(names ? (named?.[2] ?? "") : part);
  }
  return directives(heard);
}

function directives(words: readonly string[]): RobotsDirectives {
  let noindex = false;
  let nofollow = false;
  for (const each of words) {
    const word = each.trim();
    if (word === "noindex" || word === "none") noindex = true;
    if (word === "nofollow" || word === "none") nofollow = true;
  }
  return { noindex, nofollow };
}
