/**
 * Coverage is never above the truth, at any moment of any crawl, with and without a filter of the user: random webs,
 * crawled by a crawler that is as unlucky as Crawlee's may be. The truth is computed by another method.
 */
import { AsyncResource } from "node:async_hooks";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Random } from "../../src/base/index.ts";
import { ImportanceQueue } from "../../src/crawlee/index.ts";
import { cases } from "../support/cases.ts";
import { truthAllowed, type Truth, truthOf, type WorldUrl } from "../support/truth.ts";
import { type FakeAnswer, type FakeContext, FakeRequest, runFakeCrawler } from "./fake-crawler.ts";

const WEBS = cases(1000);
const ROUNDING = 1e-9;

type Kind = "page" | "dead" | "forbidden" | "robots" | "failure" | "redirect" | "throws" | "unseen";

interface Web {
  readonly seed: number;
  readonly kinds: readonly Kind[];
  /** Links of pages; the only target of a redirect. */
  readonly links: readonly (readonly number[])[];
  /** How many of the links of a page stand in no HTML, the first ones: its handler finds them in data. */
  readonly hidden: readonly number[];
  /** Whether the user's filter drops a link. */
  readonly drops: (from: number, to: number) => boolean;
}

const KINDS: readonly Kind[] = ["dead", "forbidden", "robots", "failure", "redirect", "redirect", "throws", "unseen"];

function randomWeb(seed: number, hasFilter: boolean): Web {
  const random = new Random(seed, 5);
  const count = 4 + random.below(24);
  const density = 1 + random.below(5);
  const kinds = Array.from({ length: count }, (_, url): Kind => {
    if (url === 0 || url === count - 1 || random.below(4) > 0) return "page";
    return KINDS[random.below(KINDS.length)];
  });
  const rows = kinds.map((kind, url) => {
    // Redirects lead on to greater numbers: none goes round.
    if (kind === "redirect") return [url + 1 + random.below(count - url - 1)];
    const targets = Array.from({ length: random.below(2 * density + 1) }, () => random.below(count));
    return [...new Set(targets)].filter((target) => target !== url);
  });
  const dropped = new Set<string>();
  for (const [from, row] of rows.entries()) {
    for (const to of row) if (hasFilter && random.below(4) === 0) dropped.add(`${from}-${to}`);
  }
  const hidden = rows.map((row, url) =>
    kinds[url] !== "redirect" && random.below(4) === 0 ? random.below(row.length + 1) : 0,
  );
  // What is neither in the HTML nor taken by the handler is no link at all.
  const links = rows.map((row, from) => row.filter((to, k) => k >= hidden[from] || !dropped.has(`${from}-${to}`)));
  return {
    seed,
    kinds,
    links,
    hidden: links.map((row, from) => Math.max(0, hidden[from] - (rows[from].length - row.length))),
    drops: (from, to) => dropped.has(`${from}-${to}`),
  };
}

/** The truth in what may be fetched: a life that takes a dropped link ends. */
function truthWithFilter({ kinds, links, drops }: Web): Truth {
  const sink = kinds.length;
  const urls = kinds.map((kind, url) => {
    const taken = kind === "redirect" ? links[url] : links[url].map((to) => (drops(url, to) ? sink : to));
    return worldUrl(kind, taken, url);
  });
  return truthAllowed({ damping: 0.85, known: urls.length + 1, urls: [...urls, worldUrl("forbidden", [], sink)] });
}

/** The truth if everything counts: dropped links are links, and what is forbidden is a page like others. */
function strictTruth({ kinds, links }: Web): Truth {
  const urls = kinds.map((kind, url) => worldUrl(kind, links[url], url));
  return truthOf({ damping: 0.85, known: urls.length, urls });
}

function worldUrl(kind: Kind, links: readonly number[], url: number): WorldUrl {
  const world = { dead: "dead", redirect: "redirect", forbidden: "forbidden", robots: "forbidden" } as const;
  return {
    kind: kind in world ? world[kind as keyof typeof world] : "page",
    links: kind === "dead" ? [] : links,
    seenLinks: [],
    trust: url === 0 ? 1 : 0,
  };
}

function shareOf({ ranks, sum }: Truth, pages: Iterable<number>): number {
  let held = 0;
  for (const page of pages) held += ranks[page];
  return sum === 0 ? 0 : held / sum;
}

const HOST = "http://a.example";
/** Some links are written with a slash at the end, which is the same for Crawlee. */
const addressOf = (to: number, from = 0) => `${HOST}/${to}${(to + from) % 3 === 1 && to > 0 ? "/" : ""}`;
const otherAddressOf = (to: number, from: number) =>
  to === 0 ? addressOf(0) : addressOf(to, from).endsWith("/") ? `${HOST}/${to}` : `${HOST}/${to}/`;
const numberOf = (url: string) => Number(/\/(\d+)\/?$/.exec(url)?.[1]);

/** What a server answers; handlers of some pages throw, always or now and then. */
function answerOf({ kinds, links, hidden }: Web, request: FakeRequest): FakeAnswer {
  let url = numberOf(request.url);
  if (kinds[url] === "robots") return "robots";
  for (; kinds[url] === "redirect"; url = links[url][0]);
  const loadedUrl = url === numberOf(request.url) ? request.url : `${HOST}/${url}`;
  if (kinds[url] === "robots") return { skippedAt: loadedUrl };
  if (kinds[url] === "failure") return "failure";
  const status = kinds[url] === "dead" ? 404 : kinds[url] === "forbidden" ? 451 : 200;
  if (kinds[url] === "unseen") return { status, html: undefined, loadedUrl };
  const written = status === 200 ? links[url].slice(hidden[url]) : [];
  const anchors = written.map((to) => `<a href="${addressOf(to, url)}">${to}</a>`);
  // The same page twice, for Crawlee: it is one link.
  if (written.length > 0) anchors.push(`<a href="${otherAddressOf(written[0], url)}">again</a>`);
  return { status, html: `<a href="#top"></a>${anchors.join("")}`, loadedUrl };
}

async function crawl(
  web: Web,
  options: {
    readonly coverage?: number;
    readonly limit?: number;
    readonly isLate?: boolean;
    /** Requests have labels, and URLs several requests; the handler of one label takes only some of the links. */
    readonly hasLabels?: boolean;
    /** Handlers leave some links to others: a list that they share, from which a timer or an event adds them. */
    readonly isShared?: boolean;
  },
) {
  const outside = new AsyncResource("outside of all handlers");
  const timers: ((run: () => Promise<unknown>) => Promise<unknown>)[] = [];
  const random = new Random(web.seed, 6);
  const queue = new ImportanceQueue({
    Request: FakeRequest,
    seeds: [addressOf(0)],
    ...(options.coverage === undefined ? {} : { coverage: options.coverage }),
    order: ["rankmass", "rankmass", "lneighbor", "fpr"][random.below(4)],
  });
  const fetched = new Set<number>();
  /** What handlers did not wait for. */
  const pending: (() => Promise<unknown>)[] = [];
  /** Links that the handler of some request took. */
  const takenByAny = new Set<string>();
  const truths = { allowed: truthWithFilter(web), strict: strictTruth(web) };
  const handle = async ({ request }: FakeContext) => {
    const page = numberOf(request.loadedUrl ?? "");
    if (web.kinds[page] === "throws" && random.below(2) === 0) throw new Error("before any link is added");
    const isFew = "label" in request.userData && request.userData.label === "FEW";
    const taken = web.links[page].filter(
      (to) => web.kinds[page] !== "dead" && !web.drops(page, to) && !(isFew && (page + to) % 2 === 0),
    );
    const urls: { readonly url: string }[] = taken.flatMap((to) => {
      takenByAny.add(`${page}-${to}`);
      return options.hasLabels === true ? labelled(addressOf(to, page), random) : { url: addressOf(to, page) };
    });
    if (options.isLate === true && random.below(8) === 0) {
      const late = urls.splice(random.below(urls.length + 1));
      pending.push(AsyncResource.bind(() => queue.addRequestsBatched(late)));
    }
    if (options.isShared === true && random.below(3) === 0) {
      const written = new Set(web.links[page].slice(web.hidden[page]));
      const from = random.below(urls.length + 1);
      // What stands in no HTML is a link only of the page whose handler adds it.
      const shared = urls.slice(from).filter(({ url }) => written.has(numberOf(url)));
      urls.splice(0, urls.length, ...urls.filter((each) => !shared.includes(each)));
      // A timer has the context of the handler that has started it.
      const timer = timers[random.below(2 * timers.length)] ?? outside.runInAsyncScope.bind(outside);
      const add = () => timer(() => queue.addRequestsBatched(shared));
      if (random.below(2) === 0) await outside.runInAsyncScope(() => queue.addRequestsBatched(shared));
      else pending.push(add);
      timers.push(AsyncResource.bind((run: () => Promise<unknown>) => run()));
    }
    await queue.addRequestsBatched(urls, options.limit === undefined ? {} : { maxNewRequests: options.limit });
    if (web.kinds[page] === "throws" || random.below(10) === 0) throw new Error("after the links were added");
  };
  const requested = await runFakeCrawler({
    queue,
    random,
    handle,
    answer: (request) => (random.below(12) === 0 ? "failure" : answerOf(web, request)),
    concurrency: 1 + random.below(4),
    retriesMax: random.below(3),
    onReturn: async (request, answer) => {
      for (const add of pending.splice(random.below(pending.length + 1))) await add();
      if (typeof answer === "object" && "status" in answer && answer.status === 200) {
        fetched.add(numberOf(answer.loadedUrl));
      }
      // What is still to come cannot be known.
      if (pending.length > 0) return;
      const asTaken = options.hasLabels === true ? webAsTaken(web, fetched, takenByAny) : undefined;
      const allowed = asTaken === undefined ? truths.allowed : truthWithFilter(asTaken);
      const strict = asTaken === undefined ? truths.strict : strictTruth(asTaken);
      const certificate = queue.certificate();
      const share = shareOf(allowed, fetched);
      expect(certificate.coverage, `web ${web.seed}, after ${request.url}`).toBeLessThanOrEqual(share + ROUNDING);
      expect(queue.coverage, `web ${web.seed}, after ${request.url}`).toBeLessThanOrEqual(share + ROUNDING);
      expect(certificate.strict).toBeLessThanOrEqual(shareOf(strict, fetched) + ROUNDING);
    },
  });
  return { queue, requested, share: shareOf(truths.allowed, fetched) };
}

/** One or two requests of a URL. */
function labelled(url: string, random: Random): { readonly url: string }[] {
  const first = { url, label: random.below(2) === 0 ? "FEW" : "ALL" };
  const second = { url, label: random.below(2) === 0 ? "FEW" : "ALL", uniqueKey: `${numberOf(url)} again` };
  return random.below(4) === 0 ? [first, second] : [first];
}

/** The web with the filter that the handlers together have turned out to be so far. */
function webAsTaken(web: Web, fetched: ReadonlySet<number>, takenByAny: ReadonlySet<string>): Web {
  const drops = (from: number, to: number) =>
    fetched.has(from) ? !takenByAny.has(`${from}-${to}`) : web.drops(from, to);
  const links = web.links.map((row, from) =>
    row.filter((to, k) => web.kinds[from] === "redirect" || k >= web.hidden[from] || !drops(from, to)),
  );
  return { ...web, links, drops };
}

/** Webs are drawn by number, which a failure names. */
async function forWebs(count: number, run: (seed: number) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.nat(), run), { numRuns: Math.round(count) });
}

describe("coverage is never above the truth", () => {
  it("whatever the user's handler takes", async () => {
    let looked = 0;
    await forWebs(WEBS, async (seed) => {
      const { queue } = await crawl(randomWeb(seed, false), {});
      if (queue.coverage > 0.5) looked++;
    });
    expect(looked, "webs of which much was proved at the last look").toBeGreaterThan(0);
  });

  it("with a filter of the user", async () => {
    await forWebs(WEBS, async (seed) => void (await crawl(randomWeb(seed, true), {})));
  });

  it("with a filter, and a limit of requests that may be added", async () => {
    await forWebs(WEBS / 2, async (seed) => void (await crawl(randomWeb(seed, true), { limit: 1 + (seed % 3) })));
  });

  it("when handlers do not wait for the links that they add", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    await forWebs(WEBS / 2, async (seed) => void (await crawl(randomWeb(seed, true), { isLate: true })));
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("expected `await`"), "TidemarkWarning");
  });

  it("when handlers leave the links that they take to timers, and to lists that they share", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    let proved = 0;
    await forWebs(WEBS / 2, async (seed) => {
      const { queue } = await crawl(randomWeb(seed, true), { isShared: true });
      if (queue.coverage > 0.5) proved++;
    });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("outside of the request handlers"), "TidemarkWarning");
    expect(proved, "webs of which much was proved nevertheless").toBeGreaterThan(0);
  });

  it("when handlers of different labels take different links of a page", async () => {
    await forWebs(WEBS / 4, async (seed) => void (await crawl(randomWeb(seed, true), { hasLabels: true })));
  });

  it("when the crawl ends at its target", async () => {
    let early = 0;
    await forWebs(WEBS / 2, async (seed) => {
      const web = randomWeb(seed, seed % 2 === 0);
      const { queue, share } = await crawl(web, { coverage: 0.7 });
      if (queue.coverage < 0.7) return;
      expect(share).toBeGreaterThanOrEqual(0.7);
      if (share < 0.999) early++;
    });
    expect(early).toBeGreaterThan(0);
  });
});
