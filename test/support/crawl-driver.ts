/** A crawler of random worlds around a crawl order: several pages under way, facts in any order, ids that grow. */
import type { CrawlOrder, OrderContext } from "../../src/order/index.ts";
import type { GrowingLinks } from "../../src/graph/index.ts";
import type { World } from "./truth.ts";
import { Teller } from "./worlds.ts";

export interface Drive {
  readonly create: (context: OrderContext) => CrawlOrder;
  readonly world: World;
  /** Each number is one choice: ask for a page, tell the fate of one under way, or what `disturbances` allows. */
  readonly choices: readonly number[];
  /** Pages are refused, and URLs heard of, without having been asked for. */
  readonly disturbances?: boolean;
  /** Pages under way are given back now and then. */
  readonly putBacks?: boolean;
  /** Trust is told in between, not all before the first page. */
  readonly lateTrust?: boolean;
  /** Fills rows of pages not downloaded, which no order may read. */
  readonly spoil?: (links: GrowingLinks) => void;
  /** Called after everything that happens. */
  readonly check?: (order: CrawlOrder, driver: Driver) => void;
}

export class Driver {
  readonly handedOut: number[] = [];
  /** URLs that the order has heard of. */
  readonly heardOf = new Set<number>();
  readonly teller: Teller;
  readonly order: CrawlOrder;
  readonly #drive: Drive;
  readonly #underWay: number[] = [];
  /** URLs that are not to be handed out any more. */
  readonly #done = new Set<number>();

  constructor(drive: Drive) {
    const { world } = drive;
    this.#drive = drive;
    this.teller = new Teller(world);
    drive.spoil?.(this.teller.links);
    this.order = this.teller.addListener(drive.create({ ...this.teller.options, hostOf: (page) => page % 2 }));
    if (!drive.lateTrust) this.#trustAll();
  }

  /** Crawls until no page is left, and returns the pages in the order in which they were handed out. */
  run(): number[] {
    for (const choice of this.#drive.choices) this.#act(choice);
    this.#trustAll();
    while (this.#ask() >= 0 || this.#underWay.length > 0) this.#tellFate(0);
    return this.handedOut;
  }

  /** Tells the fate of a URL that was not asked for. */
  settle(url: number): void {
    this.#done.add(url);
    this.#underWay.push(url);
    this.#tellFate(this.#underWay.length - 1);
  }

  /** URLs heard of that were neither handed out nor settled otherwise. */
  get left(): number[] {
    return [...this.heardOf].filter((url) => !this.#done.has(url));
  }

  #act(choice: number): void {
    const { disturbances, putBacks, lateTrust, world } = this.#drive;
    const which = Math.floor(choice / 8);
    const action = choice % 8;
    if (action < 3) this.#ask();
    else if (action === 3 && putBacks) this.#putBack(which);
    else if (action < 6) this.#tellFate(which);
    else if (action === 6 && disturbances) this.#refuse(which);
    else if (action === 7 && disturbances) this.#hear(which % world.known);
    else if (lateTrust) this.#trust(which % world.known);
  }

  #ask(): number {
    const page = this.order.next();
    if (page < 0) {
      if (this.left.length > 0) throw new Error(`got -1, but ${this.left.join()} are left`);
    } else {
      if (!this.heardOf.has(page)) throw new Error(`page ${page} was handed out before it was heard of`);
      if (this.#done.has(page)) throw new Error(`page ${page} was handed out, but it was done with`);
      this.#done.add(page);
      this.handedOut.push(page);
      this.#underWay.push(page);
    }
    this.#drive.check?.(this.order, this);
    return page;
  }

  #tellFate(which: number): void {
    if (this.#underWay.length === 0) return;
    const [url] = this.#underWay.splice(which % this.#underWay.length, 1);
    const { kind, links, seenLinks } = this.#drive.world.urls[url];
    if (kind === "page" || kind === "redirect") for (const to of links) this.heardOf.add(to);
    else if (kind === "partly") for (const to of seenLinks) this.heardOf.add(to);
    this.teller.tell({ about: "fate", url });
    this.#drive.check?.(this.order, this);
  }

  #putBack(which: number): void {
    if (this.#underWay.length === 0) return;
    const [url] = this.#underWay.splice(which % this.#underWay.length, 1);
    this.#done.delete(url);
    this.order.putBack(url);
    this.#drive.check?.(this.order, this);
  }

  #refuse(which: number): void {
    const { left } = this;
    if (left.length === 0) return;
    const url = left[which % left.length];
    this.#done.add(url);
    this.teller.tell({ about: "refusal", url });
    this.#drive.check?.(this.order, this);
  }

  #hear(url: number): void {
    this.heardOf.add(url);
    this.order.grow(url + 1);
    this.order.known(url);
  }

  #trustAll(): void {
    const { known, urls } = this.#drive.world;
    for (let url = 0; url < known; url++) if (urls[url].trust > 0) this.#trust(url);
  }

  #trust(url: number): void {
    if (this.teller.trusted.has(url)) return;
    this.heardOf.add(url);
    this.teller.tell({ about: "trust", url });
  }
}
