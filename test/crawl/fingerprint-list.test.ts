import { describe, expect, it } from "vitest";
import { FingerprintList } from "../../src/crawl/fingerprint-list.ts";

describe("a list of fingerprints", () => {
  it("gives back that of each URL, and none of another", () => {
    const list = new FingerprintList();
    for (let k = 0; k < 3000; k++) list.add(3 * k + 1, k, 2 ** 32 - 1 - k);
    for (let k = 0; k < 3000; k++) expect(list.of(3 * k + 1)).toEqual([k, 2 ** 32 - 1 - k]);
    for (const url of [0, 2, 3, 8999, 9001]) expect(() => list.of(url)).toThrow("in the list");
    expect(() => list.add(5, 0, 0)).toThrow("ascending");
  });
});
