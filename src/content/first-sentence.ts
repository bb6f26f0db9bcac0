/** The first sentence of a text, for a list of pages: one line, at most 200 characters. */

const TEXT_MAX = 8192;
const SENTENCE_MAX = 200;
/** "Wait!" says nothing of a page. */
const SENTENCE_MIN = 20;
/** What follows begins with no small letter, as it does after "e.g."; nor does "Dr." end a sentence, or "J.". */
const END = /(?:[!?…]|(?<!(?:^|\s)\p{Lu}\p{L}{0,2})\.)["'”’)]*(?=\s+[^\p{Ll}\s]|$)|[。！？]/gu;
/** Headings, lists, tables, quotes and code. */
const NO_PROSE = /^(?:[#>|`*+!-]|\d+[.)]\s)/;
const LINK = /!?\[([^\]]*)\]\([^)\s]*\)/g;

/** Of the first paragraph that has one: headings and lists come before it on many pages. Undefined if none has. */
export function firstSentence(text: string): string | undefined {
  for (const block of text.slice(0, TEXT_MAX).split(/\n\s*\n/)) {
    const line = block.replace(LINK, "$1").replace(/\s+/g, " ").trim();
    if (NO_PROSE.test(line)) continue;
    const end = sentenceEnd(line);
    if (end !== undefined) return shortened(line.slice(0, end));
  }
  return undefined;
}

function sentenceEnd(line: string): number | undefined {
  for (const { 0: mark, index } of line.matchAll(END)) {
    if (index + mark.length >= SENTENCE_MIN) return index + mark.length;
  }
  return undefined;
}

function shortened(sentence: string): string {
  if (sentence.length <= SENTENCE_MAX) return sentence;
  const cut = sentence.lastIndexOf(" ", SENTENCE_MAX - 1);
  // Without half a character at the end, where there are no spaces.
  return `${sentence.slice(0, cut > 0 ? cut : SENTENCE_MAX - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
