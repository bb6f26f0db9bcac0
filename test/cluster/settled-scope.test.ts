/** Where the seeds of a job lead, beside what a single crawler finds out about the same web while it crawls. */
import { describe, expect, it } from "vitest";
import { widenedBy, withScopeWidened } from "../../src/cluster/settled-scope.ts";
import type { ScopeKind } from "../../src/web/index.ts";
import { crawlInline, InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";

type Web = Readonly<Record<string, Served>>;

const SEED = "http://old.test/start";
const NEW = "http://new.test/home";

/** The scope that a single crawler has in the end, without its seeds. */
async function widenedInCrawl(web: Web, seeds: readonly string[], kind: ScopeKind): Promise<string[]> {
  const { store } = await crawlInline(served(web), seeds, settingsFor(seeds, kind));
  const { scope } = (JSON.parse(store.settings()) as { web: { scope: { seeds: string[] } } }).web;
  return scope.seeds.slice(seeds.length);
}

function served(web: Web): InlineWeb {
  return new InlineWeb((url) => web[url.href]);
}

function settingsFor(seeds: readonly string[], kind: ScopeKind) {
  return { web: { scope: { kind, seeds } }, limits: { pages: 10 } };
}

function widened(web: Web, seeds: readonly string[], kind: ScopeKind): Promise<string[]> {
  return widenedBy(inlineSettings(seeds, settingsFor(seeds, kind)), served(web));
}

describe("the scope of a job", () => {
  it.each<[string, ScopeKind, Web, string[]]>([
    ["has the host to which its seed leads", "host", { [SEED]: { redirect: NEW }, [NEW]: "here" }, [NEW]],
    ["has its domain", "domain", { [SEED]: { redirect: NEW }, [NEW]: "here" }, [NEW]],
    ["has its directory", "prefix", { [SEED]: { redirect: NEW }, [NEW]: "here" }, [NEW]],
    ["stays as it is where everything is in it", "any", { [SEED]: { redirect: NEW }, [NEW]: "here" }, []],
    ["stays as it is if the seed is a page", "host", { [SEED]: "here" }, []],
    [
      "stays as it is if the seed leads to a page in it",
      "host",
      { [SEED]: { redirect: "http://old.test/home" }, "http://old.test/home": "here" },
      [],
    ],
    ["stays as it is if nothing is there", "host", { [SEED]: { redirect: NEW } }, []],
    [
      "has the end of a chain",
      "host",
      {
        [SEED]: { redirect: "http://between.test/" },
        "http://between.test/": { redirect: NEW },
        [NEW]: "here",
      },
      [NEW],
    ],
    [
      "stays as it is if a robots.txt forbids what is there",
      "host",
      {
        [SEED]: { redirect: NEW },
        [NEW]: "here",
        "http://new.test/robots.txt": { body: "User-agent: *\nDisallow: /", headers: { "content-type": "text/plain" } },
      },
      [],
    ],
    ["stays as it is if the seed is gone", "host", { [SEED]: { status: 410 } }, []],
  ])("%s (%s)", async (_, kind, web, expected) => {
    expect(await widened(web, [SEED], kind)).toEqual(expected);
    expect(await widenedInCrawl(web, [SEED], kind)).toEqual(expected);
  });

  it("stays as it is for a list of pages: each shard admits where its seeds lead, at any time", async () => {
    expect(await widened({ [SEED]: { redirect: NEW }, [NEW]: "here" }, [SEED], "page")).toEqual([]);
  });

  it("has the hosts to which some of several seeds lead", async () => {
    const seeds = [SEED, "http://plain.test/", "http://other.test/"];
    const web = {
      [SEED]: { redirect: NEW },
      [NEW]: "here",
      "http://plain.test/": "here",
      "http://other.test/": { redirect: "http://else.test/" },
      "http://else.test/": "here",
    };
    expect(new Set(await widened(web, seeds, "host"))).toEqual(new Set([NEW, "http://else.test/"]));
    expect(new Set(await widenedInCrawl(web, seeds, "host"))).toEqual(new Set([NEW, "http://else.test/"]));
  });

  it("has a place once to which two seeds lead", async () => {
    const seeds = [SEED, "http://other.test/"];
    const web = { [SEED]: { redirect: NEW }, "http://other.test/": { redirect: NEW }, [NEW]: "here" };
    expect(await widened(web, seeds, "host")).toEqual([NEW]);
    expect(await widenedInCrawl(web, seeds, "host")).toEqual([NEW]);
  });

  it("is that of the settings with these places added, and the seeds stay", () => {
    const settings = inlineSettings([SEED], settingsFor([SEED], "host"));
    const wider = withScopeWidened(settings, [NEW]);
    expect(wider.web.scope).toMatchObject({ kind: "host", seeds: [SEED, NEW] });
    expect(wider.seeds).toEqual(settings.seeds);
    expect(withScopeWidened(settings, [])).toBe(settings);
  });
});
