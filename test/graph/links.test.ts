import { describe, expect, it } from "vitest";
import { GrowingLinks } from "../../src/graph/index.ts";

describe("a link table that grows", () => {
  const rowOf = (links: GrowingLinks, page: number) => [
    ...links.targets.subarray(links.starts[page], links.ends[page]),
  ];

  it("has the rows that were set, in any order, however many there are", () => {
    const links = new GrowingLinks();
    for (let page = 999; page >= 0; page -= 3) links.set(page, [page + 1, page + 2, page + 1]);
    for (let page = 999; page >= 0; page -= 3) expect(rowOf(links, page)).toEqual([page + 1, page + 2, page + 1]);
  });

  it("tells a page that was not set from one without links, wherever the table has grown to", () => {
    const links = new GrowingLinks();
    links.set(3, []);
    links.set(700, []);
    for (const page of [3, 700]) expect(links.starts[page]).toBe(links.ends[page]);
    for (const page of [0, 4, 255, 256, 300, 699]) expect(links.starts[page]).toBeGreaterThan(links.ends[page]);
  });
});
