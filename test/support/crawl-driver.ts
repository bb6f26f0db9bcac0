/** A crawler of random worlds around a crawl order: several pages under way, facts in any order, ids that grow. */
import type { CrawlOrder, OrderContext } from "../../src/order/index.ts";
import type { GrowingLinks } from "../../src/graph/index.ts";
import type { World } from "./truth.ts";
import { FactEmitter } from "./worlds.ts";

export interface Drive {
  readonly create: (context: OrderContext) => CrawlOrder;
  readonly world: World;
  /** Each number is one choice: request a page, emit the fate of one under way, or what `disturbances` allows. */
  readonly choices: readonly number[];
  /** Pages are refused, and URLs discovered, without having been requested. */
  readonly disturbances?: boolean;
  /** Pages under way are given back now and then. */
  readonly putBacks?: boolean;
  /** Trust is added in between, not all before the first page. */
  readonly lateTrust?: boolean;
  /** Fills rows of pages not downloaded, which no order may read. */
  readonly spoil?: (links: GrowingLinks) => void;
  /** Called after everything that happens. */
  readonly check?: (order: CrawlOrder, driver: Driver) => void;
}

export class Driver {
  readonly handedOut: number[] = [];
  /** URLs that the order has discovered. */
  readonly discovered = new Set<number>();
  readonly emitter: FactEmitter;
  readonly order: CrawlOrder;
  readonly #drive: Drive;
  readonly #underWay: number[] = [];
  /** URLs that are not to be handed out any more. */
  readonly #done = new Set<number>();

  constructor(drive: Drive) {
    const { world } = drive;
    this.#drive = drive;
    this.emitter = new FactEmitter(world);
    drive.spoil?.(this.emitter.links);
    this.order = this.emitter.addListener(drive.create({ ...this.emitter.options, hostOf: (page) => page % 2 }));
    if (!drive.lateTrust) this.#trustAll();
  }

  /** Crawls until no page is left, and returns the pages in the order in which they were handed out. */
  run(): number[] {
    this.act();
    this.#trustAll();
    while (this.#requestNext() >= 0 || this.#underWay.length > 0) this.#emitFate(0);
    return this.handedOut;
  }

  /** Makes the choices and no more. Returns the pages that are under way then. */
  act(): readonly number[] {
    for (const choice of this.#drive.choices) this.#act(choice);
    return this.#underWay;
  }

  /** Emits the fate of a URL that was not requested. */
  settle(url: number): void {
    this.#done.add(url);
    this.#underWay.push(url);
    this.#emitFate(this.#underWay.length - 1);
  }

  /** Discovered URLs that were neither handed out nor settled otherwise. */
  get left(): number[] {
    return [...this.discovered].filter((url) => !this.#done.has(url));
  }

  #act(choice: number): void {
    const { disturbances, putBacks, lateTrust, world } = this.#drive;
    const which = Math.floor(choice / 8);
    const action = choice % 8;
    if (action < 3) this.#requestNext();
    else if (action === 3 && putBacks) this.#putBack(which);
    else if (action < 6) this.#emitFate(which);
    else if (action === 6 && disturbances) this.#refuse(which);
    else if (action === 7 && disturbances) this.#discover(which % world.known);
    else if (lateTrust) this.#trust(which % world.known);
  }

  #requestNext(): number {
    const page = this.order.next();
    if (page < 0) {
      if (this.left.length > 0) throw new Error(`got -1, but ${this.left.join()} are left`);
    } else {
      if (!this.discovered.has(page)) throw new Error(`page ${page} was handed out before it was discovered`);
      if (this.#done.has(page)) throw new Error(`page ${page} was handed out, but it was done with`);
      this.#done.add(page);
      this.handedOut.push(page);
      this.#underWay.push(page);
    }
    this.#drive.check?.(this.order, this);
    return page;
  }

  #emitFate(which: number): void {
    if (this.#underWay.length === 0) return;
    const [url] = this.#underWay.splice(which % this.#underWay.length, 1);
    const { kind, links, seenLinks } = this.#drive.world.urls[url];
    if (kind === "page" || kind === "redirect") for (const to of links) this.discovered.add(to);
    else if (kind === "partly") for (const to of seenLinks) this.discovered.add(to);
    this.emitter.emit({ about: "fate", url });
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
    this.emitter.emit({ about: "refusal", url });
    this.#drive.check?.(this.order, this);
  }

  #discover(url: number): void {
    this.discovered.add(url);
    this.order.grow(url + 1);
    this.order.known(url);
  }

  #trustAll(): void {
    const { known, urls } = this.#drive.world;
    for (let url = 0; url < known; url++) if (urls[url].trust > 0) this.#trust(url);
  }

  #trust(url: number): void {
    if (this.emitter.trusted.has(url)) return;
    this.discovered.add(url);
    this.emitter.emit({ about: "trust", url });
  }
}
