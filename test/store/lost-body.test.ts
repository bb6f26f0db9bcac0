import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCrawl, openCrawl, openWarc, StoreError } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { exchange } from "./warc-reading.ts";

it("commits no facts after a body that could not be stored", () => {
  const dir = temporaryDirectory();
  const store = createCrawl(dir, "{}");
  const archive = openWarc(dir, store, { software: "test", fileBytesMax: 1 });
  archive.keep(exchange(1));
  store.addOrigin(0, "http://a.example");
  store.commit();
  // The next file cannot be made.
  mkdirSync(join(dir, "warc", "tidemark-00002.warc.gz"));
  store.addOrigin(1, "http://b.example");
  expect(() => archive.keep(exchange(2))).toThrow(StoreError);
  expect(() => store.close()).toThrow(StoreError);
  const again = openCrawl(dir);
  expect([...again.origins()]).toEqual(["http://a.example"]);
  again.close();
});
