/** Which limit of a crawl is reached. */
import type { Limits } from "./settings/settings.ts";
import type { CrawlModel } from "./model.ts";
import type { StopReason } from "./stop-reasons.ts";

/** The reason to stop, where a limit that ends a crawl is reached. */
export function limitReached(
  { coverage, pages, bytes, timeMs }: Limits,
  model: Pick<CrawlModel, "tally" | "watch" | "order">,
  elapsedMs: number,
): StopReason | undefined {
  if (coverage !== undefined && isCovered(model, coverage)) return "coverage-reached";
  if (pages !== undefined && model.tally.downloaded >= pages) return "page-limit";
  if (bytes !== undefined && model.tally.bytes >= bytes) return "byte-limit";
  if (timeMs !== undefined && elapsedMs >= timeMs) return "time-limit";
  return undefined;
}

/** The watch looks only now and then; what the order guarantees meanwhile is as good. */
function isCovered({ watch, order }: Pick<CrawlModel, "watch" | "order">, goal: number): boolean {
  return watch.reached() || (order.guaranteed() ?? 0) >= goal;
}
