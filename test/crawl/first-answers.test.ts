/** Hosts that have not answered yet keep nobody waiting, however many they are. */
import { expect, it } from "vitest";
import { launchCrawl } from "../../src/crawl/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { inlineSettings, replyOf } from "../support/inline-web.ts";

const SLOW = 1500;
const QUICK = 60;
const SEED = "http://seed.example/";

/** Slow hosts answer only once every quick host has given its page. */
class PatientWeb implements Fetcher {
  readonly #late: (() => void)[] = [];
  #quick = 0;

  fetch({ url }: FetchRequest, done: (reply: Reply) => void): void {
    const { hostname, pathname } = new URL(url);
    const isPage = pathname !== "/robots.txt";
    const links = (kind: string, count: number): string =>
      Array.from({ length: count }, (_, k) => `<a href="http://${kind}${k}.example/">`).join("");
    const body = hostname === "seed.example" ? links("slow", SLOW) + links("quick", QUICK) : "page";
    const answer = (): void => done(replyOf(isPage ? body : { status: 404 }));
    if (hostname.startsWith("slow") && this.#quick < QUICK) return void this.#late.push(answer);
    setImmediate(() => {
      answer();
      if (hostname.startsWith("quick") && isPage && ++this.#quick === QUICK) for (const each of this.#late) each();
    });
  }

  async close(): Promise<void> {}
}

it("a crawl goes on with other hosts while thousands have not answered", async () => {
  const politeness = { delayMs: 0, concurrency: 10_000, perHost: 1, perAddress: 10_000, crawlDelayMsMax: 0 };
  const settings = inlineSettings([SEED], {
    politeness,
    web: { scope: { kind: "any", seeds: [SEED] } },
  });
  const store = new MemoryStore(JSON.stringify(settings));
  const crawl = await launchCrawl({ settings, store, fetcher: new PatientWeb(), readers: 0 });
  const { status } = await crawl.run();
  expect(status.pages).toBe(1 + SLOW + QUICK);
});
