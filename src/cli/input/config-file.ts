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
      const problemIn = (node: unknown): string | undefined =>
        problemOf(() => {
          values[name] = valueOf(node, table[name]);
          checkValue(name, values[name]);
        });
      const problem = problemIn(value);
      if (problem === undefined) continue;
      const culprit = (isSeq(value) ? value.items : []).find((item) => problemIn(item) !== undefined) ?? value;
      note(offsetOf(culprit) ?? at, `${written}: ${problem}`);
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  return values;
}

function settableNames(table: SettingsTable): string[] {
  return givenNames(table).filter((name) => name !== "config");
}

/** Reads the text as it would be written after the flag: there, "1.10" is not a number. */
function valueOf(node: unknown, { kind }: Setting): unknown {
  if (isSeq(node) && kind.type !== "list") throw new UsageError("got a list. Expected one value.");
  const texts = isSeq(node) ? node.items.map(textOf) : textOf(node);
  try {
    return kind.read(texts);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`got ${quoted(String(texts))}. ${error.message}`, { cause: error });
  }
}

function textOf(node: unknown): string {
  if (!isScalar(node)) throw new UsageError("expected a value or a list of values");
  if (node.value === null) throw new UsageError("has no value");
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

/** Undefined if there is no value to point at. */
function offsetOf(node: unknown): number | undefined {
  return isSeq(node) || (isScalar(node) && node.value !== null) ? node.range?.[0] : undefined;
}

function problemOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

function unknownKey(name: string, table: SettingsTable): string {
  const near = nearest(keyOf(name), settableNames(table).map(keyOf));
  const hint = near === undefined ? "; tidemark crawl --help lists them" : `. Did you mean ${near}?`;
  return `${quoted(name)} is not a setting${hint}`;
}
