/**
 * Which statement about use a robots.txt makes of a path: that of the longest matching rule; rules of the same path
 * apply together. Content-Usage and Content-Signal are looked up separately, and what both say applies together.
 */
import { cutLoose, RuleSet } from "./robots-rules.ts";
import { combined, contentSignal, contentUsage, NO_PREFERENCES, type UsagePreferences } from "./usage.ts";

export type UsageVocabulary = "content-usage" | "content-signal";

/** A line of the file: its value is a string of bytes. */
export interface WrittenUsage {
  readonly vocabulary: UsageVocabulary;
  readonly value: string;
}

/** Of a robot with more rules than these, what the others disallow is disallowed everywhere. */
export const USAGE_RULES_MAX = 500;

interface UsageRule {
  readonly pattern: string;
  readonly rules: RuleSet;
  preferences: UsagePreferences;
}

export class UsageRules {
  /** By vocabulary, the longest pattern first. */
  readonly #rules: readonly (readonly UsageRule[])[];
  readonly #everywhere: UsagePreferences;

  constructor(written: readonly WrittenUsage[]) {
    const kept = written.slice(0, USAGE_RULES_MAX);
    this.#rules = [rulesOf(kept, "content-usage"), rulesOf(kept, "content-signal")].filter(({ length }) => length > 0);
    const beyond = written.slice(USAGE_RULES_MAX).map((each) => parsed(each).preferences);
    const disallowed = Object.entries(combined(...beyond)).filter(([, isAllowed]) => !isAllowed);
    this.#everywhere = Object.fromEntries(disallowed);
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** What applies to this path and query of a canonical URL. */
  of(path: string): UsagePreferences {
    if (this.isEmpty) return NO_PREFERENCES;
    const found = this.#rules.map((rules) => rules.find((rule) => !rule.rules.allows(path))?.preferences ?? {});
    return combined(this.#everywhere, ...found);
  }
}

function rulesOf(written: readonly WrittenUsage[], vocabulary: UsageVocabulary): UsageRule[] {
  const byPattern = new Map<string, UsageRule>();
  for (const each of written) {
    if (each.vocabulary !== vocabulary) continue;
    const { pattern, preferences } = parsed(each);
    const known = byPattern.get(pattern);
    if (known !== undefined) known.preferences = combined(known.preferences, preferences);
    else byPattern.set(pattern, { pattern, rules: new RuleSet([{ allow: false, pattern }]), preferences });
  }
  return [...byPattern.values()].sort((a, b) => b.pattern.length - a.pattern.length);
}

/** The path starts with a slash and ends at the first blank; without one, the rule is about the whole site. */
function parsed({ vocabulary, value }: WrittenUsage): Pick<UsageRule, "pattern" | "preferences"> {
  const [, pattern = "/", text = ""] = /^(\/[^\t ]*)?[\t ]*(.*)$/s.exec(value) ?? [];
  const preferences = vocabulary === "content-usage" ? contentUsage(text) : contentSignal(text);
  return { pattern: cutLoose(pattern), preferences };
}
