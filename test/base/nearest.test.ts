import { expect, it } from "vitest";
import { didYouMean, nearest } from "../../src/base/index.ts";

it("names the candidate that a typing error most likely meant", () => {
  const orders = ["rankmass", "fpr", "opic", "lneighbor"];
  expect(nearest("rankmas", orders)).toBe("rankmass");
  expect(nearest("opci", orders)).toBe("opic");
  expect(nearest("RANKMASS", orders)).toBe("rankmass");
});

it("stays silent when nothing is near", () => {
  expect(nearest("zzzzzz", ["rankmass", "fpr"])).toBeUndefined();
  expect(didYouMean("zzzzzz", ["rankmass", "fpr"])).toBe("");
});

it("asks in a sentence", () => {
  expect(didYouMean("rankmas", ["rankmass", "fpr"])).toBe(" Did you mean rankmass?");
});
