/**
 * Patterns that users give for URLs. They are regular expressions in RE2's syntax, matched in time linear in the URL whatever
 * they are, so that no pattern together with a hostile URL can stall a crawl. Not anchored: they match anywhere in the URL.
 */
import { RE2JS } from "re2js";
import { quoted, UsageError } from "../base/index.ts";

export class PatternSet {
  readonly #patterns: readonly RE2JS[];

  /** `option` is the name under which the user gave them, for messages. */
  constructor(patterns: readonly string[], option: string) {
    this.#patterns = patterns.map((pattern) => compiled(pattern, option));
  }

  get size(): number {
    return this.#patterns.length;
  }

  matches(url: string): boolean {
    for (const pattern of this.#patterns) if (pattern.test(url)) return true;
    return false;
  }
}

function compiled(pattern: string, option: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error);
    throw new UsageError(
      `the ${option} pattern ${quoted(pattern)} cannot be read: ${why}; expected a regular expression in RE2 syntax, which has no ` +
        "look-around and no back-references",
      { cause: error },
    );
  }
}
