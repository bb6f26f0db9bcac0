/**
 * URLs that look like the inside of a trap: endless webs of calendars, sessions and relative links gone wrong.
 *
 * Soundness never needs these rules, since each step into a trap is worth less; they save bandwidth. What they refuse counts as
 * not fetched, with the rule's name as the reason. The defaults are those of large crawlers: Heritrix stops at 20 path segments,
 * BUbiNG, Nutch and Scrapy at about 2,000 characters.
 *
 * `path-repeats` is BUbiNG's rule (`DuplicateSegmentsLessThan`): a block of one or more segments that stands three times in
 * direct succession, at any place of the path. Nutch also drops a segment that comes back three times with one other segment
 * between (`/foo/bar/xyz/foo/bar/foo/`); real sites have such paths (`/2007/a/2007/b/2007/`), so we do not follow it.
 *
 * Cost: O(segments * block length) comparisons of segments, and there are at most `pathSegmentsMax`.
 */
export interface TrapLimits {
  readonly urlCharactersMax: number;
  readonly pathSegmentsMax: number;
  /** How often a block of segments may stand in direct succession. */
  readonly repeatsMax: number;
  readonly parametersMax: number;
}

export const defaultTrapLimits: TrapLimits = {
  urlCharactersMax: 2000,
  pathSegmentsMax: 20,
  repeatsMax: 2,
  parametersMax: 20,
};

export const trapNames = ["url-too-long", "path-too-deep", "path-repeats", "too-many-parameters"] as const;

export type TrapName = (typeof trapNames)[number];

/** The rule that refuses the path and query of a URL ("/a/b?c=d"), or null. Empty segments (`//`) count as none. */
export function trapIn(path: string, limits: TrapLimits): TrapName | null {
  if (path.length > limits.urlCharactersMax) return "url-too-long";
  const query = path.indexOf("?");
  const end = query === -1 ? path.length : query;
  if (query !== -1 && countOf(path, AMPERSAND, query) + 1 > limits.parametersMax)
    return "too-many-parameters";
  const slashes = countOf(path, SLASH, 0, end);
  // Most paths are too short for any of the rules below.
  if (slashes <= Math.min(limits.repeatsMax, limits.pathSegmentsMax)) return null;
  const segments = path.slice(0, end).split("/").filter(isNotEmpty);
  if (segments.length > limits.pathSegmentsMax) return "path-too-deep";
  return repeats(segments, limits.repeatsMax) ? "path-repeats" : null;
}

const SLASH = 0x2f;
const AMPERSAND = 0x26;

/** Is there a block of segments more than `repeatsMax` times in direct succession? */
function repeats(segments: readonly string[], repeatsMax: number): boolean {
  const { length } = segments;
  for (let period = 1; period * (repeatsMax + 1) <= length; period++) {
    // A run of n segments that equal the one a period before them means n / period + 1 copies of a block.
    let run = 0;
    for (let at = period; at < length; at++) {
      run = segments[at] === segments[at - period] ? run + 1 : 0;
      if (run === period * repeatsMax) return true;
    }
  }
  return false;
}

function countOf(text: string, character: number, from: number, to = text.length): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === character) count++;
  return count;
}

function isNotEmpty(segment: string): boolean {
  return segment !== "";
}
