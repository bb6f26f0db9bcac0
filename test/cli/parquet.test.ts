/** Tables of pages as Parquet, read back by another library. */
import { parquetMetadata, parquetReadObjects, type SchemaElement } from "hyparquet";
import { describe, expect, it } from "vitest";
import { tableAsParquet } from "../../src/cli/output/parquet.ts";
import { type PageRow, pageTable } from "../../src/store/index.ts";
import { downloadedRow } from "../content/page-rows.ts";

function fileOf(...of: Parameters<typeof pageTable>): { readonly file: ArrayBuffer; readonly pieces: Uint8Array[] } {
  const pieces = [...tableAsParquet(pageTable(...of))];
  const bytes = Uint8Array.from(Buffer.concat(pieces));
  return { file: bytes.buffer, pieces };
}

const typeOf = ({ type, logical_type, repetition_type }: SchemaElement): unknown[] => [
  logical_type?.type ?? type,
  repetition_type,
];

describe("pages as Parquet", () => {
  it("have the columns of CSV, with types: whole numbers, shares, flags and instants", async () => {
    const rows = [
      downloadedRow(4_294_967_295, "https://a.example/潮", {
        title: "=cmd",
        noarchive: true,
        sitemapModified: "1969-12-31T23:59:59.-07Z",
      }),
      { ...downloadedRow(1, "https://a.example/later"), state: "waiting", status: null, bytes: null, fetchedAt: null },
    ] as const satisfies PageRow[];
    const rankOf = (id: number) => (id === 1 ? undefined : { place: 1, low: 0.1, high: 0.3 });
    const content = { name: "text", of: ({ id }: PageRow) => (id === 1 ? null : "Tide 🌊") };
    const { file } = fileOf(rows, { rankOf, content });
    const [root, ...columns] = parquetMetadata(file).schema;
    expect(root).toMatchObject({ num_children: 23 });
    const types = Object.fromEntries(columns.map((column) => [column.name, typeOf(column)]));
    expect(types).toMatchObject({
      id: ["INT64", "REQUIRED"],
      url: ["STRING", "REQUIRED"],
      status: ["INT32", "OPTIONAL"],
      fetched_at: ["TIMESTAMP", "OPTIONAL"],
      noindex: ["BOOLEAN", "OPTIONAL"],
      rank: ["INT64", "OPTIONAL"],
      rank_low: ["DOUBLE", "OPTIONAL"],
      text: ["STRING", "OPTIONAL"],
    });
    expect(await parquetReadObjects({ file })).toMatchObject([
      {
        id: 4_294_967_295n,
        url: "https://a.example/潮",
        title: "=cmd",
        status: 200,
        bytes: 10n,
        fetched_at: new Date("2026-11-16T12:00:00.000Z"),
        // A time that is none.
        sitemap_modified: null,
        noindex: false,
        noarchive: true,
        rank: 1n,
        rank_low: 0.1,
        rank_high: 0.3,
        text: "Tide 🌊",
      },
      { id: 1n, state: "waiting", status: null, bytes: null, fetched_at: null, rank: null, rank_low: null, text: null },
    ]);
  });

  it("come in groups of rows that do not grow with the texts", async () => {
    const rows = Array.from({ length: 40 }, (_, id) => downloadedRow(id, `https://a.example/${id}`));
    const of = ({ id }: PageRow): string => String.fromCharCode(97 + (id % 26)).repeat(1_000_000);
    const { file, pieces } = fileOf(rows, { content: { name: "html", of } });
    const groups = parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows));
    expect(groups).toEqual([9, 9, 9, 9, 4]);
    expect(pieces).toHaveLength(6);
    const read = await parquetReadObjects({ file, columns: ["id", "html"], rowStart: 35, rowEnd: 37 });
    expect(read.map(({ id, html }) => [id, (html as string).slice(0, 2)])).toEqual([
      [35n, "jj"],
      [36n, "kk"],
    ]);
  });

  it("are a valid file without any page", async () => {
    const { file } = fileOf([]);
    expect(parquetMetadata(file).schema).toHaveLength(20);
    expect(await parquetReadObjects({ file })).toEqual([]);
  });
});
