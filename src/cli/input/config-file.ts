/**
 * `--config FILE`: options of a command as YAML or JSON. A key is the long name of an option (`max-pages` or `maxPages`), its value what
 * would be written after it; so both mean the same and are checked by the same rules. Mistakes are told with the line they stand in.
 */
import { type Command, InvalidArgumentError, type Option } from "commander";
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { nearest, quoted, UsageError } from "../../base/index.ts";
import { readWhole } from "./bytes.ts";

/** The options that a file sets, by the names that the command knows them by. `urls` may be set too: the arguments. */
export function readConfig(path: string, command: Command): Record<string, unknown> {
  const lines = new LineCounter();
  const document = parseDocument(new TextDecoder().decode(readWhole(path)), { lineCounter: lines });
  const wrong = (offset: number | undefined, problem: string): UsageError =>
    new UsageError(`${path}: line ${lines.linePos(offset ?? 0).line || 1}: ${problem}`);
  const [fault] = document.errors;
  if (fault !== undefined)
    throw wrong(fault.pos[0], fault.message.split("\n")[0].replace(/ at line .*$/s, ""));
  const { contents } = document;
  if (contents === null) throw new UsageError(`${path}: is empty; expected options, such as max-pages: 1000`);
  if (!isMap(contents)) throw wrong(contents.range?.[0], "expected options, such as max-pages: 1000");
  const settable = settableOptions(command);
  const values: Record<string, unknown> = {};
  for (const { key, value } of contents.items) {
    const offset = isScalar(key) ? key.range?.[0] : undefined;
    const name = isScalar(key) ? String(key.value) : "";
    const option = settable.get(kebab(name));
    if (option === undefined) throw wrong(offset, unknownKey(name, [...settable.keys()]));
    if (option.attribute in values) throw wrong(offset, `${name} is set twice`);
    try {
      values[option.attribute] = option.read(textsOf(value));
    } catch (error) {
      if (!(error instanceof InvalidArgumentError) && !(error instanceof UsageError)) throw error;
      throw wrong(offset, `${name}: ${error.message}`);
    }
  }
  return values;
}

interface Settable {
  readonly attribute: string;
  readonly read: (texts: Texts) => unknown;
}

/** A value as it would be written behind an option; a list of them for options that may be repeated. */
type Texts = { readonly kind: "one" | "list"; readonly texts: readonly string[] };

function settableOptions(command: Command): Map<string, Settable> {
  const settable = new Map<string, Settable>();
  for (const option of command.options) {
    const name = option.long?.replace(/^--(no-)?/, "") ?? "";
    if (name !== "config") settable.set(name, { attribute: option.attributeName(), read: readerOf(option) });
  }
  settable.set("urls", { attribute: "urls", read: ({ texts }) => texts });
  return settable;
}

function readerOf(option: Option): (texts: Texts) => unknown {
  if (option.isBoolean() || option.negate) return readSwitch;
  return ({ kind, texts }) => {
    const isRepeatable = Array.isArray(option.defaultValue);
    if (kind === "list" && !isRepeatable) throw new UsageError("got a list, expected one value");
    const parse = (text: string, previous: unknown): unknown => {
      if (option.argChoices !== undefined && !option.argChoices.includes(text)) {
        throw new UsageError(`got ${quoted(text)}, expected one of ${option.argChoices.join(", ")}`);
      }
      return option.parseArg === undefined ? text : option.parseArg(text, previous);
    };
    let value: unknown = option.defaultValue;
    for (const text of texts) value = parse(text, value);
    return value;
  };
}

function readSwitch({ kind, texts }: Texts): boolean {
  if (kind === "one" && (texts[0] === "true" || texts[0] === "false")) return texts[0] === "true";
  throw new UsageError(`got ${quoted(texts.join(", "))}, expected true or false`);
}

function textsOf(value: unknown): Texts {
  if (isScalar(value)) return { kind: "one", texts: [textOf(value)] };
  if (!isSeq(value)) throw new UsageError("expected a value or a list of values");
  const texts = value.items.map((item) => {
    if (isScalar(item)) return textOf(item);
    throw new UsageError("expected a list of plain values");
  });
  return { kind: "list", texts };
}

function textOf(scalar: { readonly value: unknown; readonly source?: string | undefined }): string {
  if (scalar.value === null) throw new UsageError("has no value");
  return typeof scalar.value === "string" ? scalar.value : (scalar.source ?? String(scalar.value));
}

function unknownKey(name: string, known: readonly string[]): string {
  const near = nearest(kebab(name), known);
  return near === undefined
    ? `${quoted(name)} is no option; options are ${known.toSorted().join(", ")}`
    : `${quoted(name)} is no option. Did you mean ${near}?`;
}

/** "maxPages" and "max_pages" are "max-pages". */
function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
}
