/** Pieces of answers for people. */
import { plural } from "../base/index.ts";
import { formatCount, formatCoverage } from "../lab/index.ts";

/** "1 page", "2 pages". */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${plural(count, noun)}`;
}

/** A share as a percentage, cut and never rounded up: 0.97319 is "97.31%". */
export function percentAtLeast(share: number): string {
  const [whole, fraction] = formatCoverage(share, 4).split(".") as [string, string];
  return `${Number(whole + fraction.slice(0, 2))}.${fraction.slice(2)}%`;
}

/** A share of what is missing, where small ones count too: "2.69%", "0.0031%". */
export function percent(share: number): string {
  return share === 0 ? "0%" : `${Number((100 * share).toPrecision(3))}%`;
}

/** Names on the left, values on the right. */
export function facts(lines: readonly (readonly [name: string, value: string])[]): string {
  const nameWidth = Math.max(...lines.map(([name]) => name.length));
  const valueWidth = Math.max(...lines.map(([, value]) => value.length));
  return lines.map(([name, value]) => `${name.padEnd(nameWidth)}  ${value.padStart(valueWidth)}\n`).join("");
}
