/** What the engine and its reading threads say to each other. */
import { NO_PAGE_FACTS } from "../../log/index.ts";
import type { PackedLinks, PageContent, PageJob, SitemapContent, SitemapJob } from "./contract.ts";

export type ReaderMessage =
  | { readonly id: number; readonly kind: "page"; readonly job: PageJob }
  | { readonly id: number; readonly kind: "sitemap"; readonly job: SitemapJob };

export type ReaderReply =
  | { readonly id: number; readonly kind: "page"; readonly content: PageContent }
  | { readonly id: number; readonly kind: "sitemap"; readonly content: SitemapContent };

/**
 * What is to be sent, until the events at hand are done with: a message between threads costs tens of microseconds,
 * whatever it holds, and under load several are ready at once.
 */
export class Outbox<Message> {
  readonly #send: (messages: readonly Message[], transfer: readonly ArrayBuffer[]) => void;
  #messages: Message[] = [];
  #transfer: ArrayBuffer[] = [];

  constructor(send: (messages: readonly Message[], transfer: readonly ArrayBuffer[]) => void) {
    this.#send = send;
  }

  add(message: Message, transfer: readonly ArrayBuffer[]): void {
    if (this.#messages.length === 0) setImmediate(() => this.#flush());
    this.#messages.push(message);
    this.#transfer.push(...transfer);
  }

  #flush(): void {
    const messages = this.#messages;
    const transfer = this.#transfer;
    this.#messages = [];
    this.#transfer = [];
    this.#send(messages, transfer);
  }
}

/** For a page that could not be read: it is there, its links are not known. */
export function unreadablePage(): PageContent {
  return { facts: NO_PAGE_FACTS, canonical: null, links: noLinks(), linksUnknown: true };
}

export function unreadableSitemap(): SitemapContent {
  return { links: noLinks(), sitemaps: [], error: "it could not be read" };
}

function noLinks(): PackedLinks {
  return { fingerprints: new Uint32Array(0), kinds: new Uint8Array(0), ends: new Uint32Array(0), text: "" };
}
