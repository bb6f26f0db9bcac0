/**
 * Getting one URL, as the crawler sees it: the contract of the real network and of its twins.
 *
 * A fetcher follows no redirect, keeps no queue and never throws: whatever a server does, `done` is called exactly once, with
 * an answer or with a failure that has a name. What a status or a failure means for the crawl stands in verdicts.ts.
 */
import type { FailureName } from "./failures.ts";

export interface FetchRequest {
  /** Absolute, canonical, http or https. */
  readonly url: string;
  /** What the answer is for: it decides the Accept header and how many bytes are read. */
  readonly purpose: "page" | "robots" | "sitemap";
  /** Validators of an earlier answer, for a conditional request. */
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  /** Names in lower case; a header that came more than once is joined by ", ", but of Location and the like the first holds. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed; empty where the status has none. */
  readonly body: Uint8Array;
  /** The body was longer than the limit for its purpose, or ended before it was complete; `body` is what came. */
  readonly truncated: boolean;
  /** Bytes of the body as they came over the wire. */
  readonly wireBytes: number;
  /** The address that was asked, null where there is none (a proxy, a twin). */
  readonly address: string | null;
  readonly milliseconds: number;
}

export interface Failure {
  readonly kind: "failure";
  readonly failure: FailureName;
  /** For people: what exactly went wrong. */
  readonly message: string;
  readonly address: string | null;
  readonly milliseconds: number;
}

export type Reply = Answer | Failure;

export interface Fetcher {
  fetch(request: FetchRequest, done: (reply: Reply) => void): void;
  /** Ends everything under way with the failure `aborted` and frees what is held. */
  close(): Promise<void>;
}
