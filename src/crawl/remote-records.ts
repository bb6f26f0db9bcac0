/** What other processes say about URLs of this one: discovered there, or with mass that arrived from there. */
import { canonicalUrl, trapIn } from "../web/index.ts";
import type { Now, RemoteRecord } from "./machine.ts";
import type { CrawlModel } from "./model.ts";
import type { WebSettings } from "./settings/settings.ts";
import { UrlState } from "./url-index.ts";

export class RemoteRecords {
  readonly #model: Pick<CrawlModel, "facts" | "index" | "feed" | "scope">;
  readonly #web: WebSettings;

  constructor(model: Pick<CrawlModel, "facts" | "index" | "feed" | "scope">, web: WebSettings) {
    this.#model = model;
    this.#web = web;
  }

  take(records: readonly RemoteRecord[], now: Now): void {
    for (const record of records) this.#take(record, now);
  }

  #take(record: RemoteRecord, now: Now): void {
    if (record.kind === "credited") return this.#credit(record);
    const url = this.#discover(record, now);
    if (url === undefined || record.kind !== "received") return;
    this.#model.facts.received({ url, sender: record.sender, total: record.total });
  }

  /**
   * The other process may have other settings: what is out of our scope is ignored, and what looks like a trap refused.
   */
  #discover(record: Exclude<RemoteRecord, { kind: "credited" }>, { wallMs }: Now): number | undefined {
    const { facts, index, scope } = this.#model;
    const { depth } = record;
    const text = canonicalUrl(record.url, undefined, this.#web.urlRules);
    // Where a seed of another shard leads belongs to the scope.
    const isAdmitted = text !== null && (depth === 0 ? scope.admits(text) : scope.contains(text));
    if (!isAdmitted) return undefined;
    const known = index.find(text);
    const url = facts.discover(text, { source: "remote", depth, onVisit: false });
    index.lowerDepth(url, depth);
    if (record.kind === "discovered") index.ledBy(url, record.hops ?? 0);
    const trap = known >= 0 ? null : trapIn(index.pathOf(url), this.#web.traps);
    if (trap !== null) facts.refused(url, "trap", trap, { atMs: wallMs });
    return url;
  }

  #credit({ high, low, sender, total, hops }: Extract<RemoteRecord, { kind: "credited" }>): void {
    const { index, feed } = this.#model;
    const url = index.findFingerprint(high, low);
    // What is out of our scope is not known here.
    if (url < 0 || index.stateOf(url) === UrlState.Elsewhere) return;
    index.ledBy(url, hops);
    feed.received({ url, sender, total });
  }
}
