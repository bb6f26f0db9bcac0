/** Settings as options to type in a shell, and the commands at the end of a report. */
import { counted, shellWord } from "../../base/index.ts";
import {
  type CrawlSettings,
  productToken,
  type StoredSettings,
  type TypedSetting,
  typedSettings,
  wholeRules,
} from "../../crawl/index.ts";
import { SESSION_FLAGS } from "./session.ts";

export function typedOptions(
  settings: Partial<StoredSettings>,
  isWanted: (setting: TypedSetting) => boolean = () => true,
): string[] {
  return typedSettings(settings)
    .filter(isWanted)
    .map(({ flag, value }) => (value === undefined ? flag : `${flag} ${shellWord(value)}`));
}

export interface CommandToType {
  readonly purpose: string;
  readonly command: string;
}

/** With more seeds, a command names a file of them. */
export const SEEDS_TYPED_MAX = 10;
/** Longer options are of no use on a page: the command names a file of them. */
export const OPTIONS_LENGTH_MAX = 2000;

export interface ReportedCrawl {
  readonly dir: string;
  /** The file of the report. */
  readonly out: string;
  readonly settings: CrawlSettings;
  /** The moment that it shows (default: now). */
  readonly atMs?: number;
}

export function crawlCommands({ dir, out, settings, atMs }: ReportedCrawl): CommandToType[] {
  const word = shellWord(dir);
  const shown = atMs === undefined ? word : `${word} --at ${new Date(atMs).toISOString()}`;
  return [
    startAgain(settings),
    { purpose: "Resume this crawl:", command: `tidemark crawl --dir ${word}` },
    { purpose: "Compute its certificate again from what is stored:", command: `tidemark coverage ${shown}` },
    { purpose: "Export all its pages as a table:", command: `tidemark export ${shown} --format csv --out pages.csv` },
    {
      purpose: "Write this report again:",
      command: `tidemark report ${shown} --out ${shellWord(out === "-" ? "report.html" : out)}`,
    },
  ];
}

/** What does not fit into a line is in files; the purpose says what they contain. */
function startAgain(settings: CrawlSettings): CommandToType {
  const { seeds } = settings;
  const words = ["tidemark crawl"];
  const files: string[] = [];
  const areEqual = seeds.every(({ weight }) => weight === seeds[0].weight);
  if (areEqual && seeds.length <= SEEDS_TYPED_MAX) words.push(...seeds.map(({ url }) => shellWord(url)));
  else if (areEqual) {
    words.push("--seed-file seeds.txt");
    files.push(`seeds.txt has its ${counted(seeds.length, "seed")}, one per line`);
  } else {
    words.push("--trust trust.tsv");
    files.push(`trust.tsv has the URLs and weights of its ${counted(seeds.length, "seed")}, one per line`);
  }
  words.push("--dir new-crawl");
  const options = optionsOf(settings).join(" ");
  const areShort = options.length <= OPTIONS_LENGTH_MAX;
  const hasRules = Object.keys(wholeRules(settings)).length > 0;
  if (areShort) words.push(options);
  if (!areShort || hasRules) {
    words.push("--config crawl.yaml");
    const what = [...(areShort ? [] : ["options"]), ...(hasRules ? ["rules for hosts"] : [])];
    files.push(`crawl.yaml has its ${what.join(" and ")}`);
  }
  const session = (settings as Partial<StoredSettings>).network?.session ?? [];
  if (session.length > 0) files.push(`give it ${session.map((part) => SESSION_FLAGS[part]).join(" and ")} again`);
  return { purpose: `${["Start the same crawl again", ...files].join("; ")}:`, command: words.join(" ").trimEnd() };
}

/**
 * Options that differ from their defaults. Our own user agent may be that of an older version, and the name for
 * robots.txt follows from the user agent.
 */
function optionsOf(settings: CrawlSettings & Partial<StoredSettings>): string[] {
  const robot = productToken(settings.network?.userAgent ?? "tidemark");
  return typedOptions(settings, ({ flag, value, isDefault }) => {
    if (flag === "--user-agent") return value?.startsWith("tidemark/") !== true;
    return flag === "--robots-agent" ? value !== robot : !isDefault;
  });
}
