import { expect, it } from "vitest";
import { createCrawl, StoreError } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

it("a store whose disk failed shows what was committed, and nothing of what came after", () => {
  let isBroken = false;
  const beforeWrite = (): void => {
    if (isBroken) throw new StoreError("disk-full", "as planned");
  };
  const store = createCrawl(temporaryDirectory(), "{}", { beforeWrite });
  const url = { origin: 0, depth: 0, source: "seed", discoveredAt: 0, reason: null } as const;
  store.addOrigin(0, "http://a.example");
  store.addUrl({ id: 0, path: "/committed", ...url });
  store.commit();
  store.addUrl({ id: 1, path: "/lost", ...url });
  isBroken = true;
  expect(() => store.addUrl({ id: 2, path: "/failed", ...url })).toThrow("as planned");
  isBroken = false;
  expect(Array.from(store.urls(), ({ path }) => path)).toEqual(["/committed"]);
  expect(() => store.commit()).toThrow("as planned");
  store.close();
});
