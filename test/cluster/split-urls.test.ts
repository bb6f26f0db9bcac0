/** What splitting keeps of URLs. */
import { expect, it } from "vitest";
import { TextsInMemory } from "../../src/cluster/index.ts";
import { SplitUrls } from "../../src/cluster/split-urls.ts";
import { refusalReasons } from "../../src/coverage/index.ts";
import { sources, type UrlRecord } from "../../src/log/index.ts";

function recordOf(id: number): UrlRecord {
  const isSink = id % 3 === 1;
  return {
    id,
    origin: id % 2 === 0 ? 100_000 + id : 0,
    path: isSink ? null : `/page-${id}`,
    depth: id % 256,
    source: sources[id % sources.length],
    discoveredAt: id,
    reason: isSink ? refusalReasons[id % refusalReasons.length] : null,
  };
}

it("has of each URL what its record said, of sinks too, however many there are", () => {
  const urls = new SplitUrls(new TextsInMemory());
  const records = Array.from({ length: 5000 }, (_, id) => recordOf(id));
  for (const record of records) urls.add(record);
  for (const { discoveredAt: _, ...record } of records) {
    expect(urls.recordOf(record.id)).toEqual(record);
    expect(urls.originOf(record.id)).toBe(record.origin);
  }
});

it("has the greatest depth that logs know of URLs that are deeper", () => {
  const urls = new SplitUrls(new TextsInMemory());
  urls.add({ ...recordOf(0), depth: 1000 });
  expect(urls.recordOf(0).depth).toBe(255);
});
