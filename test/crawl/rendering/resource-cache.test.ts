/** Scripts and styles are kept per host of the page, within a bound. */
import { describe, expect, it } from "vitest";
import { ResourceCache } from "../../../src/crawl/rendering/resource-cache.ts";
import type { Answer } from "../../../src/fetch/index.ts";

function answer(bytes: number, changes: Partial<Answer> = {}): Answer {
  const body = new Uint8Array(bytes);
  const rest = { headers: {}, truncated: false, wireBytes: bytes, address: null, milliseconds: 1 };
  return { kind: "answer", status: 200, ...rest, body, ...changes };
}

const key = (pageHost: string, start: string) => ({ pageHost, start });

describe("kept scripts", () => {
  it("are there for pages of the same host only", () => {
    const cache = new ResourceCache();
    const app = answer(10);
    cache.add(key("a.example", "https://cdn.example/app.js"), app);
    expect(cache.find(key("a.example", "https://cdn.example/app.js"))).toBe(app);
    expect(cache.find(key("b.example", "https://cdn.example/app.js"))).toBeUndefined();
    expect(cache.find(key("a.example", "https://cdn.example/other.js"))).toBeUndefined();
    const other = { ...key("a.example", "https://cdn.example/app.js"), corsOrigin: "http://a.example:8080" };
    expect(cache.find(other)).toBeUndefined();
  });

  it("leave in the order of their last use when there are too many bytes", () => {
    const cache = new ResourceCache(100);
    for (const name of ["1", "2", "3"]) cache.add(key("a", name), answer(33));
    cache.find(key("a", "1"));
    cache.add(key("a", "4"), answer(33));
    expect(["1", "2", "3", "4"].map((name) => cache.find(key("a", name)) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    // One that is kept again counts once.
    cache.add(key("a", "4"), answer(34));
    expect(["1", "3", "4"].map((name) => cache.find(key("a", name)) !== undefined)).toEqual([true, true, true]);
  });

  it("are whole, of status 200, not too large, and not marked no-store", () => {
    const cache = new ResourceCache(100);
    cache.add(key("a", "cut"), answer(1, { truncated: true }));
    cache.add(key("a", "missing"), answer(1, { status: 404 }));
    cache.add(key("a", "large"), answer(101));
    cache.add(key("a", "once"), answer(1, { headers: { "cache-control": "private, No-Store" } }));
    cache.add(key("a", "full"), answer(100));
    const names = ["cut", "missing", "large", "once", "full"];
    expect(names.filter((name) => cache.find(key("a", name)) !== undefined)).toEqual(["full"]);
  });
});
