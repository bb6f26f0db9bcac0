/** Moments and spans of time in words. */
import { formatSeconds } from "../base/index.ts";

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** "14 Nov 2023, 22:13 UTC" */
export function momentInWords(atMs: number): string {
  return `${MOMENT.format(atMs)} UTC`;
}

/** When something was done that ended at a moment: "on ...", or "within 29 min 05 s, up to ...". */
export function spanInWords(firstMs: number, lastMs: number): string {
  const seconds = Math.round((lastMs - firstMs) / 1000);
  const end = momentInWords(lastMs);
  return seconds < 1 ? `on ${end}` : `within ${formatSeconds(seconds)}, up to ${end}`;
}
