/**
 * `--config FILE`: settings as YAML or JSON. A key is the name of a setting (`max-pages` or `maxPages`). Its value is
 * written as after the flag and checked by the same rules. All mistakes are reported, each with its line.
 */
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { nearest, quoted, UsageError } from "../../base/index.ts";
import { checkValue, type CommandOptions } from "../../crawl/index.ts";
import { givenNames, keyOf, type Setting, type SettingsTable, settingsTable } from "../../crawl/settings/index.ts";
import { readWhole } from "./files.ts";

export function readConfig(path: string, table: SettingsTable = settingsTable): CommandOptions {
  const lines = new LineCounter();
  const document = parseDocument(new TextDecoder().decode(readWhole(path)), {
    lineCounter: lines,
    // Reported below, with the name of the setting.
    uniqueKeys: false,
  });
  const problems: string[] = [];
  const note = (offset: number | undefined, problem: string): void => {
    problems.push(`${path}: line ${lines.linePos(offset ?? 0).line || 1}: ${problem}`);
  };
  for (const { pos, message } of document.errors) note(pos[0], message.split("\n")[0].replace(/ at line .*$/s, ""));
  const { contents } = document;
  const values: Record<string, unknown> = {};
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  if (contents === null) throw new UsageError(`${path}: is empty; expected settings, such as max-pages: 1000`);
  if (!isMap(contents)) note(contents.range?.[0], "expected settings, such as max-pages: 1000");
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    const written = isScalar(key) ? String(key.value) : "";
    const at = isScalar(key) ? key.range?.[0] : undefined;
    const name = settableNames(table).find((each) => keyOf(each) === keyOf(written));
    if (name === undefined) note(at, unknownKey(written, table));
    else if (name in values) note(at, `${written} is set twice`);
    else {
      const problemIn = ({ plain }: Part): Error | undefined =>
        problemOf(() => {
          values[name] = valueOf(plain, table[name]);
          checkValue(name, values[name]);
        });
      const whole = { plain: () => plainOf(value), at: offsetOf(value) };
      if (problemIn(whole) === undefined) continue;
      const culprits = partsOf(value).filter((part) => problemIn(part) !== undefined);
      for (const part of culprits.length > 0 ? culprits : [whole]) {
        const problem = problemIn(part);
        const line = problem instanceof RepeatedKey ? problem.at : part.at;
        note(line ?? at, `${written}: ${problem?.message}`);
      }
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  return values;
}

function settableNames(table: SettingsTable): string[] {
  return givenNames(table).filter((name) => name !== "config");
}

type Plain = string | readonly Plain[] | { readonly [key: string]: Plain };

function valueOf(plain: () => Plain, { kind }: Setting): unknown {
  const given = plain();
  if (kind.type === "object") return kind.read(given);
  if (Array.isArray(given) && kind.type !== "list") throw new UsageError("got a list. Expected one value.");
  if ([given].flat().some((each) => typeof each !== "string")) {
    throw new UsageError("expected a value or a list of values");
  }
  try {
    return kind.read(given);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`got ${quoted(String(given))}. ${error.message}`, { cause: error });
  }
}

/** Texts as they would be written after a flag: there, "1.10" is not a number. */
function plainOf(node: unknown): Plain {
  if (isSeq(node)) return node.items.map(plainOf);
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => [textOf(key), plainOf(value)] as const);
    const repeated = entries.findIndex(([key], k) => entries.findIndex(([other]) => other === key) < k);
    if (repeated >= 0) throw new RepeatedKey(entries[repeated][0], offsetOf(node.items[repeated].key));
    return Object.fromEntries(entries);
  }
  return textOf(node);
}

class RepeatedKey extends UsageError {
  readonly at: number | undefined;

  constructor(key: string, at: number | undefined) {
    super(`${key} is set twice`);
    this.at = at;
  }
}

function textOf(node: unknown): string {
  if (!isScalar(node)) throw new UsageError("expected a value or a list of values");
  if (node.value === null) throw new UsageError("has no value");
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

/** A part of a value that may be wrong on its own, and where it is. */
interface Part {
  readonly plain: () => Plain;
  readonly at: number | undefined;
}

/** The items of a list; the rules of each host, one by one. */
function partsOf(value: unknown): Part[] {
  if (isSeq(value)) return value.items.map((item) => ({ plain: () => plainOf(item), at: offsetOf(item) }));
  if (!isMap(value)) return [];
  return value.items.flatMap(({ key, value: inner }) => {
    const within = (part: () => Plain) => () => ({ [textOf(key)]: part() });
    const at = offsetOf(key);
    if (!isMap(inner) || inner.items.length === 0) return [{ plain: within(() => plainOf(inner)), at }];
    return inner.items.map((pair) => ({
      plain: within(() => ({ [textOf(pair.key)]: plainOf(pair.value) })),
      at: offsetOf(pair.key),
    }));
  });
}

/** Undefined if there is no value to point at. */
function offsetOf(node: unknown): number | undefined {
  return isSeq(node) || (isScalar(node) && node.value !== null) ? node.range?.[0] : undefined;
}

function problemOf(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

function unknownKey(name: string, table: SettingsTable): string {
  if (settableNames(settingsTable).some((each) => keyOf(each) === keyOf(name))) {
    return `${quoted(name)} is for tidemark crawl, and nothing that this command has: leave it out`;
  }
  const near = nearest(keyOf(name), settableNames(table).map(keyOf));
  const hint = near === undefined ? "; tidemark crawl --help lists them" : `. Did you mean ${near}?`;
  return `${quoted(name)} is not a setting${hint}`;
}
