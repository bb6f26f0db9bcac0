/** URLs by the thousand, to fill files with. */
import type { SqliteStore } from "../../src/store/index.ts";

export function tellUrls(store: SqliteStore, count: number): void {
  if (store.urlCount === 0) store.addOrigin(0, "http://a.example");
  for (let i = 0; i < count; i++) {
    const id = store.urlCount;
    store.addUrl({
      id,
      origin: 0,
      path: `/page/number/${id}`,
      depth: 1,
      source: "link",
      discoveredAt: 0,
      reason: null,
    });
  }
}
