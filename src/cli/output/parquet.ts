/**
 * Tables of pages as Apache Parquet, by hyparquet-writer. Row groups are written one after the other, so memory is
 * bounded by the largest one. Times are instants in UTC.
 */
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { PageTable } from "../../store/index.ts";

type Element = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];
type Value = string | number | bigint | boolean | Date | null;

/** A row group ends when either is reached. Characters are those of all texts. */
const GROUP_ROWS_MAX = 1 << 16;
const GROUP_CHARACTERS_MAX = 1 << 23;

type Type = Readonly<Pick<Element, "type" | "converted_type" | "logical_type">>;

const TEXT: Type = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
const INTEGER: Type = { type: "INT32" };
const LONG: Type = { type: "INT64" };
const SHARE: Type = { type: "DOUBLE" };
const FLAG: Type = { type: "BOOLEAN" };
const INSTANT: Type = {
  type: "INT64",
  converted_type: "TIMESTAMP_MILLIS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
};

/** All others are texts. */
const TYPES: Readonly<Record<string, Type>> = {
  id: LONG,
  status: INTEGER,
  depth: INTEGER,
  bytes: LONG,
  fetched_at: INSTANT,
  sitemap_modified: INSTANT,
  noindex: FLAG,
  noarchive: FLAG,
  rank: LONG,
  rank_low: SHARE,
  rank_high: SHARE,
};
/** Columns that every row has. */
const REQUIRED = new Set(["id", "url", "state", "depth", "source"]);

/** The bytes of a file, in pieces: one per row group, and the end. */
export function* tableAsParquet({ columns, rows }: PageTable): Generator<Uint8Array> {
  const kinds = columns.map(([name, key]) => ({ name, key, type: TYPES[name] ?? TEXT }));
  const schema: Element[] = kinds.map(({ name, type }) => ({
    name,
    ...type,
    repetition_type: REQUIRED.has(name) ? "REQUIRED" : "OPTIONAL",
  }));
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: [{ name: "pages", num_children: schema.length }, ...schema] });
  const taken = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let group: Value[][] = kinds.map(() => []);
  let characters = 0;
  const writeGroup = (): Uint8Array => {
    const columnData = kinds.map(({ name }, k) => ({ name, data: group[k] }));
    void file.write({ columnData, rowGroupSize: GROUP_ROWS_MAX });
    group = kinds.map(() => []);
    characters = 0;
    return taken();
  };
  for (const row of rows) {
    for (const [k, { key, type }] of kinds.entries()) {
      const value = row[key];
      if (typeof value === "string") characters += value.length;
      group[k].push(valueOf(value, type));
    }
    if (group[0].length === GROUP_ROWS_MAX || characters >= GROUP_CHARACTERS_MAX) yield writeGroup();
  }
  if (group[0].length > 0) yield writeGroup();
  void file.finish();
  yield taken();
}

function valueOf(value: string | number | boolean | null, type: Type): Value {
  if (value === null) return null;
  if (type === LONG) return BigInt(value);
  if (type !== INSTANT) return value;
  const ms = Date.parse(String(value));
  return Number.isNaN(ms) ? null : new Date(ms);
}
