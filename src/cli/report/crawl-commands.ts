/** The commands at the end of a report: the same crawl anew, and what can be done with the one that is there. */
import { counted } from "../../base/index.ts";
import type { CrawlSettings } from "../../crawl/index.ts";
import { typedOptions } from "../crawl/typed-options.ts";
import { shellWord } from "../terminal/words.ts";

export interface CommandToType {
  readonly purpose: string;
  readonly command: string;
}

/** Beyond this many seeds a command names a file of them. */
export const SEEDS_TYPED_MAX = 10;
/** Beyond this many characters options are of no use on a page: the command names a file of them. */
export const OPTIONS_LENGTH_MAX = 2000;

export interface ReportedCrawl {
  readonly dir: string;
  /** The file of the report. */
  readonly out: string;
  readonly settings: CrawlSettings;
}

export function crawlCommands({ dir, out, settings }: ReportedCrawl): CommandToType[] {
  const word = shellWord(dir);
  return [
    anew(settings),
    { purpose: "This crawl, from where it stands:", command: `tidemark crawl --dir ${word}` },
    {
      purpose: "Its certificate, computed anew from what is stored:",
      command: `tidemark coverage ${word}`,
    },
    { purpose: "All its pages as a table:", command: `tidemark export ${word} --format csv --out pages.csv` },
    {
      purpose: "This report:",
      command: `tidemark report ${word} --out ${shellWord(out === "-" ? "report.html" : out)}`,
    },
  ];
}

/** What does not fit into a line stands in files, and the purpose says what they hold. */
function anew(settings: CrawlSettings): CommandToType {
  const { seeds } = settings;
  const words = ["tidemark crawl"];
  const files: string[] = [];
  const areEqual = seeds.every(({ weight }) => weight === seeds[0].weight);
  if (areEqual && seeds.length <= SEEDS_TYPED_MAX) words.push(...seeds.map(({ url }) => shellWord(url)));
  else if (areEqual) {
    words.push("--seed-file seeds.txt");
    files.push(`seeds.txt holds its ${counted(seeds.length, "seed")}, one a line`);
  } else {
    words.push("--trust trust.tsv");
    files.push(`trust.tsv holds the URLs and weights of its ${counted(seeds.length, "seed")}, one a line`);
  }
  words.push("--dir new-crawl");
  const options = optionsOf(settings).join(" ");
  if (options.length <= OPTIONS_LENGTH_MAX) words.push(options);
  else {
    words.push("--config crawl.yaml");
    files.push("crawl.yaml holds its options");
  }
  return { purpose: `${["The same crawl anew", ...files].join("; ")}:`, command: words.join(" ").trimEnd() };
}

/** All that is not as it is by default; a user agent of ours would be that of an older version. */
function optionsOf(settings: CrawlSettings): string[] {
  return typedOptions(settings, ({ flag, value, isDefault }) => {
    return !isDefault && !(flag === "--user-agent" && value?.startsWith("tidemark/") === true);
  });
}
