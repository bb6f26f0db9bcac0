/**
 * The kind of value of `hosts`: rules for single hosts, as a config file has them below `hosts`:
 *
 *     hosts:
 *       docs.example.com: { delay: 200ms, connections: 4, preference: 1 }
 *       "*.example.com": { pages: 500, exclude: "/print/" }
 *
 * `--help` loads this file, so it imports only kinds of values.
 */
import { didYouMean, gotInWords, isRecord, messageOf, quoted, UsageError } from "../../base/index.ts";
import { type Kind, list, NONE, pause, wholeNumber } from "./kinds.ts";

const PREFERENCE_MAX = 9;

const fields = {
  delay: pause,
  connections: wholeNumber(1, 1000),
  pages: wholeNumber(1),
  preference: wholeNumber(0, PREFERENCE_MAX),
  include: list({ placeholder: "pattern" }),
  exclude: list({ placeholder: "pattern" }),
  header: list({ placeholder: "header" }),
} as const satisfies Readonly<Record<string, Kind<unknown>>>;

type Fields = typeof fields;

/** What holds for a host instead of the setting for all hosts. */
export type HostRule = { readonly [Name in keyof Fields]?: Fields[Name] extends Kind<infer T> ? T : never };

/** By hosts: "a.example", "a.example:8080", or "*.example" for all below a name. */
export type HostRules = Readonly<Record<string, HostRule>>;

export const hostRules: Kind<HostRules> = {
  type: "object",
  placeholder: "rules",
  expected: "rules by hosts, such as www.example.com: { delay: 2s, connections: 1 }",
  schema: {
    anyOf: [
      {
        type: "object",
        additionalProperties: {
          type: "object",
          properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
          additionalProperties: false,
        },
      },
      { const: NONE },
    ],
  },
  read: (given) => {
    if (given === NONE) return {};
    const rules: Record<string, HostRule> = {};
    for (const [host, rule] of entriesOf(given, hostRules.expected)) rules[host] = ruleFrom(host, rule);
    return rules;
  },
  write: (rules) => (Object.keys(rules).length === 0 ? NONE : JSON.stringify(rules)),
};

function ruleFrom(host: string, given: unknown): HostRule {
  const names = Object.keys(fields);
  const rule: Record<string, unknown> = {};
  for (const [name, value] of entriesOf(given, `rules of a host: ${names.join(", ")}`)) {
    const kind = (fields as Readonly<Record<string, Kind<unknown>>>)[name];
    if (kind === undefined) {
      throw new UsageError(`${quoted(name)} is not a rule for a host.${didYouMean(name, names)}`);
    }
    try {
      rule[name] = kind.read(value);
    } catch (error) {
      throw new UsageError(`${name} of ${host} is ${gotInWords(value)}. ${messageOf(error)}`, { cause: error });
    }
  }
  return rule;
}

/** "delay 200ms, connections 4". */
export function ruleInWords(rule: HostRule): string {
  const kinds: Readonly<Record<string, Kind<unknown>>> = fields;
  return Object.entries(rule)
    .map(([name, value]) => `${name} ${kinds[name]?.write(value)}`)
    .join(", ");
}

function entriesOf(given: unknown, expected: string): [string, unknown][] {
  if (!isRecord(given)) throw new UsageError(`Expected ${expected}.`);
  return Object.entries(given);
}
