/**
 * What a body is, from its Content-Type header and, where the header is missing or says nothing, from its first bytes.
 *
 * The header is read by the MIME Sniffing standard's rules (essence, then parameters, the first charset wins). Bytes are
 * only looked at when the header cannot be right about HTML: a page served as text/plain is text, as browsers have it.
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

/** How much of a body is looked at, as the MIME Sniffing standard has it. */
const SNIFF_BYTES = 1445;

/** Openings of HTML, in lower case, each to be followed by white space, `>` or `/` (a comment needs nothing after it). */
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

/** `Text/HTML; charset=x` is "text/html"; what is no media type is "". Of several joined headers the last counts. */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return "";
  const joined = contentType.includes(",") ? lastOfJoined(contentType) : contentType;
  const semicolon = joined.indexOf(";");
  const essence = (semicolon < 0 ? joined : joined.slice(0, semicolon)).trim().toLowerCase();
  return /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/.test(essence) ? essence : "";
}

/** The label of `charset=`, quoted or not; null without one. */
export function charsetLabel(contentType: string | null): string | null {
  if (contentType === null) return null;
  const found = /;[\t\n\r ]*charset=[\t ]*(?:"([^"]*)"|'([^']*)'|([^;,\s"']+))/i.exec(contentType);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

/** Whether a body has links to read: HTML and XHTML by their type, or by their first bytes when the type is vague. */
export function isHtml(contentType: string | null, body: Uint8Array): boolean {
  const type = mediaType(contentType);
  if (HTML_TYPES.has(type)) return true;
  return isVague(contentType) && looksLikeHtml(body);
}

/** Whether a type says nothing, so that only the bytes can tell what a body is. */
export function isVague(contentType: string | null): boolean {
  return VAGUE_TYPES.has(mediaType(contentType));
}

/** Whether a type is XML, whose encoding is UTF-8 unless it says otherwise. */
export function isXml(type: string): boolean {
  return type === "text/xml" || type === "application/xml" || type.endsWith("+xml");
}

function looksLikeHtml(body: Uint8Array): boolean {
  let start = "";
  for (const byte of body.subarray(0, SNIFF_BYTES)) start += String.fromCharCode(byte);
  // A UTF-16 page shows every other byte as zero.
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
  return HTML_OPENINGS.some(
    (name) => opening.startsWith(name, 1) && /^[\s/>]/.test(opening.slice(1 + name.length)),
  );
}

function lastOfJoined(contentType: string): string {
  // A comma inside quotes belongs to a parameter.
  const parts = contentType.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  return parts.findLast((part) => part.includes("/")) ?? contentType;
}
