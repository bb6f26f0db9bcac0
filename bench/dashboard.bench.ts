/**
 * The dashboard: what it costs a running crawl, how soon that of a crawl of a million pages is visible, and how large
 * its page is. Run `npm run build` before: the program is measured as it is shipped.
 *
 * TIDEMARK_BENCH_PAGES (default: 40000) and TIDEMARK_BENCH_ROUNDS (default: 2) set the size of the running crawl.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { documentationSites } from "./crawl/documentation.ts";
import { generatedSites } from "./crawl/generated-sites.ts";
import { startLocalWeb } from "./crawl/local-web.ts";
import { benchCost, type CostFigures } from "./dashboard/cost.ts";
import { makeCrawledWeb } from "./dashboard/crawled-web.ts";
import { benchFinished, type FinishedFigures } from "./dashboard/finished.ts";

interface DashboardFigures {
  readonly javascriptKilobytesGzipped: number;
  readonly finished: FinishedFigures;
  readonly cost: CostFigures;
}

const MILLION = { pages: 2_500_000, visits: 1_000_000 };
const TINY = { pages: 800, visits: 400 };

export async function benchDashboard({ tiny }: { readonly tiny: boolean }): Promise<DashboardFigures> {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-dashboard-"));
  const size = tiny ? TINY : MILLION;
  try {
    process.stderr.write(`  a crawl of ${size.visits} pages ...\n`);
    makeCrawledWeb({ dir: join(dir, "crawl"), ...size });
    const finished = await benchFinished(join(dir, "crawl"), size.visits);
    return { javascriptKilobytesGzipped: javascriptKilobytes(), finished, cost: await cost(dir, tiny) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function cost(dir: string, tiny: boolean): Promise<CostFigures> {
  execFileSync("sh", [fileURLToPath(new URL("../../../scripts/ensure-nginx.sh", import.meta.url))], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const web = await startLocalWeb(tiny ? generatedSites(join(dir, "sites")) : documentationSites());
  try {
    return await benchCost(web, {
      pages: tiny ? 40 : Number(process.env["TIDEMARK_BENCH_PAGES"] ?? 40_000),
      rounds: tiny ? 1 : Number(process.env["TIDEMARK_BENCH_ROUNDS"] ?? 2),
    });
  } finally {
    await web.stop();
  }
}

function javascriptKilobytes(): number {
  const assets = fileURLToPath(new URL("../../../dist/dashboard/page/assets/", import.meta.url));
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const bytes = scripts.map((name) => gzipSync(readFileSync(join(assets, name))).length);
  return bytes.reduce((sum, each) => sum + each, 0) / 1000;
}
