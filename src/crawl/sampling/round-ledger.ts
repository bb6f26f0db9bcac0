/**
 * The ledger from which the walks of a look start. While the walks of a round are under way its downloaded pages are
 * fixed, so facts that come meanwhile wait.
 *
 * It is pushed at the beginning of rounds and at no other time, so the same log gives the same numbers, and the same
 * dice lead to the same pages.
 */
import { type CrawlFacts, type LedgerOptions, MassLedger, type RefusalReason } from "../../coverage/index.ts";

type Fact =
  | { readonly kind: "trusted"; readonly page: number; readonly weight: number }
  | { readonly kind: "downloaded" | "linksUnknown" | "dead"; readonly page: number }
  | { readonly kind: "refused"; readonly page: number; readonly reason: RefusalReason }
  | { readonly kind: "redirected"; readonly page: number; readonly target: number }
  | { readonly kind: "received"; readonly page: number; readonly sender: number; readonly total: number };

export class RoundLedger implements CrawlFacts {
  readonly ledger: MassLedger;
  #isHeld = false;
  #waiting: Fact[] = [];

  constructor(options: LedgerOptions) {
    this.ledger = new MassLedger({ ...options, keepsRanks: false });
  }

  /** From now on facts wait. */
  hold(): void {
    this.#isHeld = true;
  }

  /** The facts that have waited, in the order in which they came. */
  release(): void {
    this.#isHeld = false;
    const facts = this.#waiting;
    this.#waiting = [];
    for (const fact of facts) this.#apply(fact);
  }

  grow(pages: number): void {
    this.ledger.grow(pages);
  }

  trusted(page: number, weight: number): void {
    this.#take({ kind: "trusted", page, weight });
  }

  downloaded(page: number): void {
    this.#take({ kind: "downloaded", page });
  }

  linksUnknown(page: number): void {
    this.#take({ kind: "linksUnknown", page });
  }

  dead(page: number): void {
    this.#take({ kind: "dead", page });
  }

  refused(page: number, reason: RefusalReason): void {
    this.#take({ kind: "refused", page, reason });
  }

  redirected(page: number, target: number): void {
    this.#take({ kind: "redirected", page, target });
  }

  received(page: number, sender: number, total: number): void {
    this.#take({ kind: "received", page, sender, total });
  }

  #take(fact: Fact): void {
    if (this.#isHeld) this.#waiting.push(fact);
    else this.#apply(fact);
  }

  #apply(fact: Fact): void {
    const { ledger } = this;
    switch (fact.kind) {
      case "trusted":
        return ledger.trusted(fact.page, fact.weight);
      case "refused":
        return ledger.refused(fact.page, fact.reason);
      case "redirected":
        return ledger.redirected(fact.page, fact.target);
      case "received":
        return ledger.received(fact.page, fact.sender, fact.total);
      default:
        return ledger[fact.kind](fact.page);
    }
  }
}
