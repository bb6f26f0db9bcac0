/**
 * Matches paths with the rules of a robots.txt, RFC 9309, section 2.2.2 and 2.2.3: the longest matching rule decides;
 * of equally long ones, one that allows; without any the path is allowed. `*` stands for any characters, `$` for the
 * end.
 *
 * Rules and paths are compared in one spelling: unreserved characters decoded; characters that some encode and some do
 * not (blanks, quotes, braces, bytes beyond ASCII, literal `*` and `$`) encoded; hex digits in upper case. So `/%62*ü`
 * forbids `/b/%c3%bc`, and `%2A` is a literal star.
 *
 * Rules without a star are looked up, once per length that a rule has. A rule with stars is cut at them into pieces,
 * and each is searched after the one before it: the first place is always good enough. Cost: at worst |path| * |rule|
 * comparisons of characters for each of at most `STAR_RULES_MAX` rules.
 */

/** Beyond these, a disallow rule counts up to its first star, which forbids more, and an allow rule is ignored. */
export const STAR_RULES_MAX = 5000;

interface StarRule {
  readonly allow: boolean;
  /** The text before, between and after the stars, in one spelling. */
  readonly pieces: readonly string[];
  /** The last piece must end the path. */
  readonly anchored: boolean;
  /** The length of the rule, which is its precedence. */
  readonly length: number;
}

/** A line of the file: the pattern is a string of bytes. */
export interface WrittenRule {
  readonly allow: boolean;
  readonly pattern: string;
}

/** Rules without a star, by their text: true allows. */
type PlainRules = Map<string, boolean>;

export class RuleSet {
  readonly #plain: PlainRules = new Map();
  /** Rules with `$` at the end, which is not part of the key. */
  readonly #exact: PlainRules = new Map();
  /** The lengths of the plain rules, longest first. */
  readonly #lengths: readonly number[];
  readonly #starred: StarRule[] = [];

  constructor(rules: readonly WrittenRule[]) {
    for (const rule of rules) this.#add(rule);
    this.#lengths = [...new Set([...this.#plain.keys()].map(({ length }) => length))].sort((a, b) => b - a);
    this.#starred.sort(byPrecedence);
  }

  allows(path: string): boolean {
    const spelled = ODD_IN_PATH.test(path) ? inOneSpelling(bytesOf(path), ALL_ODD_IN_PATH) : path;
    let [length, allow] = this.#plainVerdict(spelled);
    for (const rule of this.#starred) {
      if (rule.length < length || (rule.length === length && allow)) break;
      if (!matches(rule, spelled)) continue;
      allow = rule.allow;
      length = rule.length;
      break;
    }
    return allow;
  }

  #add({ allow, pattern }: WrittenRule): void {
    const anchored = pattern.endsWith("$");
    const spelled = cutLoose(inOneSpelling(anchored ? pattern.slice(0, -1) : pattern, ALL_ODD_IN_RULE));
    const star = spelled.indexOf("*");
    if (star === -1) {
      addPlain(anchored ? this.#exact : this.#plain, spelled, allow);
    } else if (this.#starred.length < STAR_RULES_MAX) {
      // Several stars in a row mean one star, and would only cost time.
      const pieces = spelled.replace(/\*{2,}/g, "*").split("*");
      this.#starred.push({ allow, pieces, anchored, length: spelled.length + (anchored ? 1 : 0) });
    } else if (!allow) {
      addPlain(this.#plain, spelled.slice(0, star), false);
    }
  }

  /** The longest matching rule without a star; without any, a rule of length 0 that allows. */
  #plainVerdict(path: string): [length: number, allow: boolean] {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return [path.length + 1, exact];
    for (const length of this.#lengths) {
      if (length > path.length) continue;
      const allow = this.#plain.get(path.slice(0, length));
      if (allow !== undefined) return [length, allow];
    }
    return [0, true];
  }
}

/** A text of bytes without the file that it was cut out of, which would stay in memory as long as the text does. */
export function cutLoose(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

/** The UTF-8 bytes of a text, one character per byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Characters with more than one spelling; in a rule, a star is literal only if it is encoded. */
const ODD_IN_PATH = /[^\w\-.~!&()+,;=:@/?]/;
const ALL_ODD_IN_PATH = new RegExp(`%[0-9A-Fa-f]{2}|${ODD_IN_PATH.source}`, "g");
const ALL_ODD_IN_RULE = new RegExp(`%[0-9A-Fa-f]{2}|[^\\w\\-.~!&()+,;=:@/?*]`, "g");
const UNRESERVED = /^[\w\-.~]$/;
const PERCENT = 0x25;
const ENCODING = /^%[0-9A-F]{2}$/;

/** Of two rules with the same text, the one that allows counts. */
function addPlain(rules: PlainRules, text: string, allow: boolean): void {
  rules.set(text, allow || (rules.get(text) ?? false));
}

/** Longest first; of equally long rules, those that allow first. */
function byPrecedence(a: StarRule, b: StarRule): number {
  return b.length - a.length || Number(b.allow) - Number(a.allow);
}

function matches({ pieces, anchored }: StarRule, path: string): boolean {
  const first = pieces[0] ?? "";
  if (!path.startsWith(first)) return false;
  const last = pieces.length - 1;
  let at = first.length;
  for (let i = 1; i < last; i++) {
    const piece = pieces[i] ?? "";
    const found = placeOf(piece, path, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const end = pieces[last] ?? "";
  if (!anchored) return placeOf(end, path, at) !== -1;
  const start = path.length - end.length;
  return start >= at && path.endsWith(end) && isBetweenCharacters(path, start);
}

/** Where a piece first stands at or after a place; -1 if nowhere. */
function placeOf(piece: string, path: string, from: number): number {
  let at = path.indexOf(piece, from);
  while (at !== -1 && !isBetweenCharacters(path, at)) at = path.indexOf(piece, at + 1);
  return at;
}

/** Not within an encoding: the 7 of `/it%27s` is no character of the path. */
function isBetweenCharacters(path: string, at: number): boolean {
  return !isEncoding(path, at - 1) && !isEncoding(path, at - 2);
}

function isEncoding(path: string, at: number): boolean {
  return path.charCodeAt(at) === PERCENT && ENCODING.test(path.slice(at, at + 3));
}

/** Normalises a string of bytes. A `%` that encodes nothing stays. */
function inOneSpelling(text: string, odd: RegExp): string {
  return text.replace(odd, (found) => {
    if (found === "%") return found;
    const code = found.length === 1 ? found.charCodeAt(0) : Number.parseInt(found.slice(1), 16);
    const character = String.fromCharCode(code);
    if (UNRESERVED.test(character)) return character;
    return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
  });
}
