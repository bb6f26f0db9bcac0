/** Pages with a value each: as lists for people and programs, and as files. */
import { renderTable } from "../../report/index.ts";
import { topPages } from "../../rank/index.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { nextTurn, writeOutputs } from "../output/output-file.ts";
import type { TextStyle } from "../terminal/terminal.ts";
import type { World } from "./world.ts";

export interface ListedPage {
  readonly id: number;
  readonly url?: string;
  readonly value: number;
}

/** The pages of greatest value above 0, best first. */
export async function listed(world: World, values: Float64Array, count: number): Promise<ListedPage[]> {
  const best = topPages(values, count).filter((page) => values[page] > 0);
  const urls = await world.urlsOf(best);
  return Array.from(best, (id) => {
    const url = urls?.get(id);
    return { id, ...(url === undefined ? {} : { url }), value: values[id] };
  });
}

export function impactTable(pages: readonly ListedPage[], style: TextStyle): string {
  if (pages.length === 0) return "\nNo known page outside links to the community.\n";
  const table = renderTable(
    [
      { title: "page", kind: "text" },
      { title: "impact", kind: "text", importance: 2 },
      { title: "url", kind: "text", importance: 1 },
    ],
    pages.map(({ id, url, value }) => [String(id), value.toPrecision(4), url ?? null]),
    style,
  );
  return `\nPages outside of greatest impact on the community:\n${table}`;
}

const PAGES_PER_STEP = 1 << 13;

/** A line for each page: id, the values with 17 digits, the URL where it is known; separated by tabs. */
export async function writeLines(
  path: string,
  world: World,
  pages: Uint32Array,
  columns: readonly Float64Array[],
): Promise<void> {
  const urls = await world.urlsOf(pages);
  await writeOutputs([path], async ([file]) => {
    const sink = new ByteSink(file, { gzip: path.endsWith(".gz") });
    for (const [i, page] of pages.entries()) {
      const url = urls?.get(page);
      const values = columns.map((column) => column[i].toPrecision(17));
      sink.writeText(`${[page, ...values, ...(url === undefined ? [] : [url])].join("\t")}\n`);
      if (i % PAGES_PER_STEP === 0) await nextTurn();
    }
    sink.finish();
  });
}
