/** RankMass, Table 3: running time by the size of the window. */
import { formatSeconds } from "../../base/index.ts";
import { type Verdict } from "../exhibits.ts";
import type { SimulationRun } from "../simulation.ts";
import { columnsOf, type Experiment, isBetween, pagesUpTo, runOf, runOrders, verdict } from "./experiment.ts";

/** The paper stops at 80 of 141 million pages. */
const SHARE = 80 / 141;
const orders = ["lneighbor", "windowed:20", "windowed:10", "windowed:5", "rankmass:literal", "rankmass"];

export const table3: Experiment = {
  name: "rankmass-table3",
  title: "RankMass, Table 3: time and iterations by window",
  run(input) {
    const maxPages = pagesUpTo(SHARE, input);
    const planned = orders.map((order) => ({ order, maxPages }));
    const runs = runOrders(input, planned);
    return {
      paragraphs: [
        "The paper gives hours and iterations until 80 of its 141 million pages are downloaded. Here the same share " +
          "of this graph is downloaded; the time is that of the order alone, in memory.",
      ],
      tables: [
        {
          heading: "Time and iterations",
          table: {
            columns: columnsOf({
              order: "text",
              time: "seconds",
              iterations: "count",
              pushes: "count",
              downloads: "count",
              "paper: hours / iterations": "text",
            }),
            rows: runs.map(({ order, seconds, rounds, pushes, downloads }) => {
              return [order, seconds, rounds, pushes, downloads, paperTable3[order] ?? null];
            }),
          },
        },
      ],
      verdicts: verdictsOn(runs),
      runs,
    };
  },
};

function verdictsOn(runs: readonly SimulationRun[]): Verdict[] {
  const of = (order: string): SimulationRun => runOf(runs, order);
  const time = (order: string): string => `${order} ${formatSeconds(of(order).seconds)}`;
  const factor = (a: string, b: string, what: "seconds" | "rounds"): number => (of(a)[what] ?? 0) / (of(b)[what] ?? 1);
  const halving = [factor("windowed:10", "windowed:20", "rounds"), factor("windowed:5", "windowed:10", "rounds")];
  const slowing = [factor("windowed:10", "windowed:20", "seconds"), factor("windowed:5", "windowed:10", "seconds")];
  return [
    verdict(
      "Halving the window doubles the number of iterations (44, 85, 167) and nearly doubles the time.",
      `Iterations grow ${halving.map(short).join(" and ")} times, time ${slowing.map(short).join(" and ")} times.`,
      halving.every((each) => isBetween(each, 1.6, 2.4)) && slowing.every((each) => isBetween(each, 1.4, 2.6)),
    ),
    verdict(
      "L-Neighbor is about three times faster than a window of 20%.",
      `Here windowed:20 takes ${short(factor("windowed:20", "lneighbor", "seconds"))} times as long as lneighbor.`,
      isBetween(factor("windowed:20", "lneighbor", "seconds"), 2, 4.5),
    ),
    verdict(
      "RankMass is considerably slower than all of them (mainly for random access to a graph on disk).",
      `In memory: ${time("rankmass:literal")}, ${time("windowed:5")}.`,
      of("rankmass:literal").seconds > of("windowed:5").seconds,
    ),
    verdict(
      "Our own claim: rankmass costs less than the paper's RankMass.",
      `${time("rankmass")}, ${time("rankmass:literal")}.`,
      of("rankmass").seconds < of("rankmass:literal").seconds,
    ),
  ];
}

const paperTable3: Readonly<Record<string, string>> = {
  lneighbor: "1:27 / 13",
  "windowed:20": "4:39 / 44",
  "windowed:10": "10:27 / 85",
  "windowed:5": "17:52 / 167",
  "rankmass:literal": "222 by extrapolation / –",
};

function short(value: number): string {
  return value.toFixed(2);
}
