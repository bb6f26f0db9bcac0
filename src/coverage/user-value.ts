/** Values of pages that a function of the user gives: whatever it does, nothing is thrown here. */
import { messageOf, quoted } from "../base/index.ts";

/** A value from 0 to 1, or what is wrong with it. */
export type UserValue =
  | { readonly value: number }
  | { readonly value?: undefined; readonly problem: string; readonly hasThrown: boolean };

/** Calls a function of the user. */
export function userValue(call: () => unknown): UserValue {
  try {
    const value = call();
    if (typeof value === "number" && value >= 0 && value <= 1) return { value };
    // A promise that fails later would end the process.
    if (value instanceof Promise) value.catch(() => {});
    return { problem: `the value is ${inWords(value)}, expected a number from 0 to 1`, hasThrown: false };
  } catch (error) {
    return { problem: messageOfAny(error), hasThrown: true };
  }
}

function inWords(value: unknown): string {
  if (typeof value === "number" || value === null || value === undefined) return String(value);
  if (value instanceof Promise) return "a promise";
  return typeof value === "string" ? quoted(value) : `of the type ${typeof value}`;
}

/** Some values cannot be turned into text. */
function messageOfAny(thrown: unknown): string {
  try {
    return String(messageOf(thrown));
  } catch {
    return "an error without a message";
  }
}
