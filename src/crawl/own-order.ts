/**
 * A crawl order that a program brings. It is not trusted: a page that it hands out twice would be fetched twice, and
 * its own bound of coverage proves nothing. So pages are checked, and the bound is left out.
 */
import { UsageError } from "../base/index.ts";
import type { RefusalReason } from "../coverage/index.ts";
import type { CrawlOrder, OrderContext } from "../order/index.ts";
import { expectMethods } from "./own-parts.ts";

/** What an order of your own needs to know of the web: pages are numbers, which have URLs. */
export interface OwnOrderContext extends OrderContext {
  readonly hostOf: (page: number) => number;
  readonly urlOf: (page: number) => string;
  /** The page of a URL in canonical form; -1 if it is not known. */
  readonly pageOf: (url: string) => number;
}

const METHODS = [
  ...(["next", "putBack", "known", "grow", "trusted"] as const),
  ...(["downloaded", "linksUnknown", "dead", "refused", "redirected", "received"] as const),
];

export class OwnOrder implements CrawlOrder {
  readonly #order: CrawlOrder;
  readonly #isOpen: (page: number) => boolean;
  /** Handed out, neither given back nor ended. */
  readonly #handedOut = new Set<number>();

  /** `isOpen`: whether a page is known and has no final outcome. */
  constructor(order: CrawlOrder, isOpen: (page: number) => boolean) {
    expectMethods("the order that makeOrder has made", order, METHODS);
    this.#order = order;
    this.#isOpen = isOpen;
  }

  get name(): string {
    return this.#order.name;
  }

  get pushes(): number {
    return this.#order.pushes;
  }

  next(): number {
    const page = this.#order.next();
    if (page === -1) return page;
    if (!Number.isInteger(page) || !this.#isOpen(page)) {
      throw new UsageError(
        `the order ${this.name} gave page ${page}; expected a known page that was not fetched, or -1`,
      );
    }
    if (this.#handedOut.has(page)) {
      throw new UsageError(
        `the order ${this.name} gave page ${page} again; expected each page once, until it is put back`,
      );
    }
    this.#handedOut.add(page);
    return page;
  }

  putBack(page: number): void {
    this.#handedOut.delete(page);
    this.#order.putBack(page);
  }

  guaranteed(): null {
    return null;
  }

  known(page: number): void {
    this.#order.known(page);
  }

  grow(pages: number): void {
    this.#order.grow(pages);
  }

  trusted(page: number, weight: number): void {
    this.#order.trusted(page, weight);
  }

  valued(page: number, value: number): void {
    this.#order.valued?.(page, value);
  }

  downloaded(page: number): void {
    this.#handedOut.delete(page);
    this.#order.downloaded(page);
  }

  linksUnknown(page: number): void {
    this.#handedOut.delete(page);
    this.#order.linksUnknown(page);
  }

  dead(page: number): void {
    this.#handedOut.delete(page);
    this.#order.dead(page);
  }

  refused(page: number, reason: RefusalReason): void {
    this.#handedOut.delete(page);
    this.#order.refused(page, reason);
  }

  redirected(page: number, target: number): void {
    this.#handedOut.delete(page);
    this.#order.redirected(page, target);
  }

  received(page: number, sender: number, total: number): void {
    this.#order.received(page, sender, total);
  }
}
