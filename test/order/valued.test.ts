/** RankMass by the value that is expected of pages: against estimates computed from the beginning at each step. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GrowingLinks } from "../../src/graph/index.ts";
import { type CrawlOrder, createOrder, type OrderContext } from "../../src/order/index.ts";
import { orderContract } from "../contracts/order-contract.ts";
import { cases } from "../support/cases.ts";
import { Driver } from "../support/crawl-driver.ts";
import { world } from "../support/worlds.ts";

const NAME = "rankmass:valued";
const DAMPING = 0.5;

/** Tells the value of each page right before its download. */
function withValues(order: CrawlOrder, valueOf: (page: number) => number): CrawlOrder {
  const { downloaded, linksUnknown } = order;
  order.downloaded = (page) => {
    order.valued?.(page, valueOf(page));
    downloaded.call(order, page);
  };
  order.linksUnknown = (page) => {
    order.valued?.(page, valueOf(page));
    linksUnknown.call(order, page);
  };
  return order;
}

const scattered = (page: number): number => ((page * 7) % 5) / 4;

orderContract(`${NAME} with values`, (context) => withValues(createOrder(NAME, context), scattered));

/**
 * A front page that links to sections, which link to articles, some of which are on the front page too. What waits on each is known by hand: 1/2 of what its
 * parents have, shared by their links.
 */
/** Many: once there are sixteen values, hosts are no longer estimated anew with each. */
const SECTIONS = 24;
const ARTICLES = 40;
const FRONT_ARTICLES = 20;
const site = fc.record({
  rows: fc.array(fc.uniqueArray(fc.nat(ARTICLES - 1), { maxLength: 20 }), { minLength: SECTIONS, maxLength: SECTIONS }),
  values: fc.array(fc.constantFrom(0, 0.1, 0.5, 1), {
    minLength: 1 + SECTIONS + ARTICLES,
    maxLength: 1 + SECTIONS + ARTICLES,
  }),
  hosts: fc.integer({ min: 1, max: 4 }),
});

function rowsOf(sections: readonly (readonly number[])[]): number[][] {
  return [
    Array.from({ length: SECTIONS + FRONT_ARTICLES }, (_, k) => 1 + k),
    ...sections.map((articles) => articles.map((article) => 1 + SECTIONS + article)),
    ...Array.from({ length: ARTICLES }, () => []),
  ];
}

/** The estimate of the header of expected-values.ts, from all that was downloaded so far. */
function expectedBy(
  done: readonly number[],
  rows: readonly number[][],
  { values, hosts }: { readonly values: readonly number[]; readonly hosts: number },
) {
  const sum = (pages: readonly number[]): number => pages.reduce((total, page) => total + values[page], 0);
  let renewed = 0;
  for (let next = 1; next <= done.length; next = Math.ceil((renewed * 17) / 16)) renewed = next;
  const seen = done.slice(0, renewed);
  const mean = (1 + sum(seen)) / (1 + seen.length);
  return (page: number): number => {
    const ofHost = seen.filter((each) => each % hosts === page % hosts);
    const host = (sum(ofHost) + 4 * mean) / (ofHost.length + 4);
    const parents = done.filter((each) => rows[each].includes(page));
    return (sum(parents) + 4 * host) / (parents.length + 4);
  };
}

function massOf(page: number, done: readonly number[], rows: readonly number[][]): number {
  if (page === 0) return 1 - DAMPING;
  const parents = done.filter((each) => rows[each].includes(page));
  return parents.reduce((mass, each) => mass + (DAMPING * massOf(each, done, rows)) / rows[each].length, 0);
}

describe("rankmass:valued", () => {
  it("fetches the page on which the most waits, times the value that its host and its parents let expect", () => {
    fc.assert(
      fc.property(site, ({ rows: sections, values, hosts }) => {
        const rows = rowsOf(sections);
        const links = new GrowingLinks();
        const context = { links, pages: rows.length, damping: DAMPING, hostOf: (page: number) => page % hosts };
        const order = withValues(createOrder(NAME, context), (page) => values[page]);
        order.trusted(0, 1);
        const done: number[] = [];
        for (let page = order.next(); page >= 0; page = order.next()) {
          const expected = expectedBy(done, rows, { values, hosts });
          const keyOf = (each: number): number => massOf(each, done, rows) * expected(each);
          const waiting = rows.map((_, each) => each).filter((each) => keyOf(each) > 0 && !done.includes(each));
          // Sums of parents have four bytes.
          const most = Math.max(...waiting.map(keyOf));
          expect(keyOf(page)).toBeGreaterThanOrEqual(most * (1 - 1e-6));
          links.set(page, rows[page]);
          order.downloaded(page);
          done.push(page);
        }
        expect(done.length).toBe(new Set(rows.flat()).size + 1);
      }),
      { numRuns: cases(100) },
    );
  });

  it.each([
    ["no page has a value", undefined],
    ["all pages have the value 1", () => 1],
  ])("is rankmass where %s", (_, valueOf) => {
    fc.assert(
      fc.property(world, fc.array(fc.nat(1e4), { maxLength: 40 }), (world, choices) => {
        const create = (context: OrderContext): CrawlOrder => {
          const order = createOrder(NAME, context);
          return valueOf === undefined ? order : withValues(order, valueOf);
        };
        const plain = new Driver({ world, choices, create: (context) => createOrder("rankmass", context) });
        expect(new Driver({ world, choices, create }).run()).toEqual(plain.run());
      }),
      { numRuns: cases(200) },
    );
  });

  it("continues after a replay of the facts alone as the crawl that was interrupted", () => {
    fc.assert(
      fc.property(world, fc.array(fc.nat(1e4), { maxLength: 60 }), (world, choices) => {
        const orders: CrawlOrder[] = [];
        const create = (context: OrderContext): CrawlOrder => {
          const order = withValues(createOrder(NAME, context), scattered);
          orders.push(order);
          // The replica learns the same facts, and is never asked for a page.
          const replica = withValues(createOrder(NAME, context), scattered);
          orders.push(replica);
          return told(order, replica);
        };
        const driver = new Driver({ world, choices, create, disturbances: true, putBacks: true });
        const underWay = driver.act();
        for (const page of underWay) driver.order.putBack(page);
        const [order, replica] = orders;
        expect(all(replica)).toEqual(all(order));
      }),
      { numRuns: cases(400) },
    );
  });
});

/** All facts reach the replica too. */
function told(order: CrawlOrder, replica: CrawlOrder): CrawlOrder {
  for (const fact of [
    "grow",
    "known",
    "trusted",
    "downloaded",
    "linksUnknown",
    "dead",
    "refused",
    "redirected",
    "received",
  ] as const) {
    const own = order[fact].bind(order) as (...parameters: readonly never[]) => void;
    const other = replica[fact].bind(replica) as (...parameters: readonly never[]) => void;
    order[fact] = (...parameters: readonly never[]) => {
      own(...parameters);
      other(...parameters);
    };
  }
  return order;
}

/** All pages that wait, best first. */
function all(order: CrawlOrder): number[] {
  const pages: number[] = [];
  for (let page = order.next(); page >= 0; page = order.next()) pages.push(page);
  return pages;
}
