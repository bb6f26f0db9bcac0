/** Pages with a value each, as tables and as files. */
import { topPages } from "../../rank/index.ts";
import { writeTexts } from "../output/byte-sink.ts";
import { renderTable } from "../terminal/table.ts";
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
  if (pages.length === 0) return "\nNo known page outside the community links to it.\n";
  const table = renderTable(
    [
      { title: "page", kind: "text" },
      { title: "impact", kind: "text", importance: 2 },
      { title: "url", kind: "text", importance: 1 },
    ],
    pages.map(({ id, url, value }) => [String(id), value.toPrecision(4), url ?? null]),
    style,
  );
  return `\nPages outside the community with the greatest impact on it:\n${table}`;
}

/** One line per page: id, the values with 17 digits, the URL where it is known; separated by tabs. */
export async function writeLines(
  path: string,
  world: World,
  pages: Uint32Array,
  columns: readonly Float64Array[],
): Promise<void> {
  const urls = await world.urlsOf(pages);
  const text = linesOf(pages, columns, urls);
  await writeTexts([{ path, text }]);
}

function* linesOf(
  pages: Uint32Array,
  columns: readonly Float64Array[],
  urls: ReadonlyMap<number, string> | undefined,
): Generator<string> {
  for (const [i, page] of pages.entries()) {
    const url = urls?.get(page);
    const values = columns.map((column) => column[i].toPrecision(17));
    yield `${[page, ...values, ...(url === undefined ? [] : [url])].join("\t")}\n`;
  }
}
