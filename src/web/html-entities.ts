/**
 * Character references in attribute values and titles (HTML standard, "character reference state").
 *
 * Nearly all are `&amp;`, `&lt;`, `&quot;`, ASCII numbers, or ampersands that are no references (`?a=1&b=2`): these are
 * decoded here. A value with any other goes to the exact parser, so that its table of 2,231 names is the only one.
 */
import { parseFragment } from "parse5";

const COMMON = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
]);

/** Names that need no semicolon have two to six letters: from `lt` to `middot`. */
const UNCLOSED_MIN = 2;
const UNCLOSED_MAX = 6;

/** Decodes a raw value, the text between its quotes. */
export function attributeValue(raw: string): string {
  const value = raw.includes("&") ? decodeAttribute(raw) : raw;
  return value.includes("\0") || value.includes("\r") ? preprocessed(value) : value;
}

/** Decodes the raw text of a title element. */
export function titleText(raw: string): string {
  if (!raw.includes("&") && !raw.includes("\0")) return raw;
  // Cut for the parser: a title keeps 300 characters, and no reference is longer than 40.
  const [element] = parseFragment(`<title>${raw.slice(0, 1 << 14)}`).childNodes;
  const text = element !== undefined && "childNodes" in element ? element.childNodes[0] : undefined;
  return text !== undefined && "value" in text ? text.value : "";
}

function decodeAttribute(raw: string): string {
  let decoded = "";
  let copied = 0;
  for (let at = raw.indexOf("&"); at >= 0; at = raw.indexOf("&", at + 1)) {
    let end = at + 1;
    const isNumber = raw.charCodeAt(end) === 0x23;
    if (isNumber) end++;
    while (isAlphanumeric(raw.charCodeAt(end))) end++;
    const isClosed = raw.charCodeAt(end) === 0x3b;
    // An unclosed name before "=" is no reference in an attribute, and a bare ampersand never is.
    if (!isNumber && !isClosed && (end === at + 1 || raw.charCodeAt(end) === 0x3d)) continue;
    const name = raw.slice(at + 1, end);
    if (!isNumber && !isClosed && (name.length < UNCLOSED_MIN || name.length > UNCLOSED_MAX)) continue;
    const character = isClosed ? (COMMON.get(name) ?? asciiNumber(name)) : undefined;
    if (character === undefined) return decodeExactly(raw);
    decoded += raw.slice(copied, at) + character;
    copied = end + 1;
  }
  return decoded + raw.slice(copied);
}

/** `#39` and `#x27`, where they name printable ASCII. */
function asciiNumber(name: string): string | undefined {
  const digits = /^#(?:([0-9]{2,3})|[xX]([0-9a-fA-F]{2}))$/.exec(name);
  if (digits === null) return undefined;
  const code = digits[1] === undefined ? Number.parseInt(digits[2] ?? "", 16) : Number(digits[1]);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined;
}

function decodeExactly(raw: string): string {
  // A value without quotes may contain both kinds of quotes; encoding one does not change the value.
  const [element] = parseFragment(`<a x="${raw.replaceAll('"', "&quot;")}">`).childNodes;
  return element !== undefined && "attrs" in element ? (element.attrs[0]?.value ?? "") : "";
}

/** What the standard does before parsing: line ends become line feeds, and a zero in a value is replaced. */
function preprocessed(value: string): string {
  return value.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
}

function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}
