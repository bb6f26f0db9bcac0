/**
 * What the rules for single hosts say about a host. Where several rules are for one host, its patterns are those of all
 * of them; of anything else the most specific rule that says it decides.
 */
import { quoted, UsageError } from "../../base/index.ts";
import { parseHeader } from "../../fetch/index.ts";
import { canonicalHostKey, HostTable, Scope } from "../../web/index.ts";
import type { HostRule, HostRules } from "./host-rule-kind.ts";
import type { CrawlSettings } from "./settings.ts";

const patternNames: ReadonlySet<string> = new Set(["include", "exclude"] satisfies (keyof HostRule)[]);

/** Patterns define the measured web, so they are stored apart from the rest, which may change from run to run. */
export function withoutPatterns(rules: HostRules): HostRules {
  return kept(rules, (name) => !patternNames.has(name));
}

export function patternsOf(rules: HostRules): HostRules {
  return kept(rules, (name) => patternNames.has(name));
}

/** The rules as they were given, from the two places where they are stored. */
export function wholeRules({ hosts = {}, web }: Pick<CrawlSettings, "hosts" | "web">): HostRules {
  const patterns: HostRules = web.scope.hosts ?? {};
  const names = new Set([...Object.keys(hosts), ...Object.keys(patterns)]);
  return Object.fromEntries(Array.from(names, (host) => [host, { ...hosts[host], ...patterns[host] }]));
}

/** What is left of each rule; hosts of which nothing is left are dropped. */
function kept(rules: HostRules, isKept: (name: string) => boolean): HostRules {
  const parts = Object.entries(rules).map(([host, rule]): [string, HostRule] => {
    return [host, Object.fromEntries(Object.entries(rule).filter(([name]) => isKept(name)))];
  });
  return Object.fromEntries(parts.filter(([, part]) => Object.keys(part).length > 0));
}

/** Headers may be secrets, so they are not stored: the command hands them to the fetcher, for each run. */
export function withoutHeaders(rules: HostRules): HostRules {
  return kept(rules, (name) => name !== "header");
}

/** Throws a `UsageError` if a host, a pattern or a header makes no sense. */
export function checkHostRules(rules: HostRules): void {
  for (const { header = [] } of Object.values(rules)) header.forEach(parseHeader);
  void new Scope({ kind: "any", seeds: [], hosts: patternsOf(canonicalRules(rules)) });
}

/** The same rules with hosts as canonical URLs have them. */
export function canonicalRules(rules: HostRules): HostRules {
  const canonical: Record<string, HostRule> = {};
  for (const [written, rule] of Object.entries(rules)) {
    const host = canonicalHostKey(written);
    if (host === undefined) {
      throw new UsageError(
        `${quoted(written)}, which has rules, is not a host; expected one such as www.example.com, ` +
          "www.example.com:8080, or *.example.com for all hosts below example.com",
      );
    }
    if (host in canonical) throw new UsageError(`the host ${quoted(written)} has rules already; write them together`);
    if (rule.header !== undefined && host.startsWith("*.")) {
      throw new UsageError(`${quoted(written)}: headers go to single hosts, not to all below a name`);
    }
    canonical[host] = rule;
  }
  return canonical;
}

/** As many connections as any one host may have. */
export function mostConnections(perHost: number, hosts: HostRules = {}): number {
  return Math.max(perHost, ...Object.values(hosts).map(({ connections = 0 }) => connections));
}

/** Of a host of which no rule says anything. */
export const NO_RULE: HostRule = {};

/** Finds the rule of a host, by its name with its port. */
export class RuleFinder {
  readonly #table: HostTable<HostRule>;

  constructor(rules: HostRules = {}) {
    this.#table = new HostTable(rules);
  }

  hasRule(host: string): boolean {
    return this.#table.lookup(host).length > 0;
  }

  ruleOf(host: string): HostRule {
    const rules = this.#table.lookup(host);
    // The last wins, so the most specific comes last.
    return rules.length === 0 ? NO_RULE : Object.assign({}, ...rules.toReversed());
  }
}
