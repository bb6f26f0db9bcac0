/**
 * `npm run bench` runs everything; `npm run bench -- orders bv` runs only these. Ratios are within one run; absolute
 * figures are printed with the machine. `--tiny` uses a small web, to check that the benchmarks still work.
 */
import { cpus, totalmem } from "node:os";
import { generateGraph } from "../src/graph/index.ts";
import { pagerank } from "../src/rank/index.ts";
import { benchArcs } from "./arcs.bench.ts";
import { benchBv } from "./bv.bench.ts";
import { benchCommunity } from "./community.bench.ts";
import { benchCrawl } from "./crawl.bench.ts";
import { benchCrawlScale } from "./crawl-scale.bench.ts";
import { benchCrawlee } from "./crawlee.bench.ts";
import { benchDashboard } from "./dashboard.bench.ts";
import { benchEarlier } from "./earlier.bench.ts";
import { benchFactLog } from "./fact-log.bench.ts";
import { benchGenerate } from "./generate.bench.ts";
import { benchGrowth } from "./growth.bench.ts";
import { benchImport } from "./import.bench.ts";
import { benchIntervals } from "./intervals.bench.ts";
import { benchLinks } from "./links.bench.ts";
import { benchNames } from "./names.bench.ts";
import { benchOpic } from "./opic.bench.ts";
import { benchOrders } from "./orders.bench.ts";
import { benchPack } from "./pack.bench.ts";
import { benchPagerank } from "./pagerank.bench.ts";
import { benchRefresh } from "./refresh.bench.ts";
import { benchRefreshForever } from "./refresh-forever.bench.ts";
import { benchRender } from "./render.bench.ts";
import { benchSampled } from "./sampled.bench.ts";
import { benchSeeds } from "./seeds.bench.ts";
import { benchSites } from "./sites.bench.ts";
import { benchSurvey } from "./survey.bench.ts";
import { benchTargets } from "./targets.bench.ts";
import { benchText } from "./text.bench.ts";
import { benchValues } from "./values.bench.ts";
import { benchWorkers } from "./workers.bench.ts";
import { type BenchWeb, benchWeb } from "./web.ts";

type Bench = (web: BenchWeb, tiny: boolean) => unknown;

const benches: Readonly<Record<string, Bench>> = {
  orders: ({ graph, trust }, tiny) => orderRatios(benchOrders(graph, trust, tiny ? 1 : 5)),
  intervals: ({ graph, trust }, tiny) => benchIntervals(graph, trust, { checks: tiny ? 1000 : 100_000 }),
  survey: (_, tiny) => benchSurvey({ tiny }),
  earlier: (_, tiny) =>
    tiny
      ? benchEarlier({ pages: 300, changedPerRound: 20 }, { rounds: 2, runs: 1, only: ["search"] })
      : benchEarlier({ pages: 100_000, changedPerRound: 1000 }),
  "earlier-large": (_, tiny) =>
    tiny
      ? benchEarlier({ pages: 600, changedPerRound: 40 }, { rounds: 2, runs: 1, only: ["coverage"] })
      : benchEarlier({ pages: 1_000_000, changedPerRound: 10_000 }, { runs: 2 }),
  values: (_, tiny) => benchValues({ tiny }),
  sampled: (web, tiny) => benchSampled(web, { tiny }),
  pagerank: ({ graph }, tiny) => benchPagerank(graph, { runs: tiny ? 1 : 5 }),
  "pagerank-large": async (_, tiny) => {
    const { graph } = generateGraph({ pages: tiny ? 3000 : 4_000_000, seed: 1 });
    const figures = await benchPagerank(graph, { runs: tiny ? 1 : 3, peers: false });
    const { pages, arcs, seconds, sweeps, twoThreadSpeedup } = figures;
    return { pages, arcs, seconds: { one: seconds.one, two: seconds.two }, sweeps, twoThreadSpeedup };
  },
  community: (_, tiny) => benchCommunity({ tiny }),
  seeds: ({ graph }, tiny) => benchSeeds(graph, { tiny }),
  bv: ({ bv }, tiny) => benchBv(bv, tiny ? 1 : 10),
  arcs: ({ arcsText }, tiny) => benchArcs(arcsText, tiny ? 1 : 10),
  generate: (_, tiny) => benchGenerate(tiny ? [3000] : [100_000, 1_000_000, 10_000_000]),
  links: (_, tiny) => benchLinks({ tiny }),
  growth: (_, tiny) => growthRatios(benchGrowth(tiny ? [1000, 2000] : [1_000_000, 4_000_000, 16_000_000])),
  opic: ({ graph }, tiny) => benchOpic(graph, { readsPerPage: tiny ? 1 : 5 }),
  sites: (_, tiny) => benchSites({ tiny }),
  refresh: ({ graph }, tiny) => benchRefresh(pagerank(graph).ranks, { tiny }),
  "refresh-forever": (_, tiny) => benchRefreshForever({ tiny }),
  crawl: (_, tiny) => benchCrawl({ tiny }),
  "crawl-scale": (_, tiny) => benchCrawlScale({ tiny }),
  crawlee: (_, tiny) => benchCrawlee({ tiny }),
  "fact-log": (_, tiny) => benchFactLog({ tiny }),
  workers: (_, tiny) => benchWorkers({ tiny }),
  targets: (_, tiny) => benchTargets({ tiny }),
  names: (_, tiny) => benchNames({ tiny }),
  text: (_, tiny) => benchText({ tiny }),
  pack: (_, tiny) => benchPack({ tiny }),
  import: (_, tiny) => benchImport({ tiny }),
  render: (_, tiny) => benchRender({ tiny }),
  dashboard: (_, tiny) => benchDashboard({ tiny }),
};

const flags = process.argv.slice(2);
const tiny = flags.includes("--tiny");
const names = flags.filter((flag) => flag !== "--tiny");
const unknown = names.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  const known = Object.keys(benches).join(", ");
  process.stderr.write(`no benchmark is called ${unknown.join(", ")}; there are ${known}\n`);
  process.exit(2);
}
const web = benchWeb({ tiny });
const [cpu] = cpus();
const figures: Record<string, unknown> = {
  machine: `${cpus().length} x ${cpu?.model ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  web: `${web.name}: ${web.graph.pages} pages, ${web.graph.arcs} arcs without self links`,
};
for (const [name, bench] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stderr.write(`${name} ...\n`);
  figures[name] = await bench(web, tiny);
}
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);

function orderRatios(figures: ReturnType<typeof benchOrders>): unknown {
  const { rankmass, rounded, plainLiteral, literal, fpr, cpp } = figures;
  return {
    ...figures,
    ratios: {
      roundedToRankmass: rounded.seconds / rankmass.seconds,
      plainLiteralToRankmass: plainLiteral.seconds / rankmass.seconds,
      literalToRankmass: literal.seconds / rankmass.seconds,
      ...(cpp === undefined ? {} : { rankmassToCpp: rankmass.seconds / cpp.seconds }),
      rankmassToFpr: rankmass.seconds / fpr.seconds,
    },
  };
}

function growthRatios(figures: ReturnType<typeof benchGrowth>): unknown {
  const perPage = (order: string, value: "seconds" | "peakBytes"): number => {
    const sizes = figures.filter((each) => each.order === order);
    const first = sizes[0];
    const last = sizes.at(-1)!;
    return last[value] / last.pages / (first[value] / first.pages);
  };
  const ratios = ["fpr", "rankmass"].map((order) => [
    order,
    { timeAPage: perPage(order, "seconds"), memoryAPage: perPage(order, "peakBytes") },
  ]);
  return { figures, ratios: Object.fromEntries(ratios) };
}
