/**
 * The words of a source from which a page of documentation was made, without its markup. What is left has some words
 * that no page shows, and lacks some that generators add, so no extraction can reach 1.
 */

export type SourceFormat = "rst" | "asciidoc" | "markdown";

/** Pieces of markup, and what stands in their place. */
const MARKUP: Readonly<Record<SourceFormat, readonly (readonly [RegExp, string])[]>> = {
  rst: [
    // Blocks that show nothing, or titles of other pages; comments; targets.
    [
      /^([ \t]*)\.\. (?:toctree|index|meta|highlight|(?:current)?module|\w+author|image|_[^:]+)::?.*\n(?:\1[ \t]+.*\n|[ \t]*\n)*/gm,
      "",
    ],
    [/^[ \t]*\.\. (?![\w:-]+::|\[).*$/gm, ""],
    [/^([ \t]*)\.\. [\w:-]+::/gm, "$1"],
    [/^[ \t]*:[\w -]+:/gm, ""],
    [/:[\w:+-]+:(?=`)/g, ""],
    [/\s*<[^<>`]*>(?=`)/g, ""],
  ],
  asciidoc: [
    [/^(?:ifdef|ifndef|ifeval|endif|anchor)::.*$/gm, ""],
    [/^(?:\[[^\]]*\]|\/\/.*|:[\w-]+:.*)$/gm, ""],
    [/linkgit:/g, ""],
    [/(?:link|https?):[^\s[]*\[/g, "["],
  ],
  markdown: [
    [/<!--.*?-->/gs, ""],
    [/^\[[^\]]*\]: .*$/gm, ""],
    [/\]\([^)\s]*\)/g, "]"],
    [/^```\w*/gm, ""],
  ],
};

/** Text comes from elsewhere as well: another file, or the comments of a program. */
const TAKES_IN = /^[ \t]*(?:\.\. (?:auto\w+|literal)?include::|\.\. auto\w+::|include::)/m;

/** Undefined if the source is not all of the text. */
export function sourceText(source: string, format: SourceFormat): string | undefined {
  if (TAKES_IN.test(source)) return undefined;
  return MARKUP[format].reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), source);
}
