/**
 * Reason and detail of a visit as one text, which is what the database and exports hold: "robots", "failed:status-500",
 * "status-404" (of a dead URL), "rewritten" (of a redirect). In memory they are fields of their own.
 */
import { type RefusalReason, refusalReasons } from "../coverage/index.ts";
import type { Outcome, Visit } from "./records.ts";

type Reason = Pick<Visit, "reason" | "detail" | "isRewritten">;

const REWRITTEN = "rewritten";

export function encodeReason({ reason, detail, isRewritten }: Reason): string | null {
  if (isRewritten) return REWRITTEN;
  if (reason === null) return detail;
  return detail === null ? reason : `${reason}:${detail}`;
}

export function decodeReason(outcome: Outcome, text: string | null): Reason {
  if (outcome === "redirected") return { reason: null, detail: null, isRewritten: text === REWRITTEN };
  if (outcome !== "refused") return { reason: null, detail: text, isRewritten: false };
  const [head, ...rest] = (text ?? "failed").split(":");
  return { reason: refusalReason(head), detail: rest.length === 0 ? null : rest.join(":"), isRewritten: false };
}

/** A name that nobody knows, of a newer version, say, counts as the worst. */
export function refusalReason(name: string): RefusalReason {
  return refusalReasons.find((reason) => reason === name) ?? "failed";
}
