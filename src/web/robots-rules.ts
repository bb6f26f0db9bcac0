/**
 * Matching of paths with the rules of a robots.txt, RFC 9309, section 2.2.2 and 2.2.3: the longest rule that matches decides, of
 * equally long ones one that allows, and without any the path is allowed. `*` stands for any characters, `$` at the end for
 * the end.
 *
 * Rules and paths are compared in one spelling: unreserved characters decoded, what some write encoded and some
 * do not (blanks, quotes, braces, bytes beyond ASCII, and `*` and `$` where they stand for themselves) encoded, hex digits in upper
 * case. So `/%62*ü` forbids `/b/%c3%bc`, and `%2A` is a star.
 *
 * A rule is cut at its stars into pieces, and each piece is looked for after the one before it: the first place is always good
 * enough, so nothing is tried twice. Cost: at worst |path| * |rule| character comparisons, in practice about |rules| of them;
 * rules are tried in order of precedence until one matches.
 */
export interface Rule {
  readonly allow: boolean;
  /** What stands before, between and after the stars, in one spelling. */
  readonly pieces: readonly string[];
  /** The last piece must end the path. */
  readonly anchored: boolean;
  /** Length of the rule, which is its precedence, and least length of a path that it matches. */
  readonly length: number;
  readonly pathLengthMin: number;
}

/** UTF-8, one character a byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** `pattern` as it stands in the file, a string of bytes. */
export function ruleOf(allow: boolean, pattern: string): Rule {
  const anchored = pattern.endsWith("$");
  const spelled = inOneSpelling(anchored ? pattern.slice(0, -1) : pattern, ALL_ODD_IN_RULE);
  // Stars in succession are one star; each would cost time for nothing.
  const pieces = spelled.replace(/\*{2,}/g, "*").split("*");
  return {
    allow,
    pieces,
    anchored,
    length: spelled.length + (anchored ? 1 : 0),
    pathLengthMin: pieces.reduce((sum, piece) => sum + piece.length, 0),
  };
}

/** The longest first; of equally long rules those that allow. */
export function byPrecedence(a: Rule, b: Rule): number {
  return b.length - a.length || Number(b.allow) - Number(a.allow);
}

/** `rules` in order of precedence. */
export function isAllowed(rules: readonly Rule[], path: string): boolean {
  if (rules.length === 0) return true;
  const spelled = ODD_IN_PATH.test(path) ? inOneSpelling(bytesOf(path), ALL_ODD_IN_PATH) : path;
  for (const rule of rules) if (matches(rule, spelled)) return rule.allow;
  return true;
}

/** What has more than one spelling; in a rule, stars stand for themselves only when encoded. */
const ODD_IN_PATH = /[^\w\-.~!&()+,;=:@/?]/;
const ALL_ODD_IN_PATH = new RegExp(`%[0-9A-Fa-f]{2}|${ODD_IN_PATH.source}`, "g");
const ALL_ODD_IN_RULE = new RegExp(`%[0-9A-Fa-f]{2}|[^\\w\\-.~!&()+,;=:@/?*]`, "g");
const UNRESERVED = /^[\w\-.~]$/;

function matches(rule: Rule, path: string): boolean {
  const { pieces, anchored, pathLengthMin } = rule;
  if (path.length < pathLengthMin) return false;
  const first = pieces[0] ?? "";
  if (!path.startsWith(first)) return false;
  const last = pieces.length - 1;
  if (last === 0) return !anchored || path.length === first.length;
  let at = first.length;
  for (let i = 1; i < last; i++) {
    const piece = pieces[i] ?? "";
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const end = pieces[last] ?? "";
  if (!anchored) return path.indexOf(end, at) !== -1;
  return path.length - end.length >= at && path.endsWith(end);
}

/** Of a string of bytes. A `%` that encodes nothing stays as it is. */
function inOneSpelling(text: string, odd: RegExp): string {
  return text.replace(odd, (found) => {
    if (found === "%") return found;
    const code = found.length === 1 ? found.charCodeAt(0) : Number.parseInt(found.slice(1), 16);
    const character = String.fromCharCode(code);
    if (UNRESERVED.test(character)) return character;
    return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
  });
}
