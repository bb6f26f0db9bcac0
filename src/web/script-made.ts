/** Tells pages that show nothing until their scripts have run. */

/** What such a page may still have: a line that asks for JavaScript, a copyright. */
const TEXT_MAX = 200;
/** Their content is not text of the page. */
const UNSEEN = new Set(["script", "style", "noscript", "template", "title", "svg", "textarea"]);

/** Whether an HTML text has scripts and hardly any text. It is scanned once, as tags and what is between them. */
export function looksScriptMade(html: string): boolean {
  const lower = html.toLowerCase();
  if (!lower.includes("<script")) return false;
  let seen = 0;
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    seen += letters(html.slice(at, end));
    if (seen > TEXT_MAX) return false;
    if (open < 0) return true;
    at = afterTag(lower, open);
  }
  return true;
}

/** Where the text goes on after a tag, a comment, or an element whose content is not shown. */
function afterTag(lower: string, open: number): number {
  if (lower.startsWith("<!--", open)) return after(lower, "-->", open + 4);
  const name = /^[a-z]+/.exec(lower.slice(open + 1, open + 12))?.[0];
  const close = after(lower, ">", open + 1);
  return name !== undefined && UNSEEN.has(name) ? after(lower, ">", after(lower, `</${name}`, close)) : close;
}

function after(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at + part.length;
}

function letters(text: string): number {
  return text.replace(/&[a-z]+;|\s+/gi, "").length;
}
