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

it("names the first of several that are as near", () => {
  expect(nearest("abx", ["abc", "abd"])).toBe("abc");
});

it("takes up to half of the letters for errors, and two of a short word", () => {
  expect(nearest("abc", ["axy"])).toBe("axy");
  expect(nearest("abc", ["xyz"])).toBeUndefined();
  expect(nearest("abcdefgh", ["abcdwxyz"])).toBe("abcdwxyz");
  expect(nearest("abcdefgh", ["abcvwxyz"])).toBeUndefined();
});

it("asks in a sentence", () => {
  expect(didYouMean("rankmas", ["rankmass", "fpr"])).toBe(" Did you mean rankmass?");
});
