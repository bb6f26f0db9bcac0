/** The commands at the end of a report: the same crawl anew, and what can be done with the one that is there. */
import { counted } from "../../base/index.ts";
import { type CrawlSettings, defaultPoliteness, defaultWebSettings, type Seed } from "../../crawl/index.ts";
import type { StoredSettings } from "../crawling/plan.ts";
import { typedLimits, typedNetwork, typedPoliteness, typedWeb } from "../crawling/typed-options.ts";
import { shellWord } from "../crawling/words.ts";

export interface CommandToType {
  readonly purpose: string;
  readonly command: string;
}

/** Beyond this many seeds a command names a file of them. */
export const SEEDS_TYPED_MAX = 10;
/** Beyond this many characters a command is of no use on a page. */
export const OPTIONS_LENGTH_MAX = 2000;

export interface ReportedCrawl {
  readonly dir: string;
  /** The file of the report. */
  readonly out: string;
  /** What is said of the network is left out where the crawl does not say it. */
  readonly settings: CrawlSettings & Partial<StoredSettings>;
}

export function crawlCommands({ dir, out, settings }: ReportedCrawl): CommandToType[] {
  const word = shellWord(dir);
  const { seeds, purpose } = typedSeeds(settings.seeds);
  return [
    { purpose, command: `tidemark crawl ${[...seeds, "--dir new-crawl", ...optionsOf(settings)].join(" ")}` },
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

function typedSeeds(seeds: readonly Seed[]): { readonly seeds: readonly string[]; readonly purpose: string } {
  const areEqual = seeds.every(({ weight }) => weight === seeds[0]!.weight);
  if (areEqual && seeds.length <= SEEDS_TYPED_MAX) {
    return { seeds: seeds.map(({ url }) => shellWord(url)), purpose: "The same crawl anew:" };
  }
  const purpose = `The same crawl anew; ${areEqual ? "seeds.txt has" : "trust.tsv has the URLs and weights of"} its ${counted(seeds.length, "seed")}, one a line:`;
  return { seeds: [areEqual ? "--seed-file seeds.txt" : "--trust trust.tsv"], purpose };
}

/** All that is not as it is by default. */
function optionsOf(settings: ReportedCrawl["settings"]): string[] {
  const { order, damping, network } = settings;
  const typed = (of: CrawlSettings): string[] => [...typedPoliteness(of), ...typedWeb(of)];
  const usual = new Set(
    typed({
      ...settings,
      politeness: defaultPoliteness,
      web: defaultWebSettings({ kind: "host", seeds: [] }),
    }),
  );
  const options = [
    ...typedLimits(settings),
    ...typed(settings).filter((option) => !usual.has(option)),
    ...(order === "rankmass" ? [] : [`--order ${shellWord(order)}`]),
    ...(damping === 0.85 ? [] : [`--damping ${damping}`]),
    ...(network === undefined ? [] : typedNetwork({ ...settings, network })),
    ...(network === undefined || network.userAgent.startsWith("tidemark/")
      ? []
      : [`--user-agent ${shellWord(network.userAgent)}`]),
  ];
  return options.join(" ").length <= OPTIONS_LENGTH_MAX ? options : ["--config crawl.yaml"];
}
