/** The arguments of `tidemark simulate`. */
import { type Command, Option } from "commander";
import { commonOptions, examples, perform, surferOptions, TRUST_HELP } from "../options/command.ts";
import { level, wholeNumber } from "../options/numbers.ts";
import type { SimulateOptions } from "../actions/simulate.ts";

export function declare(command: Command): void {
  surferOptions(command)
    .option("--order <names>", "orders to run, separated by commas", orderList, ["rankmass"])
    .addOption(
      new Option("--experiment <name>", "run an experiment of the papers instead").conflicts([
        "order",
        "coverage",
      ]),
    )
    .option("--trust <file>", TRUST_HELP)
    .addOption(
      new Option("--trust-top <n>", "without --trust: trust so many pages of highest PageRank")
        .argParser(wholeNumber(1))
        .default(160)
        .conflicts("trust"),
    )
    .option("--coverage <level>", "stop each order at this certified coverage", level)
    .option("--max-pages <n>", "stop each order after so many downloads", wholeNumber(1))
    .option("--report <file>", "write the curves as one HTML page")
    .option("--picture <file>", "write the curves of actual and certified coverage as an SVG picture")
    .option("--out <file>", "write the JSON document to a file as well");
  commonOptions(command).action((path: string, options: SimulateOptions) =>
    perform(options, async (terminal) =>
      (await import("../actions/simulate.ts")).runSimulation(path, options, terminal),
    ),
  );
  command.addHelpText("after", `\n${NAMES}`);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark simulate web.arcs --order rankmass,fpr,optimal --report report.html",
    "tidemark simulate web.arcs --urls web.urls --order fpr@20,random:7 --coverage 0.9 --json",
    "tidemark simulate web.arcs --experiment rankmass-table2",
  ]);
}

function orderList(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

/** Written out here, since loading what they name takes longer than showing this help. */
const NAMES = `Orders:
  rankmass          most probability waiting first, with a cheap virtual crawl (the default)
  rankmass:literal  RankMass, Figure 5, to the letter
  windowed:PERCENT  RankMass, Figure 6: the best PERCENT of the frontier as a batch (default: 10)
  lneighbor         RankMass, Figure 2: breadth first, level by level
  fpr               FPR, Algorithm 1: greatest fractional rank first
  fpr@M             FPR, Algorithm 2: a link to another host weighs M (needs --urls)
  opic              OPIC, greedy: most cash first
  backlink          most in-links seen so far first
  pagerank          PageRank of the known part, recomputed as it grows by 10%
  random:SEED       any waiting page with equal chance (default seed: 1)
  optimal           the oracle that knows the true ranks (simulation only)

Experiments:
  rankmass-table2      RankMass, Table 2: downloads required for 0.98
  rankmass-figure7     RankMass, Figure 7: actual and guaranteed coverage of three algorithms
  rankmass-figure8     RankMass, Figure 8: window sizes
  rankmass-table3      RankMass, Table 3: time and iterations by window
  rankmass-figure9     RankMass, Figure 9: overall trust of the seeds by their number
  rankmass-figure10    RankMass, Figure 10: coverage by the number of seeds
  fpr-figure3          FPR, Figure 3: running time by downloads (needs --urls)
  fpr-figure4          FPR, Figure 4: cumulative PageRank by downloads (needs --urls)
  communities-table1   Communities, Table 1: site-specific domains (needs --urls)
  communities-table2   Communities, Table 2: topic-specific domains
  communities-figure2  Communities, Figure 2: L1 distance to the global PageRank by pages crawled (needs --urls)
  seeds-figure2        Seeds, Figure 2: pages covered by the number of seeds, over RANDOM
  seeds-figure3        Seeds, Figure 3: value covered by the number of seeds, over RANDOM
  seeds-figure4        Seeds, Figure 4: pages covered by the number of hops, over RANDOM
  seeds-figure5        Seeds, Figure 5: value covered by the number of hops, over RANDOM
  opic-convergence     OPIC: error against page reads
  opic-windows         OPIC: the size of the window under change
  opic-variants        OPIC: FIXED, VARIABLE and BAO under change
  refresh-freshness    Refresh: importance kept fresh by a budget of reads`;
