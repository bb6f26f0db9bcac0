/** `tidemark cluster export --out`: tables of pages per shard, which say what an export of the whole crawl says. */
import { readdirSync, readFileSync } from "node:fs";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { newJob } from "./cluster-jobs.ts";
import { demoWeb, type Line, linesOf, SEED } from "./demo-web.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.dispose());

const SHARDS = 4;

it("tables of all shards have each URL once, as an export of the whole crawl has it", async () => {
  const job = newJob(server);
  const { folder } = job;
  const web = [...(await demoWeb()), "--scope", "domain"];
  await job.here("start", SEED, "--max-pages", "150", "--coverage", "none", "--shards", `${SHARDS}`, ...web);
  expect(await job.run("work", "--quiet")).toMatchObject({ code: 0 });
  expect(await job.run("export", "--dir", "whole")).toMatchObject({ code: 0 });
  const whole = linesOf((await folder.run(["export", "whole", "--no-importance"])).stdout);

  const told = await job.run("export", "--out", "lines", "--json");
  expect(told).toMatchObject({ code: 0 });
  const names = readdirSync(folder.at("lines")).sort();
  expect(names).toEqual(Array.from({ length: SHARDS }, (_, k) => `shard-00${k}.jsonl`));
  const tables = names.map((name) => readFileSync(folder.at(`lines/${name}`), "utf8"));
  const shards = tables.map((text) => (text === "" ? [] : linesOf(text)));
  const rows = shards.flat();
  expect(JSON.parse(told.stdout)).toMatchObject({ format: "jsonl", files: SHARDS, pages: rows.length });
  expect(shards.filter((table) => table.length > 0).length).toBeGreaterThan(1);
  // A host is in one of them.
  const hosts = shards.map((table) => new Set(table.map((row) => new URL(String(row["url"])).host)));
  expect(hosts.reduce((sum, { size }) => sum + size, 0)).toBe(new Set(hosts.flatMap((each) => [...each])).size);
  expect(factsOf(rows)).toEqual(factsOf(whole));
  expect(rows.filter(({ state }) => state === "downloaded").length).toBeGreaterThan(100);

  // The same as Parquet and as CSV.
  expect(await job.run("export", "--out", "parquet", "--format", "parquet")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^parquet: 4 files, [\d,]+ URLs, [\d,]+ bytes\n$/),
  });
  for (const [k, table] of shards.entries()) {
    const bytes = Uint8Array.from(readFileSync(folder.at(`parquet/shard-00${k}.parquet`)));
    const read = await parquetReadObjects({ file: bytes.buffer });
    expect(read.map((row) => [row["url"], row["state"], row["title"]])).toEqual(
      table.map((row) => [row["url"], row["state"], row["title"]]),
    );
    for (const row of read) expect(row).not.toHaveProperty("id");
  }
  await job.here("export", "--out", "csv", "--format", "csv");
  expect(readFileSync(folder.at("csv/shard-000.csv"), "utf8")).toMatch(/^url,state,reason,status,depth,source,/);

  // A folder with something in it stays as it is; what makes no sense is refused.
  for (const args of [
    ["--out", "csv"],
    ["--out", "new", "--dir", "whole"],
    ["--out", "new", "--follow"],
    ["--dir", "whole", "--format", "csv"],
    [],
  ]) {
    expect(await job.here("export", ...args)).toMatchObject({ code: 2, stdout: "" });
  }
  expect(folder.names()).toEqual(["csv", "lines", "parquet", "whole"]);
});

/** Without what takes all shards, and how a URL was discovered, which only the shard knows whose page led to it. */
const OTHERWISE = new Set(["id", "sitemap", "sitemapModified", "source", "depth"]);

function factsOf(rows: readonly Line[]): object[] {
  const facts = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !OTHERWISE.has(key))));
  return facts.sort((a, b) => (String(a["url"]) < String(b["url"]) ? -1 : 1));
}
