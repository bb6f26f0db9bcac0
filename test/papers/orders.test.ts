/**
 * Downloads needed for a coverage, actual and guaranteed, compared with the numbers of an independent reference
 * implementation. Trust is that of the data's own trust file, added in ascending order of ids; d = 0.85; self links
 * dropped; dangling pages restart.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { CoverageWatch, ledgerOf, tighten } from "../../src/coverage/index.ts";
import { ArcsDecoder, type Graph, HostsDecoder, linksOf, withoutSelfLinks } from "../../src/graph/index.ts";
import { createOrder } from "../../src/order/index.ts";
import { pagerank } from "../../src/rank/index.ts";
import { sharedPath } from "../support/shared.ts";

const DAMPING = 0.85;
const LEVELS = [0.9, 0.98, 0.99] as const;

interface Web {
  readonly graph: Graph;
  readonly trust: readonly (readonly [page: number, weight: number])[];
  readonly ranks: Float64Array;
  readonly hostOf: Uint32Array | undefined;
}

/** Downloads needed for 0.90, 0.98 and 0.99; as many levels as the reference gives. */
interface Reference {
  readonly order: string;
  readonly actual: readonly number[];
  readonly guaranteed?: readonly number[];
  /** As a share of the reference; 5 downloads are always allowed. */
  readonly within: number;
}

interface Data {
  readonly name: string;
  readonly urls: boolean;
  readonly references: readonly Reference[];
  /** The exact certificate of `rankmass`. */
  readonly certified: readonly number[];
  readonly random?: readonly number[];
}

const data: readonly Data[] = [
  {
    name: "cnr-2000",
    urls: false,
    references: [
      { order: "optimal", actual: [1_520, 15_519, 21_610], within: 0.01 },
      {
        order: "rankmass:literal",
        actual: [1_705, 16_289, 22_804],
        guaranteed: [16_753, 35_772, 49_788],
        within: 0.01,
      },
      { order: "rankmass", actual: [1_684, 16_236, 22_767], within: 0.05 },
      {
        order: "windowed:10",
        actual: [1_971, 16_431, 22_884],
        guaranteed: [31_927, 58_866, 69_432],
        within: 0.01,
      },
      {
        order: "windowed:5",
        actual: [1_888, 16_303, 22_841],
        guaranteed: [19_857, 38_252, 49_073],
        within: 0.01,
      },
      { order: "lneighbor", actual: [8_874, 38_825, 66_687], guaranteed: [299_687, 325_552], within: 0.05 },
      { order: "fpr", actual: [1_890, 16_923, 24_427], within: 0.01 },
      { order: "opic", actual: [1_856, 16_948, 24_471], within: 0.05 },
    ],
    certified: [12_901, 27_977, 37_365],
    random: [88_113, 160_902, 168_210],
  },
  {
    name: "uci-ics",
    urls: true,
    references: [
      { order: "optimal", actual: [381, 2_079, 2_870], within: 0.01 },
      {
        order: "rankmass:literal",
        actual: [400, 2_328, 3_026],
        guaranteed: [1_531, 4_474, 5_827],
        within: 0.01,
      },
      { order: "rankmass", actual: [401, 2_353, 3_049], within: 0.05 },
      { order: "windowed:5", actual: [461, 2_425, 3_208], guaranteed: [1_926, 4_380, 5_621], within: 0.01 },
      { order: "fpr", actual: [465, 2_360, 3_294], within: 0.01 },
      { order: "fpr@2", actual: [538, 2_255, 3_271], within: 0.01 },
      { order: "fpr@20", actual: [532, 2_303, 3_409], within: 0.01 },
      { order: "fpr@100", actual: [689, 2_836, 3_882], within: 0.01 },
    ],
    certified: [1_177, 3_266, 4_393],
  },
];

for (const { name, urls, references, certified, random } of data) {
  const arcsPath = sharedPath(`data/${name}.arcs.gz`);
  const trustPath = sharedPath(`data/${name}.trust`);
  const urlsPath = urls ? sharedPath(`data/${name}.urls.gz`) : undefined;
  const isThere = arcsPath !== undefined && trustPath !== undefined && (!urls || urlsPath !== undefined);

  describe.skipIf(!isThere)(name, () => {
    const web = isThere ? readWeb(arcsPath, trustPath, urlsPath) : undefined!;

    it.each(references)("$order needs the downloads of the reference", ({ order, actual, guaranteed = [], within }) => {
      const found = crawl(web, order, { actual: actual.length, guaranteed: guaranteed.length });
      expectNear(found.actual, actual, within);
      expectNear(found.guaranteed, guaranteed, within);
    });

    it("rankmass is certified after the downloads of the limit, and a watch stops it there", () => {
      const { path, watched } = crawl(web, "rankmass", { certified: certified.at(-1)! * 1.02 });
      for (const [k, level] of LEVELS.entries()) {
        // At most 1% later than the reference; a little earlier is better, much earlier would be an error.
        expect(isCertified(web, path.slice(0, 0.98 * certified[k]), level)).toBe(false);
        expect(isCertified(web, path.slice(0, 1.01 * certified[k]), level)).toBe(true);
      }
      // The watch for 0.98 stops no earlier than the exact certificate, and little later.
      expect(isCertified(web, path.slice(0, watched), 0.98)).toBe(true);
      expect(isCertified(web, path.slice(0, watched / 1.01), 0.98)).toBe(false);
    });

    if (random === undefined) return;
    it("random's reference, one draw, lies within three deviations of ten draws", () => {
      const runs = Array.from({ length: 10 }, (_, seed) => crawl(web, `random:${seed}`, { actual: 3 }).actual);
      for (const [k, expected] of random.entries()) {
        const found = runs.map((actual) => actual[k]);
        const mean = found.reduce((a, b) => a + b, 0) / found.length;
        const deviation = Math.sqrt(found.reduce((sum, n) => sum + (n - mean) ** 2, 0) / (found.length - 1));
        expect(Math.abs(expected - mean)).toBeLessThanOrEqual(3 * deviation);
      }
    });
  });
}

function expectNear(found: readonly number[], expected: readonly number[], within: number): void {
  for (const [k, reference] of expected.entries()) {
    const allowed = Math.max(5, within * reference);
    expect(found[k], `${LEVELS[k]}: ${found[k]}, expected ${reference}`).toBeGreaterThanOrEqual(reference - allowed);
    expect(found[k], `${LEVELS[k]}: ${found[k]}, expected ${reference}`).toBeLessThanOrEqual(reference + allowed);
  }
}

interface Wanted {
  /** How many of `LEVELS` to reach. */
  readonly actual?: number;
  readonly guaranteed?: number;
  /** How many pages to download at the least. */
  readonly certified?: number;
}

/** Crawls until all that is wanted is reached. */
function crawl(web: Web, name: string, { actual = 0, guaranteed = 0, certified = 0 }: Wanted) {
  const { graph, trust, ranks, hostOf } = web;
  const options = { links: linksOf(graph), pages: graph.pages, damping: DAMPING };
  const order = createOrder(name, {
    ...options,
    trueRanks: ranks,
    ...(hostOf && { hostOf: (page: number) => hostOf[page] }),
  });
  const watch = certified > 0 ? new CoverageWatch({ ...options, goal: 0.98 }) : undefined;
  for (const [page, weight] of trust) {
    order.trusted(page, weight);
    watch?.trusted(page, weight);
  }
  const found = { actual: [] as number[], guaranteed: [] as number[], path: [] as number[], watched: 0 };
  let coverage = 0;
  for (let page = order.next(); ; page = order.next()) {
    while ((order.guaranteed() ?? 0) >= LEVELS[found.guaranteed.length]) found.guaranteed.push(found.path.length);
    const isDone = found.actual.length >= actual && found.guaranteed.length >= guaranteed;
    if (page < 0 || (isDone && found.path.length >= certified)) return found;
    order.downloaded(page);
    found.path.push(page);
    coverage += ranks[page];
    while (coverage >= LEVELS[found.actual.length]) found.actual.push(found.path.length);
    watch?.downloaded(page);
    if (found.watched === 0 && watch?.reached()) found.watched = found.path.length;
  }
}

/** Whether the exact certificate of a crawl reaches a level. */
function isCertified({ graph, trust }: Web, downloaded: readonly number[], level: number): boolean {
  const ledger = ledgerOf({ graph, trust, downloaded, damping: DAMPING });
  tighten(ledger, { level });
  return ledger.bound() >= level;
}

function readWeb(arcsPath: string, trustPath: string, urlsPath: string | undefined): Web {
  const decoder = new ArcsDecoder();
  decoder.push(gunzipSync(readFileSync(arcsPath)));
  const graph = withoutSelfLinks(decoder.finish());
  const pages = readFileSync(trustPath, "utf8")
    .trim()
    .split(/\s+/)
    .map(Number)
    .toSorted((a, b) => a - b);
  const weights = new Float64Array(graph.pages);
  for (const page of pages) weights[page] = 1 / pages.length;
  return {
    graph,
    trust: pages.map((page) => [page, weights[page]] as const),
    ranks: pagerank(graph, { damping: DAMPING, trust: weights, stopping: { tolerance: 1e-12 } }).ranks,
    hostOf: urlsPath === undefined ? undefined : readHosts(urlsPath),
  };
}

function readHosts(path: string): Uint32Array {
  const decoder = new HostsDecoder();
  decoder.push(gunzipSync(readFileSync(path)));
  return decoder.finish().hostOf;
}
