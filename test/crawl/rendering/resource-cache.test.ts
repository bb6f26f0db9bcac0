/** Scripts and styles are kept per host of the page, within a bound. */
import { describe, expect, it } from "vitest";
import { ResourceCache } from "../../../src/crawl/rendering/resource-cache.ts";
import type { Answer } from "../../../src/fetch/index.ts";

function answer(bytes: number, changes: Partial<Answer> = {}): Answer {
  const body = new Uint8Array(bytes);
  const rest = { headers: {}, truncated: false, wireBytes: bytes, address: null, milliseconds: 1 };
  return { kind: "answer", status: 200, ...rest, body, ...changes };
}

describe("kept scripts", () => {
  it("are there for pages of the same host only", () => {
    const cache = new ResourceCache();
    const app = answer(10);
    cache.keep("a.example", "https://cdn.example/app.js", app);
    expect(cache.find("a.example", "https://cdn.example/app.js")).toBe(app);
    expect(cache.find("b.example", "https://cdn.example/app.js")).toBeUndefined();
    expect(cache.find("a.example", "https://cdn.example/other.js")).toBeUndefined();
  });

  it("leave in the order of their last use when there are too many bytes", () => {
    const cache = new ResourceCache(100);
    for (const name of ["1", "2", "3"]) cache.keep("a", name, answer(33));
    cache.find("a", "1");
    cache.keep("a", "4", answer(33));
    expect(["1", "2", "3", "4"].map((name) => cache.find("a", name) !== undefined)).toEqual([true, false, true, true]);
    // One that is kept again counts once.
    cache.keep("a", "4", answer(34));
    expect(["1", "3", "4"].map((name) => cache.find("a", name) !== undefined)).toEqual([true, true, true]);
  });

  it("are whole, of status 200, not too large, and not marked no-store", () => {
    const cache = new ResourceCache(100);
    cache.keep("a", "cut", answer(1, { truncated: true }));
    cache.keep("a", "missing", answer(1, { status: 404 }));
    cache.keep("a", "large", answer(101));
    cache.keep("a", "once", answer(1, { headers: { "cache-control": "private, No-Store" } }));
    cache.keep("a", "full", answer(100));
    const names = ["cut", "missing", "large", "once", "full"];
    expect(names.filter((name) => cache.find("a", name) !== undefined)).toEqual(["full"]);
  });
});
