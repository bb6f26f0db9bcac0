/**
 * The type of a body and its text.
 *
 * The type comes from the Content-Type header, read by the rules of the MIME Sniffing standard (essence, then
 * parameters; the first charset wins). Bytes are examined only if the header is missing or vague: a page served as
 * text/plain is text, as in browsers.
 *
 * The encoding comes from the byte order mark, the header or the page itself, in this order; the default is
 * windows-1252 (HTML standard, "determining the character encoding"), for XML UTF-8. Decoding never throws: malformed
 * input becomes U+FFFD, and an unknown encoding is ignored. Legacy encodings are decoded by @exodus/bytes: the
 * TextDecoder of Node 20 gives U+0080 for 0x80 in windows-1252.
 */
import { getBOMEncoding, isomorphicDecode, labelToName, legacyHookDecode } from "@exodus/bytes/encoding.js";
import sniffEncoding from "html-encoding-sniffer";
import { Parser } from "htmlparser2";

const XHTML_TYPE = "application/xhtml+xml";
const HTML_TYPES = new Set(["text/html", XHTML_TYPE]);
const PLAIN_TYPES = new Set(["text/plain", "text/markdown"]);
/** Types that servers send when they do not know; the standard calls the first three unknown. */
const VAGUE_TYPES = new Set([
  "",
  "unknown/unknown",
  "application/unknown",
  "*/*",
  "application/octet-stream",
  "application/force-download",
  "binary/octet-stream",
]);

/** How many bytes of a body are examined, as in the MIME Sniffing standard. */
const SNIFF_BYTES = 1445;

/** How HTML may begin, in lower case, followed by white space, `>` or `/`. */
const HTML_OPENINGS = [
  "!doctype html",
  ..."html head title body script iframe meta link base style table div h1 font a b br p".split(" "),
];

/** "text/html" for `Text/HTML; charset=x`, "" if it is no media type. Of several joined headers the last counts. */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return "";
  const joined = contentType.includes(",") ? lastOfJoined(contentType) : contentType;
  const semicolon = joined.indexOf(";");
  const essence = (semicolon < 0 ? joined : joined.slice(0, semicolon)).trim().toLowerCase();
  return /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/.test(essence) ? essence : "";
}

/** The label after `charset=`, quoted or not, though the end of a quote is missing; null without one. */
export function charsetLabel(contentType: string | null): string | null {
  if (contentType === null) return null;
  const found = /;[\t\n\r ]*charset=[\t ]*(?:"([^"]*)"?|'([^']*)'?|([^;,\s"']+))/i.exec(contentType);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

/** By what a body is read besides its bytes: two of one kind have the same links and the same text. */
export function bodyKind(contentType: string | null): string {
  const label = charsetLabel(contentType);
  const encoding = label === null ? null : labelToName(label);
  return `${mediaType(contentType)};${encoding?.toLowerCase() ?? ""}`;
}

/** Whether a body is HTML or XHTML, by its type, or by its first bytes if the type is vague. */
export function isHtml(contentType: string | null, body: Uint8Array): boolean {
  const type = mediaType(contentType);
  if (HTML_TYPES.has(type)) return true;
  return isVague(contentType) && looksLikeHtml(body);
}

/** Whether a page is read by the rules of XML. */
export function isXhtml(contentType: string | null): boolean {
  return mediaType(contentType) === XHTML_TYPE;
}

/** Whether a type says nothing, so that only the bytes show what a body is. */
export function isVague(contentType: string | null): boolean {
  return VAGUE_TYPES.has(mediaType(contentType));
}

/** Whether a body is a text to be read as it is. */
export function isPlainText(contentType: string | null): boolean {
  return PLAIN_TYPES.has(mediaType(contentType));
}

/** Whether a type is XML, whose default encoding is UTF-8. */
function isXml(type: string): boolean {
  return type === "text/xml" || type === "application/xml" || type.endsWith("+xml");
}

function looksLikeHtml(body: Uint8Array): boolean {
  let start = "";
  for (const byte of body.subarray(0, SNIFF_BYTES)) start += String.fromCharCode(byte);
  // In a UTF-16 page every other byte is zero.
  const text = start
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .toLowerCase();
  const opening = text
    .replace(/^\s*<\?xml[^>]*>/, "")
    .replace(/^(?:\s|<!--[^]*?-->)+/, "")
    .replace(/^<!doctype(?:\s+)/, "<!doctype ");
  if (opening.startsWith("<!--")) return true;
  if (!opening.startsWith("<")) return false;
  return HTML_OPENINGS.some((name) => opening.startsWith(name, 1) && /^[\s/>]/.test(opening.slice(1 + name.length)));
}

function lastOfJoined(contentType: string): string {
  // A comma inside quotes belongs to a parameter.
  const parts = contentType.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  return parts.findLast((part) => part.includes("/")) ?? contentType;
}

/** A decoded body, and its encoding. */
export interface DecodedBody {
  readonly text: string;
  /** The Encoding standard's name in lower case, such as "utf-8" or "windows-1252". */
  readonly encoding: string;
}

/** An XML declaration is at the very start and short. */
const XML_DECLARATION_BYTES = 256;
/** How far to look for a meta element after the standard's prescan (1,024 bytes). */
const LATE_META_BYTES = 1 << 16;

const utf8 = new TextDecoder("utf-8");

/** Decodes the body of a page, by its Content-Type header, its byte order mark or what the page itself declares. */
export function decodeBody(bytes: Uint8Array, contentType: string | null): DecodedBody {
  return decodeAs(bytes, encodingOf(bytes, contentType));
}

/** `encoding` is the result of `encodingOf` for these bytes. */
export function decodeAs(bytes: Uint8Array, encoding: string): DecodedBody {
  // The platform's decoder drops the byte order mark and replaces malformed input, as the standard requires.
  if (encoding === "utf-8") return { text: utf8.decode(bytes), encoding };
  return { text: legacyHookDecode(bytes, encoding), encoding };
}

/** The name of the encoding, in lower case. */
export function encodingOf(bytes: Uint8Array, contentType: string | null): string {
  const marked = getBOMEncoding(bytes);
  if (marked !== null) return marked;
  const label = charsetLabel(contentType);
  const named = label === null ? null : labelToName(label);
  if (named !== null) return named.toLowerCase();
  const declared = isXml(mediaType(contentType))
    ? (xmlEncoding(bytes) ?? "UTF-8")
    : (earlyMeta(bytes) ?? lateMeta(bytes));
  return (declared ?? "windows-1252").toLowerCase();
}

/** Reads `<?xml version="1.0" encoding="iso-8859-1"?>`. A declaration that is readable as ASCII is not in UTF-16. */
function xmlEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return null;
  const start = isomorphicDecode(bytes.subarray(0, XML_DECLARATION_BYTES));
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1];
  return label === undefined ? null : asDeclared(label);
}

/** The standard's prescan. */
function earlyMeta(bytes: Uint8Array): string | null {
  try {
    const nothing = "";
    const found = sniffEncoding(bytes, { defaultEncoding: nothing });
    return found === nothing ? null : found;
  } catch {
    // The sniffer fails on a content that ends with the word "charset"; such an element names no encoding.
    return null;
  }
}

/** A browser that meets a meta element later changes the encoding and starts again. */
function lateMeta(bytes: Uint8Array): string | null {
  let found: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name !== "meta" || found !== null) return;
      const pragma = attributes["http-equiv"]?.toLowerCase() === "content-type";
      const label = attributes["charset"] ?? (pragma ? charsetIn(attributes["content"] ?? "") : null);
      if (label !== null) found = asDeclared(label);
    },
  });
  parser.end(isomorphicDecode(bytes.subarray(0, LATE_META_BYTES)));
  return found;
}

/** The standard's "extracting a character encoding from a meta element". */
function charsetIn(content: string): string | null {
  const found = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/i.exec(
    content,
  );
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

/** What was readable as ASCII is not UTF-16, and x-user-defined is not for pages. */
function asDeclared(label: string): string | null {
  const name = labelToName(label);
  if (name?.startsWith("UTF-16") === true) return "UTF-8";
  return name === "x-user-defined" ? "windows-1252" : name;
}
