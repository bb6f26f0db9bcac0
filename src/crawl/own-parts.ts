/** Parts that a program brings, in JavaScript perhaps: what is missing is told before it is needed. */
import { UsageError } from "../base/index.ts";

/** Throws a `UsageError` that names what `part` lacks. */
export function expectMethods<Part>(part: string, given: Part, methods: readonly (keyof Part & string)[]): void {
  if (typeof given !== "object" || given === null) {
    throw new UsageError(`${part} is ${given === null ? "null" : typeof given}; expected an object with methods`);
  }
  const missing = methods.filter((name) => typeof given[name] !== "function");
  if (missing.length > 0) throw new UsageError(`${part} has no ${missing.join(", ")}; expected all of its methods`);
}
