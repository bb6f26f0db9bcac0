/** What other processes say about URLs of this one: discovered there, or with mass that arrived from there. */
import { canonicalUrl, splitUrl, trapIn } from "../web/index.ts";
import type { Now, RemoteRecord } from "./machine.ts";
import type { CrawlModel } from "./model.ts";
import type { WebSettings } from "./settings/settings.ts";
import { UrlState } from "./url-index.ts";

type RecordOf<Kind> = Extract<RemoteRecord, { kind: Kind }>;

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
    if (record.kind === "heard") return this.#hear(record, now);
    if (record.kind === "credited") {
      return this.#credit(this.#model.index.findFingerprint(record.high, record.low), record);
    }
    const url = this.#discover(record, now);
    if (url === undefined || record.kind !== "received") return;
    this.#model.facts.received({ url, sender: record.sender, total: record.total });
  }

  /** The other process may have other settings. */
  #discover({ url: written, depth }: RecordOf<"discovered" | "received">, now: Now): number | undefined {
    const { facts, index } = this.#model;
    const text = canonicalUrl(written, undefined, this.#web.urlRules);
    if (text === null || !this.#isAdmitted(text, depth)) return undefined;
    let url = index.find(text);
    if (url >= 0) index.lowerDepth(url, depth);
    else {
      url = facts.discover(text, { source: "remote", depth, onVisit: false });
      this.#judge(url, text, now);
    }
    return url;
  }

  /** Shards of one job have the same rules, so the URL is canonical. Where it is known, its text is not looked at. */
  #hear(record: RecordOf<"heard">, now: Now): void {
    const { facts, index } = this.#model;
    const { url: text, high, low, depth } = record;
    let url = index.findFingerprint(high, low);
    if (url >= 0) index.lowerDepth(url, depth);
    else if (this.#isAdmitted(text, depth)) {
      url = facts.discoverNew(text, high, low, { source: "remote", depth, onVisit: false });
      this.#judge(url, text, now);
    }
    this.#credit(url, record);
  }

  /** What is out of our scope is ignored. Where a seed of another shard leads belongs to the scope. */
  #isAdmitted(text: string, depth: number): boolean {
    const { scope } = this.#model;
    return depth === 0 ? scope.admits(text) : scope.contains(text);
  }

  /** What looks like a trap is refused. */
  #judge(url: number, text: string, { wallMs }: Now): void {
    const trap = trapIn(splitUrl(text).path, this.#web.traps);
    if (trap !== null) this.#model.facts.refused(url, "trap", trap, { atMs: wallMs });
  }

  /** What is out of our scope is not known here. */
  #credit(url: number, { sender, total, hops }: RecordOf<"heard" | "credited">): void {
    const { index, feed } = this.#model;
    if (url < 0 || index.stateOf(url) === UrlState.Elsewhere) return;
    index.ledBy(url, hops);
    if (total > 0) feed.received({ url, sender, total });
  }
}
