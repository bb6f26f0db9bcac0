/** Why a crawl stops. */
export const stopReasons = [
  "coverage-reached",
  "frontier-empty",
  "page-limit",
  "depth-limit",
  "time-limit",
  "byte-limit",
  "interrupted",
  "disk-full",
  "failed",
] as const;
export type StopReason = (typeof stopReasons)[number];
