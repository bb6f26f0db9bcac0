/**
 * How much more a method covers than RANDOM, averaged over sites, and how sure that is.
 *
 * Let x be what a method covers of each site, r what RANDOM covers. The gain is the ratio of means R = mean(x) /
 * mean(r). Its standard error, by linearisation: that of the mean of the residuals (x - R r) / mean(r) of the n sites,
 * their standard deviation over the root of n. Residuals of two methods on the same site are compared in pairs, so what
 * the sites have in common does not blur a difference.
 */
import { mean, standardDeviation } from "./experiment.ts";

/** Differences within so many standard errors decide nothing. */
const SURE_ERRORS = 2;

/** What a method covers, relative to RANDOM. */
export interface Gain {
  /** Along the axis. */
  readonly ratios: readonly number[];
  /** Their standard errors; none for a single site. */
  readonly errors: readonly number[] | undefined;
  /** By point of the axis, then by site. */
  readonly residuals: readonly (readonly number[])[];
}

/** `own` and `random` have the share covered: by point of the axis, then by site. */
export function gainOf(own: readonly (readonly number[])[], random: readonly (readonly number[])[]): Gain {
  const ratios = own.map((shares, at) => {
    const base = mean(random[at]);
    return base > 0 ? mean(shares) / base : 0;
  });
  const residuals = own.map((shares, at) => {
    const base = mean(random[at]);
    return shares.map((share, site) => (base > 0 ? (share - ratios[at] * random[at][site]) / base : 0));
  });
  const sites = own[0].length;
  return { ratios, residuals, errors: sites < 2 ? undefined : residuals.map(standardErrorOf) };
}

/** The mean along the axis, in words: "1.31 ± 0.04 times". */
export function saidGain(gain: Gain): string {
  const { errors, residuals } = gain;
  const error = errors === undefined ? "" : ` ± ${standardErrorOf(siteMeans(residuals)).toFixed(2)}`;
  return `${mean(gain.ratios).toFixed(2)}${error} times`;
}

/** Whether one method gains more than another on average along the axis; undefined if chance may have decided it. */
export function gainsMore(a: Gain, b: Gain): boolean | undefined {
  const [ofA, ofB] = [siteMeans(a.residuals), siteMeans(b.residuals)];
  return isSurelyPositive(
    mean(a.ratios) - mean(b.ratios),
    ofA.map((each, site) => each - ofB[site]),
  );
}

/** Whether a method gains more at one point of the axis than at another. */
export function gainsMoreAt({ ratios, residuals }: Gain, one: number, other: number): boolean | undefined {
  return isSurelyPositive(
    ratios[one] - ratios[other],
    residuals[one].map((each, site) => each - residuals[other][site]),
  );
}

/** Whether a method covers more than RANDOM, at each point of the axis. */
export function beatsRandom({ ratios, residuals }: Gain): (boolean | undefined)[] {
  return ratios.map((ratio, at) => isSurelyPositive(ratio - 1, residuals[at]));
}

/** A single site has no spread: there only the sign counts. */
function isSurelyPositive(difference: number, residuals: readonly number[]): boolean | undefined {
  const isSure = residuals.length < 2 || Math.abs(difference) > SURE_ERRORS * standardErrorOf(residuals);
  return isSure ? difference > 0 : undefined;
}

function siteMeans(residuals: Gain["residuals"]): number[] {
  return residuals[0].map((_, site) => mean(residuals.map((each) => each[site])));
}

/** Of a mean. */
function standardErrorOf(values: readonly number[]): number {
  return standardDeviation(values) / Math.sqrt(values.length);
}
