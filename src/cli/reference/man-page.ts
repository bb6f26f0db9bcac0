/** The manual page, tidemark(1), in the format of man: every command with its options. */
import { VERSION } from "../../base/index.ts";
import type { CommandShape } from "./command-tree.ts";

export function manPage(description: string, commands: readonly CommandShape[]): string {
  return [
    `.TH TIDEMARK 1 "" "tidemark ${VERSION}" "User Commands"`,
    ".SH NAME",
    `tidemark \\- ${roff("a web crawler that fetches the most important pages first and proves how much it covers")}`,
    ".SH SYNOPSIS",
    ".B tidemark",
    ".I command",
    "[options]",
    ".SH DESCRIPTION",
    roff(description),
    roff("Examples that run as printed are in the help of each command: tidemark help COMMAND."),
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH EXIT STATUS",
    ...[
      ["0", "The work is done. A crawl that ended at one of its limits is done, too."],
      ["1", "It failed."],
      ["2", "The command was wrong: nothing was done."],
      ["130", "It was stopped at once, by a second Ctrl-C."],
    ].flatMap(([code, meaning]) => [".TP", `.B ${code}`, roff(meaning)]),
    ".SH SEE ALSO",
    roff("The guides in the folder docs of the package, and https://github.com/tidemark-crawler/tidemark"),
    "",
  ].join("\n");
}

function commandLines({ name, summary, usage, options }: CommandShape): string[] {
  return [
    `.SS ${roff(`tidemark ${name} ${usage}`)}`,
    roff(`${summary[0].toUpperCase()}${summary.slice(1)}.`),
    ...options.flatMap(({ flags, description, choices }) => [
      ".TP",
      `.B ${roff(flags)}`,
      roff(choices.length === 0 ? description : `${description} (one of ${choices.join(", ")})`),
    ]),
  ];
}

/** A line that begins with a full stop or an apostrophe would be a command of the formatter. */
function roff(text: string): string {
  const plain = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("'", "\\(aq");
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
