/**
 * What the owner of a page says about its use: in robots.txt, as rules `Content-Usage` and `Content-Signal`, and in
 * headers of the same names.
 *
 * Content-Usage is that of the IETF (draft-ietf-aipref-attach-05 and draft-ietf-aipref-vocab-08 of 2026): a dictionary
 * of RFC 9651 with the labels `search`, `ai-use` and `train-ai`, each `y` or `n`. If it cannot be parsed it says
 * nothing; of a label that stands twice the last counts; other labels and all parameters are ignored. In robots.txt a
 * path comes first, which earlier drafts let people leave out: then the rule is about the whole site.
 *
 * Content-Signal is that of Cloudflare's content signals policy (contentsignals.org): `search`, `ai-input` and
 * `ai-train`, each `yes` or `no`, with commas between them. What else stands there (`use=reference`) is ignored.
 *
 * Both speak of the same three uses here: `ai-use` is `ai-input`, `train-ai` is `ai-train`. Where several statements
 * apply, one that disallows wins (section 5.1 of the vocabulary).
 */

/** What a crawl may be for. */
export const purposes = ["search", "ai-input", "ai-train"] as const;
export type Purpose = (typeof purposes)[number];

/** What is allowed (true) and disallowed (false); a purpose that is left out is unknown. */
export type UsagePreferences = { readonly [Name in Purpose]?: boolean };

export const NO_PREFERENCES: UsagePreferences = {};

const LABELS: ReadonlyMap<string, Purpose> = new Map([
  ["search", "search"],
  ["ai-use", "ai-input"],
  ["train-ai", "ai-train"],
]);

/** Longer ones are not read; a header of HTTP is at most as long. */
const CHARACTERS_MAX = 8192;

/** The value of `Content-Usage`, without the path. Never throws. */
export function contentUsage(text: string): UsagePreferences {
  const found: Partial<Record<Purpose, boolean>> = {};
  for (const [key, value] of dictionary(text) ?? []) {
    const purpose = LABELS.get(key);
    if (purpose === undefined) continue;
    // A later value that is neither leaves the preference unknown.
    delete found[purpose];
    if (value === "y" || value === "n") found[purpose] = value === "y";
  }
  return found;
}

/** The value of `Content-Signal`, without a path. Never throws. */
export function contentSignal(text: string): UsagePreferences {
  let found = NO_PREFERENCES;
  for (const part of text.slice(0, CHARACTERS_MAX).toLowerCase().split(",")) {
    const [, name, value] = /^\s*([a-z-]+)\s*=\s*(yes|no)\s*$/.exec(part) ?? [];
    const purpose = purposes.find((each) => each === name);
    if (purpose !== undefined) found = combined(found, { [purpose]: value === "yes" });
  }
  return found;
}

/** What headers say; null where they say nothing. */
export function usageOfHeaders(headers: Readonly<Record<string, string>>): UsagePreferences | null {
  const [usage, signal] = [headers["content-usage"], headers["content-signal"]];
  if (usage === undefined && signal === undefined) return null;
  return combined(contentUsage(usage ?? ""), contentSignal(signal ?? ""));
}

/** What several statements say together: a use is disallowed if one of them disallows it. */
export function combined(...statements: readonly UsagePreferences[]): UsagePreferences {
  const result: Partial<Record<Purpose, boolean>> = {};
  for (const statement of statements) {
    for (const purpose of purposes) {
      const said = statement[purpose];
      if (said !== undefined) result[purpose] = said && result[purpose] !== false;
    }
  }
  return result;
}

/** "search=yes, ai-train=no": for people and for the database; null where nothing is said. */
export function usageText(preferences: UsagePreferences): string | null {
  const said = purposes.flatMap((purpose) => {
    const isAllowed = preferences[purpose];
    return isAllowed === undefined ? [] : [`${purpose}=${isAllowed ? "yes" : "no"}`];
  });
  return said.length === 0 ? null : said.join(", ");
}

const BARE_ITEM = [
  String.raw`-?\d{1,15}(?:\.\d{1,3})?`,
  String.raw`"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"`,
  String.raw`[A-Za-z*][\w!#$%&'*+.^|~:/\x60-]*`,
  String.raw`:[A-Za-z0-9+/=]*:`,
  String.raw`\?[01]`,
  String.raw`@-?\d{1,15}`,
  String.raw`%"(?:%[0-9a-f]{2}|[\x20\x21\x23\x24\x26-\x7e])*"`,
].join("|");
const KEY = String.raw`[a-z*][a-z0-9_.*-]*`;
const PARAMETERS = `(?:; *${KEY}(?:=(?:${BARE_ITEM}))?)*`;
const INNER_LIST = String.raw`\( *(?:(?:${BARE_ITEM})${PARAMETERS}(?: +|(?=\))))*\)`;
const MEMBER = new RegExp(`(${KEY})(?:=(${BARE_ITEM}|${INNER_LIST}))?${PARAMETERS}`, "y");
const COMMA = /[\t ]*,[\t ]*/y;

/** A dictionary of RFC 9651, section 4.2.2: its keys and values as written, in their order; null if it is none. */
function dictionary(text: string): [key: string, value: string | null][] | null {
  const trimmed = text.replace(/^ +| +$/g, "");
  if (trimmed.length > CHARACTERS_MAX) return null;
  const members: [string, string | null][] = [];
  let at = 0;
  while (at < trimmed.length) {
    MEMBER.lastIndex = at;
    const member = MEMBER.exec(trimmed);
    if (member === null) return null;
    members.push([member[1], member[2] ?? null]);
    at = MEMBER.lastIndex;
    if (at === trimmed.length) return members;
    COMMA.lastIndex = at;
    if (!COMMA.test(trimmed)) return null;
    at = COMMA.lastIndex;
    if (at === trimmed.length) return null;
  }
  return members;
}
