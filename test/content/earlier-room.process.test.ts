import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { searchExpression, SearchIndex } from "../../src/content/index.ts";
import { changePage, visitMs, writeTexts } from "../support/text-crawl.ts";
import { tinyDisk } from "../support/tiny-disk.ts";

it("the index of an earlier moment is not kept where a crawl would soon lack room", ({ skip }) => {
  const disk = tinyDisk(2 ** 26);
  if (disk === undefined) return skip("no permission to mount a disk of 64 MB");
  const dir = join(disk, "crawl");
  writeTexts(dir, [{ text: "sea" }, { text: "moon" }]);
  changePage(dir, 1, "gone");
  const index = new SearchIndex(dir, { atMs: visitMs(2) });
  for (const _ of index.update());
  expect(index.isTemporary).toBe(true);
  expect(index.matches(searchExpression("moon")).map(({ id }) => id)).toEqual([1]);
  expect(readdirSync(dir).filter((name) => name.startsWith("search"))).toEqual([]);
  index.close();
});
