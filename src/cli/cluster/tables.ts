/**
 * `tidemark cluster export --out`: a table of pages per shard, straight from its log. One shard after the other becomes
 * a crawl of its own, for a while: so a table takes the memory of a crawl as large as the shard, and says what every
 * other export would say. Columns that follow from several shards are left out.
 */
import { rmSync } from "node:fs";
import { counted } from "../../base/index.ts";
import { beginGathering, Gathering, jobOf, type Sharding, shardOf } from "../../cluster/index.ts";
import { Fingerprinter, type StoredSettings } from "../../crawl/index.ts";
import { createCrawl, type FactLog, type PageRow, pageTable, type SqliteStore } from "../../store/index.ts";
import { hostOfOrigin, splitUrl } from "../../web/index.ts";
import type { Output } from "../options/command.ts";
import { crawlPages } from "../output/crawl-pages.ts";
import { writeOutputs, writePieces } from "../output/output-file.ts";
import { checkFolder, fillFolder } from "../output/page-folder.ts";
import { piecesOf, type TableExport } from "../output/pages.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type JobOptions, withJob } from "./jobs.ts";

export interface TablesOptions extends JobOptions {
  readonly out?: string;
  readonly format?: TableExport["format"];
}

/** Ids are those of one log, and a sitemap may list URLs of other shards. */
const WITHOUT: readonly (keyof PageRow)[] = ["id", "sitemap", "sitemapModified"];

export async function exportTables(
  options: TablesOptions & { readonly out: string },
  { progress }: Terminal,
): Promise<Output> {
  const { out, format = "jsonl" } = options;
  checkFolder(out);
  return withJob(options, async (log) => {
    const job = await log.job();
    const { settings, sharding } = jobOf(job);
    const total = { files: job.shards, pages: 0, bytes: 0 };
    await fillFolder(out, async (pathOf) => {
      for (let shard = 0; shard < job.shards; shard++) {
        progress({ task: "exporting", done: shard, total: job.shards, unit: "shards" });
        const scratch = pathOf(`shard-${shard}.crawl`);
        const store = createCrawl(scratch, JSON.stringify(settings.crawl));
        try {
          await beginGathering(store, settings.crawl, job);
          await gatherShard(shard, { log, store, settings: settings.crawl });
          const { inStates } = await crawlPages(store, { importance: false, progress: () => {} });
          const rows = pagesOf(shard, inStates(undefined), sharding, () => void total.pages++);
          const pieces = await piecesOf(format, pageTable(rows, { without: WITHOUT }));
          const path = pathOf(fileName(shard, format));
          total.bytes += await writeOutputs([path], ([file]) => writePieces(file, pieces));
        } finally {
          store.close();
          rmSync(scratch, { recursive: true, force: true });
        }
      }
    });
    const { files, pages, bytes } = total;
    return {
      document: { job: job.name, out, format, ...total },
      text: () => `${out}: ${counted(files, "file")}, ${counted(pages, "URL")}, ${counted(bytes, "byte")}\n`,
    };
  });
}

interface ShardOptions {
  readonly log: FactLog;
  readonly store: SqliteStore;
  readonly settings: StoredSettings;
}

async function gatherShard(shard: number, { settings, ...where }: ShardOptions): Promise<void> {
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const gathering = await Gathering.open({ ...where, settings, fingerprinter, shard });
  while (await gathering.step());
}

/** A shard knows URLs of others as well: those to which its pages link. */
function* pagesOf(shard: number, rows: Iterable<PageRow>, sharding: Sharding, onPage: () => void): Generator<PageRow> {
  for (const row of rows) {
    if (shardOf(hostOfOrigin(splitUrl(row.url).origin), sharding) !== shard) continue;
    onPage();
    yield row;
  }
}

function fileName(shard: number, format: TableExport["format"]): string {
  return `shard-${String(shard).padStart(3, "0")}.${format}`;
}
