/** Values of options, as text from the command line. A value that does not fit is an error before any work begins. */
import { InvalidArgumentError } from "commander";
import { UsageError } from "../../base/index.ts";
import * as kinds from "../../crawl/settings/index.ts";

export { decimal } from "../../crawl/settings/index.ts";

export const level = argument(kinds.share);
export const properFraction = argument(kinds.properFraction);
export const positive = argument(kinds.positive);

export function wholeNumber(min: number, max?: number): (text: string) => number {
  return argument(kinds.wholeNumber(min, max));
}

/** Values of a kind, for an option of a command. */
export function argument<T>(kind: kinds.Kind<T>): (given: unknown) => T {
  return (given) => {
    try {
      return kind.read(given);
    } catch (error) {
      throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** Names separated by commas. */
export function nameList(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}
