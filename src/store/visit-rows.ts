/** What every row of a visit begins with, whatever it is read for. */
import type { Visit } from "./contract.ts";
import { OUTCOME_NAMES } from "./schema.ts";
import type { SqlValue } from "./sqlite.ts";

export const VISIT_START = [
  "number",
  "url",
  "at_ms",
  "outcome",
  "reason",
  "status",
  "wire_bytes",
  "milliseconds",
]
  .map((column) => `visits.${column}`)
  .join(", ");

export type VisitStart = Pick<
  Visit,
  "number" | "url" | "atMs" | "outcome" | "reason" | "status" | "wireBytes" | "milliseconds"
>;

export function visitStartOf(row: readonly SqlValue[]): VisitStart {
  return {
    number: row[0] as number,
    url: row[1] as number,
    atMs: row[2] as number,
    outcome: OUTCOME_NAMES[row[3] as number],
    reason: row[4] as string | null,
    status: row[5] as number | null,
    wireBytes: row[6] as number,
    milliseconds: row[7] as number,
  };
}
