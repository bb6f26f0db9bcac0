/**
 * Decodes bytes to text. The encoding comes from the byte order mark, the transport header or the page itself, in this
 * order; the default is windows-1252 (HTML standard, "determining the character encoding"), for XML UTF-8.
 *
 * Never throws: what cannot be decoded becomes U+FFFD, and an unknown encoding is ignored. windows-1252 and the other
 * legacy encodings are decoded by @exodus/bytes: the TextDecoder of Node 20 gives U+0080 for 0x80, where the Encoding
 * standard has the euro sign. UTF-8, which nearly every page uses, is decoded by the platform.
 */
import { getBOMEncoding, isomorphicDecode, labelToName, legacyHookDecode } from "@exodus/bytes/encoding.js";
import sniffEncoding from "html-encoding-sniffer";
import { Parser } from "htmlparser2";
import { charsetLabel, isXml, mediaType } from "./content-type.ts";

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
  const declared = isXml(mediaType(contentType)) ? (xmlEncoding(bytes) ?? "UTF-8") : htmlEncoding(bytes);
  return (declared ?? "windows-1252").toLowerCase();
}

/** Reads `<?xml version="1.0" encoding="iso-8859-1"?>`. A declaration that is readable as ASCII is not in UTF-16. */
function xmlEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return null;
  const start = isomorphicDecode(bytes.subarray(0, XML_DECLARATION_BYTES));
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1];
  return label === undefined ? null : asDeclared(label);
}

function htmlEncoding(bytes: Uint8Array): string | null {
  return earlyMeta(bytes) ?? lateMeta(bytes);
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
