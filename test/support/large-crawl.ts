/**
 * A crawl directory with so many pages that it takes a while to resume and to certifyLog: page k links to the next ones
 * and to some far away.
 */
import { BLANK_VISIT } from "../../src/log/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { defaultPoliteness } from "../../src/crawl/index.ts";
import { plainSettings } from "./plain-settings.ts";

const SEED = "http://large.test/0";

export function makeLargeCrawl(dir: string, pages: number): void {
  const settings = {
    ...plainSettings([SEED], { politeness: { ...defaultPoliteness, delayMs: 0 }, limits: { pages } }),
    network: {
      userAgent: "tidemark/test",
      allowPrivate: true,
      resolve: ["large.test:127.0.0.1:9"],
      ca: null,
      proxy: null,
      warc: false,
    },
  };
  const store = createCrawl(dir, JSON.stringify(settings));
  store.addOrigin(0, "http://large.test");
  const known = pages + 10;
  store.addUrl(urlOf(0));
  store.replaceTrust([{ url: 0, weight: 1 }]);
  let heard = 1;
  for (let page = 0; page < pages; page++) {
    // What a page links to is written before its visit.
    for (; heard < Math.min(known, page + 11); heard++) store.addUrl(urlOf(heard, page + 1));
    const links = new Set<number>();
    for (let k = 1; k <= 10; k++) links.add(Math.min(known - 1, page + k));
    for (let k = 1; k <= 10; k++) links.add((page * k * 7919) % (page + 1));
    store.addVisit(visitOf(page, Uint32Array.from(links)));
    if (page % 20_000 === 0) store.commit();
  }
  store.close();
}

function urlOf(id: number, discoveredAt = 0) {
  const source = id === 0 ? ("seed" as const) : ("link" as const);
  return { id, origin: 0, path: `/${id}`, depth: Math.ceil(id / 10), source, discoveredAt, reason: null };
}

function visitOf(page: number, links: Uint32Array) {
  return {
    ...BLANK_VISIT,
    number: page + 1,
    url: page,
    atMs: 1_700_000_000_000,
    outcome: "downloaded" as const,
    status: 200,
    wireBytes: 100,
    milliseconds: 1,
    contentType: "text/html",
    links,
  };
}
