/** Why a URL was not fetched, as the log has it, in words that go on after "it". Text that nobody knows is shown, short and printable. */
import { quoted } from "../base/index.ts";
import type { RefusalReason } from "../coverage/index.ts";
import { failureInWords } from "./failures.ts";

/** Of a failure, of a status ("status-503") or of a redirect. */
export function reasonInWords(reason: string): string {
  return knownReason(reason) ?? `has met ${plain(reason)}`;
}

/** Of a URL that was refused or is dead; a detail says which failure or which rule. */
export function lossInWords(reason: RefusalReason | "dead", detail: string | null): string {
  if (detail === null) return LOSSES[reason];
  const known = knownReason(detail);
  return `${LOSSES[reason]}: ${known === undefined ? plain(detail) : `it ${known}`}`;
}

/** Of a visit that was refused: "failed:connect-refused" is "refuses connections". */
export function refusalInWords(reason: string): string {
  const [head, detail] = /^([^:]*):(.*)$/s.exec(reason)?.slice(1) ?? [reason];
  if (head === "failed" && detail !== undefined) return reasonInWords(detail);
  if (!Object.hasOwn(LOSSES, head)) return reasonInWords(reason);
  return lossInWords(head as keyof typeof LOSSES, detail ?? null);
}

function knownReason(reason: string): string | undefined {
  return failureInWords(reason) ?? CRAWL_REASONS.get(reason);
}

function plain(reason: string): string {
  return quoted(reason).slice(1, -1).replaceAll("-", " ");
}

/** What the crawl itself finds out, beside the failures of single requests. */
const CRAWL_REASONS: ReadonlyMap<string, string> = new Map([
  ["host-given-up", "is on a host that failed too often"],
  ["redirect-loop", "redirects in a circle"],
  ["too-many-redirects", "redirects too often"],
  ["bad-location", "redirects to nowhere"],
  ["redirect", "redirects there"],
]);

const LOSSES: Readonly<Record<RefusalReason | "dead", string>> = {
  dead: "is dead",
  robots: "is forbidden by robots.txt",
  "out-of-scope": "leads out of the scope",
  nofollow: "is not followed",
  trap: "looks like a trap",
  limit: "is beyond a limit",
  failed: "could not be fetched",
};
