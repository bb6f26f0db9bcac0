/** Where the web is ambiguous the crawl doubts: what may exist is never counted as leading nowhere. */
import { describe, expect, it } from "vitest";
import { certifyLog } from "../../src/crawl/index.ts";
import { RobotsCache } from "../../src/crawl/politeness/robots-cache.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { crawlInline, InlineWeb, type Served, type SettingsChanges } from "../support/inline-web.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const text = (body: string, truncated = false): Served => ({
  body,
  headers: { "content-type": "text/plain" },
  truncated,
});

async function crawl(pages: Record<string, Served>, changes: SettingsChanges = {}) {
  const web = new InlineWeb(({ href }) => pages[href]);
  const { fates, store } = await crawlInline(web, [SITE], {
    ...changes,
    web: { universe: "scope", ...changes.web },
  });
  return { fates, ...certifyLog(store) };
}

describe("a host", () => {
  it("that has answered and is then not found any more is requested again, and its pages are not dead", async () => {
    const web = new TimedWeb({
      serve: ({ pathname }, nth) => {
        if (pathname === "/") return '<a href="/b">b</a>';
        if (pathname !== "/b") return undefined;
        return nth < 3 ? { failure: "host-not-found" } : "b";
      },
    });
    const { fates, end } = await crawlTimed(web, [SITE]);
    expect(fates.get(`${SITE}b`)?.outcome).toBe("downloaded");
    expect(end.status.dead).toBe(0);
  });

  it("that has answered and is never found again has failed: it may exist", async () => {
    const web = new TimedWeb({
      serve: ({ pathname }) =>
        pathname === "/" ? '<a href="/b">b</a>' : pathname === "/b" ? { failure: "host-not-found" } : undefined,
    });
    const { fates, store } = await crawlTimed(web, [SITE]);
    expect(fates.get(`${SITE}b`)?.why).toBe("failed:resolve-failed");
    expect(certifyLog(store).certificate.flowDead).toBe(0);
  });

  it("that was never found is requested twice, a minute apart, before it counts as dead", async () => {
    const web = new TimedWeb({ serve: () => ({ failure: "host-not-found" }) });
    const { fates } = await crawlTimed(web, [SITE]);
    const [first, second, ...more] = web.times(`${SITE}robots.txt`);
    expect(second - first).toBeGreaterThanOrEqual(60_000);
    expect(more).toEqual([]);
    expect(fates.get(SITE)?.outcome).toBe("dead");
  });
});

describe("a body that was cut off", () => {
  it.each([
    ["without a type, nothing of it", "", {}],
    ["without a type, in the middle of its first tag", "<!doc", {}],
    ["as octets", "<ht", { "content-type": "application/octet-stream" }],
  ])("%s: its links are not known", async (_, body, headers) => {
    const { certificate, missing } = await crawl({ [SITE]: { body, headers, truncated: true } });
    // All that there is, 0.15, is inside; whatever leaves it is open.
    expect(certificate.coverage).toBeCloseTo(0.15, 10);
    expect(missing.map(({ reason }) => reason)).toEqual(["links-unknown"]);
  });
});

describe("a redirect that comes back only in our canonical form", () => {
  it.each<[string, string, string, SettingsChanges]>([
    ["by an encoded letter", "/~u", "/%7Eu", {}],
    ["by an empty query", "/u", "/u?", {}],
    ["by a dot after the host", "/u", "http://site.example./u", {}],
    [
      "by a session",
      "/u",
      "/u?PHPSESSID=0123456789abcdef0123456789abcdef",
      { web: { urlRules: { stripParameters: true } } },
    ],
  ])("%s is not dead", async (_, path, location, changes) => {
    const { fates, certificate } = await crawl(
      { [SITE]: `<a href="${path}">u</a>`, [new URL(path, SITE).href]: { redirect: location } },
      changes,
    );
    expect(fates.get(new URL(path, SITE).href)?.why).toBe("failed:redirect-loop");
    expect(certificate.flowDead).toBe(0);
    expect(certificate.flowOpen).toBeGreaterThan(0);
  });

  it("on its first hop of two is not dead either", async () => {
    const { certificate } = await crawl({
      [SITE]: '<a href="/a">a</a>',
      [`${SITE}a`]: { redirect: "/b?" },
      [`${SITE}b`]: { redirect: "/a" },
    });
    expect(certificate.flowDead).toBe(0);
  });

  it("while a server that goes round itself leads nowhere", async () => {
    const { certificate } = await crawl({
      [SITE]: '<a href="/a">a</a>',
      [`${SITE}a`]: { redirect: "/b" },
      [`${SITE}b`]: { redirect: "/a" },
    });
    expect(certificate.flowOpen).toBe(0);
    expect(certificate.flowDead).toBeGreaterThan(0);
  });
});

describe("a robots.txt", () => {
  it("that was cut off before the line that forbids is requested again", async () => {
    const whole = "User-agent: *\nDisallow: /private";
    const web = new TimedWeb({
      serve: ({ pathname }, nth) => {
        if (pathname === "/robots.txt") return nth === 1 ? text("User-agent: *\nDis", true) : text(whole);
        return '<a href="/private">p</a>';
      },
    });
    const { fates } = await crawlTimed(web, [SITE]);
    expect(fates.get(`${SITE}private`)?.why).toBe("robots");
  });

  it("of more than 500 KiB is obeyed up to its last whole line", async () => {
    const head = "User-agent: *\n";
    const last = "Disallow: /private-area-only";
    // The limit falls behind "/p" of the last line.
    const filler = `#${"x".repeat(500 * 1024 - head.length - "Disallow: /p".length - 2)}\n`;
    const { fates } = await crawl({
      [`${SITE}robots.txt`]: text(head + filler + last),
      [SITE]: '<a href="/pics">p</a>',
      [`${SITE}pics`]: "pics",
    });
    expect(fates.get(`${SITE}pics`)?.outcome).toBe("downloaded");
  });

  it("that does not come when it is a day old leaves the rules of yesterday in force", () => {
    const store = new MemoryStore();
    store.addOrigin(0, "http://site.example");
    const keeper = new RobotsCache({
      store,
      productToken: "tidemark",
      originText: () => "http://site.example",
    });
    const body = new TextEncoder().encode("User-agent: *\nDisallow: /no");
    expect(keeper.keepExpired(0, 0)).toBe(false);
    keeper.request(0);
    expect(keeper.keepExpired(0, 0)).toBe(false);
    keeper.answered(0, { status: 200, body, atMs: 0 });
    const later = 25 * 3_600_000;
    expect(keeper.stateOf(0, later).kind).toBe("unknown");
    keeper.request(0);
    expect(keeper.stateOf(0, later).kind).toBe("requested");
    expect(keeper.keepExpired(0, later)).toBe(true);
    const state = keeper.stateOf(0, later);
    expect(state.kind === "rules" && state.rules.allows("/no")).toBe(false);
    expect(state.kind === "rules" && state.rules.allows("/yes")).toBe(true);
  });
});

describe("a base that is no web address", () => {
  it("leaves relative links without meaning, and absolute ones as they are", async () => {
    const { fates } = await crawl({
      [SITE]: `<base href="ftp://files.example/"><a href="relative">r</a><a href="${SITE}a">a</a>`,
      [`${SITE}a`]: "a",
    });
    expect([...fates.keys()]).toEqual([SITE, `${SITE}a`]);
  });
});
