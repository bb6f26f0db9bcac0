import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UrlColumns } from "../../src/crawl/url-columns.ts";
import { ChunksInMemory } from "../support/chunk-file.ts";

const depth = fc.oneof(fc.nat(255), fc.constantFrom(0, 29, 30, 31, 254, 255));
const url = fc.record({ origin: fc.oneof(fc.nat(5), fc.nat(2 ** 31 - 1)), depth });
const change = fc.record({ url: fc.nat(39), state: fc.nat(5), depth });

describe("origin, depth and state of URLs", () => {
  it("are what was set, no matter what was set of the others", () => {
    fc.assert(
      fc.property(fc.array(url, { minLength: 1, maxLength: 40 }), fc.array(change), (urls, changes) => {
        const columns = new UrlColumns(new ChunksInMemory(0));
        const expected = urls.map((each) => ({ ...each, state: 0 }));
        for (const [id, { origin, depth }] of urls.entries()) {
          if (id === 20) columns.grow(3000);
          columns.enter(id, origin, depth);
        }
        for (const { url: id, state, depth } of changes.filter(({ url: each }) => each < urls.length)) {
          columns.setState(id, state);
          columns.setDepth(id, depth);
          Object.assign(expected[id], { state, depth });
        }
        columns.grow(5000);
        const found = urls.map((_, id) => ({
          origin: columns.originOf(id),
          depth: columns.depthOf(id),
          state: columns.stateOf(id),
        }));
        expect(found).toEqual(expected);
      }),
    );
  });

  it("are refused for more origins than there is room for", () => {
    expect(() => new UrlColumns().enter(0, 2 ** 31, 0)).toThrow("2^31");
  });

  it("have great depths far from each other", () => {
    const columns = new UrlColumns();
    columns.grow(100_000);
    for (let id = 0; id < 100_000; id++) columns.enter(id, 0, id % 5000 === 0 ? 30 + id / 5000 : 2);
    const deep = Array.from({ length: 20 }, (_, k) => [5000 * k, 30 + k]);
    expect(deep.map(([id]) => [id, columns.depthOf(id)])).toEqual(deep);
    expect([columns.depthOf(1), columns.depthOf(99_999)]).toEqual([2, 2]);
  });
});
