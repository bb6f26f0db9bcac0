/**
 * URLs that look like the inside of a trap: endless webs of calendars, sessions and relative links gone wrong. The
 * proof of coverage does not need these rules, since each step into a trap is worth less; they save bandwidth. What
 * they skip counts as not fetched, with the rule as the reason. The defaults are those of large crawlers: Heritrix
 * stops at 20 path segments, BUbiNG, Nutch and Scrapy at about 2,000 characters.
 *
 * `path-repeats` is BUbiNG's rule (`DuplicateSegmentsLessThan`): a block of segments occurs three times in direct
 * succession. Nutch also drops a segment that occurs three times with one other between; real sites have such paths
 * (`/2007/a/2007/b/2007/`), so we do not. Cost: O(segments * block length) comparisons of segments.
 */
/** Limits beyond which a URL counts as part of a trap. */
export interface TrapLimits {
  readonly urlCharactersMax: number;
  readonly pathSegmentsMax: number;
  /** How often a block of segments may occur in direct succession. */
  readonly repeatsMax: number;
  readonly parametersMax: number;
}

/** Limits that ordinary sites never reach. */
export const defaultTrapLimits: TrapLimits = {
  urlCharactersMax: 2000,
  pathSegmentsMax: 20,
  repeatsMax: 2,
  parametersMax: 20,
};

export const trapNames = ["url-too-long", "path-too-deep", "path-repeats", "too-many-parameters"] as const;

/** The rules that recognise traps. */
export type TrapName = (typeof trapNames)[number];

/** The rule that the path and query of a URL ("/a/b?c=d") break; null if none. Empty segments (`//`) do not count. */
export function trapIn(path: string, limits: TrapLimits): TrapName | null {
  if (path.length > limits.urlCharactersMax) return "url-too-long";
  const query = path.indexOf("?");
  const end = query === -1 ? path.length : query;
  if (query !== -1 && countOf(path, AMPERSAND, query) + 1 > limits.parametersMax) return "too-many-parameters";
  const hashes = segmentHashes(path, end);
  if (hashes.length > limits.pathSegmentsMax) return "path-too-deep";
  if (!repeats(hashes, limits.repeatsMax)) return null;
  // Equal hashes are nearly always equal segments.
  const segments = path
    .slice(0, end)
    .split("/")
    .filter((segment) => segment !== "");
  return repeats(segments, limits.repeatsMax) ? "path-repeats" : null;
}

const SLASH = 0x2f;
const AMPERSAND = 0x26;

/** A hash for every segment, so that segments are compared without copying the path. */
function segmentHashes(path: string, end: number): number[] {
  const hashes: number[] = [];
  let hash = 0;
  let start = 0;
  for (let at = 0; at < end; at++) {
    const character = path.charCodeAt(at);
    if (character !== SLASH) {
      hash = (Math.imul(hash, 31) + character) | 0;
      continue;
    }
    if (at > start) hashes.push(hash);
    hash = 0;
    start = at + 1;
  }
  if (end > start) hashes.push(hash);
  return hashes;
}

/** Whether a block of segments occurs more than `repeatsMax` times in direct succession. */
function repeats<Segment>(segments: readonly Segment[], repeatsMax: number): boolean {
  const { length } = segments;
  for (let period = 1; period * (repeatsMax + 1) <= length; period++) {
    // If n segments in a row equal the one a period before, there are n / period + 1 copies of a block.
    let run = 0;
    for (let at = period; at < length; at++) {
      run = segments[at] === segments[at - period] ? run + 1 : 0;
      if (run === period * repeatsMax) return true;
    }
  }
  return false;
}

function countOf(text: string, character: number, from: number): number {
  let count = 0;
  for (let at = from; at < text.length; at++) if (text.charCodeAt(at) === character) count++;
  return count;
}
