/**
 * The type of a body, from its Content-Type header or, if the header is missing or vague, from its first bytes.
 *
 * The header is read by the rules of the MIME Sniffing standard (essence, then parameters; the first charset wins).
 * Bytes are examined only if the header is vague: a page served as text/plain is text, as in browsers.
 */

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);
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
  "html",
  "head",
  "title",
  "body",
  "script",
  "iframe",
  "meta",
  "link",
  "base",
  "style",
  "table",
  "div",
  "h1",
  "font",
  "a",
  "b",
  "br",
  "p",
];

/**
 * The media type: "text/html" for `Text/HTML; charset=x`, "" if it is none. Of several joined headers the last counts.
 */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return "";
  const joined = contentType.includes(",") ? lastOfJoined(contentType) : contentType;
  const semicolon = joined.indexOf(";");
  const essence = (semicolon < 0 ? joined : joined.slice(0, semicolon)).trim().toLowerCase();
  return /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/.test(essence) ? essence : "";
}

/** The label after `charset=`, quoted or not; null without one. */
export function charsetLabel(contentType: string | null): string | null {
  if (contentType === null) return null;
  const found = /;[\t\n\r ]*charset=[\t ]*(?:"([^"]*)"|'([^']*)'|([^;,\s"']+))/i.exec(contentType);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

/** Whether a body is HTML or XHTML, by its type, or by its first bytes if the type is vague. */
export function isHtml(contentType: string | null, body: Uint8Array): boolean {
  const type = mediaType(contentType);
  if (HTML_TYPES.has(type)) return true;
  return isVague(contentType) && looksLikeHtml(body);
}

/** Whether a type says nothing, so that only the bytes show what a body is. */
export function isVague(contentType: string | null): boolean {
  return VAGUE_TYPES.has(mediaType(contentType));
}

/** Whether a type is XML, whose default encoding is UTF-8. */
export function isXml(type: string): boolean {
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
