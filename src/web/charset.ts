/**
 * Bytes to text: the encoding by byte order mark, then transport header, then the page's own words, else windows-1252
 * (HTML standard, "determining the character encoding"; XML is UTF-8 unless its declaration says otherwise).
 *
 * Never throws: what cannot be decoded becomes U+FFFD, an encoding nobody knows is as if it had not been named.
 * windows-1252 and the other legacy encodings are decoded by @exodus/bytes: the TextDecoder of Node 20 gives U+0080 for 0x80
 * where the Encoding standard has the euro sign. UTF-8, which is nearly every page, is decoded by the platform.
 */
import { labelToName, legacyHookDecode } from "@exodus/bytes/encoding.js";
import sniffEncoding from "html-encoding-sniffer";
import { charsetLabel, isXml, mediaType } from "./content-type.ts";

export interface DecodedBody {
  readonly text: string;
  /** The Encoding standard's name in lower case, such as "utf-8" or "windows-1252". */
  readonly encoding: string;
}

/** An XML declaration stands at the very start and is short. */
const XML_DECLARATION_BYTES = 256;

const utf8 = new TextDecoder("utf-8");

export function decodeBody(bytes: Uint8Array, contentType: string | null): DecodedBody {
  const encoding = encodingOf(bytes, contentType);
  // The decoder of the platform drops the byte order mark and replaces what is malformed, as the standard asks.
  if (encoding === "utf-8") return { text: utf8.decode(bytes), encoding };
  return { text: legacyHookDecode(bytes, encoding), encoding };
}

function encodingOf(bytes: Uint8Array, contentType: string | null): string {
  const label = charsetLabel(contentType);
  const named = label === null ? null : labelToName(label);
  const xml = isXml(mediaType(contentType));
  const declared = named ?? (xml ? xmlEncoding(bytes) : null);
  const name = sniffEncoding(bytes, {
    xml,
    ...(declared === null ? {} : { transportLayerEncodingLabel: declared }),
  });
  return name.toLowerCase();
}

/** `<?xml version="1.0" encoding="iso-8859-1"?>`; a declaration that can be read as ASCII is not in UTF-16. */
function xmlEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return null;
  const start = String.fromCharCode(...bytes.subarray(0, XML_DECLARATION_BYTES));
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1];
  const name = label === undefined ? null : labelToName(label);
  return name?.startsWith("UTF-16") === true ? "UTF-8" : name;
}
