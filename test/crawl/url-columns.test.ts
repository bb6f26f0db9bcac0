import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UrlColumns } from "../../src/crawl/url-columns.ts";

const url = fc.record({ origin: fc.oneof(fc.nat(5), fc.nat(2 ** 29 - 1)), depth: fc.nat(255) });
const change = fc.record({ url: fc.nat(39), state: fc.nat(5), depth: fc.nat(255) });

describe("origin, depth and state of URLs", () => {
  it("are what was set, no matter what was set of the others", () => {
    fc.assert(
      fc.property(fc.array(url, { minLength: 1, maxLength: 40 }), fc.array(change), (urls, changes) => {
        const columns = new UrlColumns();
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
    expect(() => new UrlColumns().enter(0, 2 ** 29, 0)).toThrow("2^29");
  });
});
