/** Points in time and durations in words. */
import { formatCount, formatSeconds } from "../base/index.ts";

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** "14 Nov 2023, 22:13 UTC" */
export function momentInWords(atMs: number): string {
  return `${MOMENT.format(atMs)} UTC`;
}

/** By the reader's clock: the time if it is today, else the date and the time. */
export function clockInWords(
  atMs: number,
  { nowMs, to = "second" }: { readonly nowMs: number; readonly to?: "second" | "minute" },
): string {
  const date = new Date(atMs);
  if (date.toDateString() !== new Date(nowMs).toDateString())
    return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  return date.toLocaleTimeString("en-GB", { timeStyle: to === "second" ? "medium" : "short" });
}

/** When something was done: "on ...", or "within 29 min 05 s, until ...". */
export function spanInWords(firstMs: number, lastMs: number): string {
  const seconds = Math.round((lastMs - firstMs) / 1000);
  const end = momentInWords(lastMs);
  return seconds < 1 ? `on ${end}` : `within ${formatSeconds(seconds)}, until ${end}`;
}

/** Seconds as a rough duration: an estimate should look like one. */
export function roughlyInWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return formatSeconds(Math.round(seconds / 60) * 60);
  return `${formatCount(Math.round(seconds / 86_400))} days`;
}
