import { expect, it } from "vitest";
import { nearest } from "../../src/base/index.ts";

it("names the candidate that a typing error most likely meant", () => {
  const orders = ["rankmass", "fpr", "opic", "lneighbor"];
  expect(nearest("rankmas", orders)).toBe("rankmass");
  expect(nearest("opci", orders)).toBe("opic");
  expect(nearest("RANKMASS", orders)).toBe("rankmass");
});

it("stays silent when nothing is near", () => {
  expect(nearest("zzzzzz", ["rankmass", "fpr"])).toBeUndefined();
});
