/**
 * What a reader sees of Markdown, without its marks: for crawls that have stored nothing else. Not a parser: what looks
 * like a mark is taken out, in whatever place.
 */

const LINK = /!?\[([^\][\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g;
/** Lines without words: rules, fences, and what stands under the head of a table. */
const RULE = /^(?:[-*_|: \t]{3,}|(?:```|~~~).*)$/gm;
/** At the beginning of a line: headings, quotes, items. */
const LINE_MARK = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)/gm;
const EMPHASIS = /(\*{1,3}|(?<![\p{L}\p{N}])_{1,3})(?=\S)([^*_\n]+)(?<=\S)\1/gu;
const CODE = /`([^`\n]+)`/g;
const CELL = /(?<!\\)\|/g;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

export function markdownText(markdown: string): string {
  return markdown
    .replace(LINK, "$1")
    .replace(RULE, "")
    .replace(LINE_MARK, "")
    .replace(EMPHASIS, "$2")
    .replace(CODE, "$1")
    .replace(CELL, " ")
    .replace(ESCAPED, "$1");
}
