/** The table of `tidemark community --live` on a narrow terminal. */
import { expect, it } from "vitest";
import { rankTable } from "../../src/cli/community/live-output.ts";

it("leaves out the bounds of a page before its URL", () => {
  const url = "http://library.demo.test/books/137-northern-compass";
  const page = { id: 59, url, local: 0.1216, global: 0.1052, low: 0.0402, high: 0.7269 };
  const lines = (width: number): string[] => rankTable([page], { width, color: false }).split("\n");
  expect(lines(120)[0]).toMatch(/^page {2}local rank {2}estimated global {2}at least {2}at most {2}url$/);
  expect(lines(80)[0]).toMatch(/^page {2}local rank {2}estimated global {2}at least {2}url$/);
  expect(lines(80)[1]).toContain("http://library.demo.test/");
  expect(lines(80)[2]).toBe("(hidden at this width: at most)");
  expect(lines(40)[0]).toMatch(/^page {2}url$/);
});
