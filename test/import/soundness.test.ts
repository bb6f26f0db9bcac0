/**
 * Random small webs, of which another crawler has seen a part, written in each format and imported: the coverage that is
 * then claimed is never above the truth, which is computed from the whole web by another method.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ImportOptions } from "../../src/import/index.ts";
import { cases } from "../support/cases.ts";
import { truthAllowed, type World, type WorldUrl } from "../support/truth.ts";
import { importFiles, rawRecord, warcRecord } from "./importing.ts";

interface Web {
  readonly world: World;
  /** Whether that crawler has fetched a URL. */
  readonly isFetched: (url: number) => boolean;
  /** Links that it names, of those that there are. */
  readonly named: (url: number) => readonly number[];
}

type Files = Readonly<Record<string, string | Uint8Array>>;

const at = (url: number): string => (url === 0 ? "https://w.example/" : `https://w.example/p${url}`);
const hostAt = (url: number): string => `https://h${url}.example/`;

const writers: Readonly<
  Record<string, { readonly write: (web: Web) => Files; readonly urlOf?: (url: number) => string }>
> = {
  warc: { write: (web) => ({ "a.warc": Buffer.concat(fetched(web).map((url) => response(web, url))) }) },
  wat: { write: (web) => ({ "a.wat": Buffer.concat(fetched(web).map((url) => envelope(web, url))) }) },
  scrapy: {
    write: (web) => ({
      "a.jl": fetched(web)
        .map((url) => item(web, url))
        .join("\n"),
    }),
  },
  nutch: { write: nutchFiles },
  "screaming-frog": { write: (web) => frogFiles(web) },
  "cc-graph": { write: graphFiles, urlOf: hostAt },
};

describe.each(Object.entries(writers))("imported from %s", (format, { write, urlOf = at }) => {
  const claim = async (web: Web, options: Partial<ImportOptions>) => {
    const { coverage, outcomes } = await importFiles(write(web), { seeds: [urlOf(0)], ...options });
    const { ranks, sum } = truthAllowed(web.world);
    const had = ranks.filter((_, url) => ["downloaded", "links-unknown"].includes(outcomes[urlOf(url)] ?? ""));
    return { coverage, actual: had.reduce((total, rank) => total + rank, 0) / sum };
  };
  const complete = format === "warc" ? {} : { linksComplete: true };

  it("coverage is never above the truth", async () => {
    await fc.assert(
      fc.asyncProperty(webs(format === "cc-graph"), async (web) => {
        const { coverage, actual } = await claim({ ...web, named: (url) => web.world.urls[url].links }, complete);
        expect(coverage).toBeLessThanOrEqual(actual + 1e-9);
        if (format === "warc") return;
        const filtered = await claim(web, {});
        expect(filtered.coverage).toBeLessThanOrEqual(filtered.actual + 1e-9);
      }),
      { numRuns: cases(12) },
    );
  });

  it("all of a web that was fetched is all of its importance", async () => {
    const ring = [0, 1, 2, 3].map((url): WorldUrl => ({ ...PAGE, links: [(url + 1) % 4, (url + 2) % 4] }));
    const urls = ring.map((url, k) => (k === 0 ? { ...url, trust: 1 } : url));
    const web = {
      world: { damping: 0.85, known: 4, urls },
      isFetched: () => true,
      named: (url: number) => urls[url].links,
    };
    const { coverage } = await claim(web, complete);
    expect(coverage).toBeGreaterThan(1 - 1e-9);
  });
});

describe.each(["Unique Outlinks,Unique External Outlinks", "Outlinks,External Outlinks"])(
  "imported from Screaming Frog with links that were promised and are not there, and with %s",
  (counts) => {
    it("coverage is never above the truth", async () => {
      await fc.assert(
        fc.asyncProperty(webs(false), async (web) => {
          const options = { seeds: [at(0)], linksComplete: true };
          const { coverage, outcomes } = await importFiles(frogFiles(web, counts), options);
          const { ranks, sum } = truthAllowed(web.world);
          const had = ranks.filter((_, url) => ["downloaded", "links-unknown"].includes(outcomes[at(url)] ?? ""));
          expect(coverage).toBeLessThanOrEqual(had.reduce((total, rank) => total + rank, 0) / sum + 1e-9);
        }),
        { numRuns: cases(12) },
      );
    });
  },
);

const PAGE: WorldUrl = { kind: "page", links: [], seenLinks: [], trust: 0 };

function webs(areAllPages: boolean): fc.Arbitrary<Web> {
  const url = (size: number): fc.Arbitrary<WorldUrl & { fetched: boolean; kept: number }> =>
    fc.record({
      kind: areAllPages
        ? fc.constant("page" as const)
        : fc.constantFrom("page" as const, "page" as const, "page" as const, "dead" as const, "redirect" as const),
      links: fc.uniqueArray(fc.nat(size - 1), { maxLength: 5 }),
      seenLinks: fc.constant([]),
      trust: fc.constant(0),
      fetched: fc.boolean(),
      kept: fc.nat(31),
    });
  return fc.integer({ min: 2, max: 9 }).chain((size) =>
    fc.array(url(size), { minLength: size, maxLength: size }).map((drawn) => {
      const urls = drawn.map(({ kind, links }, k): WorldUrl => {
        const others = links.filter((each) => each !== k);
        if (k === 0) return { ...PAGE, links: others, trust: 1 };
        if (kind === "redirect")
          return { ...PAGE, kind: others.length === 0 ? "dead" : kind, links: others.slice(0, 1) };
        return { ...PAGE, kind, links: kind === "dead" ? [] : others };
      });
      return {
        world: { damping: 0.85, known: size, urls },
        isFetched: (k) => k === 0 || drawn[k].fetched,
        named: (k) => urls[k].links.filter((_, n) => (drawn[k].kept >> n) & 1),
      };
    }),
  );
}

function fetched({ world, isFetched }: Web): number[] {
  return [...world.urls.keys()].filter(isFetched);
}

function statusOf({ world }: Web, url: number): { readonly status: number; readonly location?: string } {
  const { kind, links } = world.urls[url];
  if (kind === "redirect") return { status: 302, location: at(links[0]) };
  return { status: kind === "dead" ? 404 : 200 };
}

function response(web: Web, url: number): Buffer {
  const { status, location } = statusOf(web, url);
  const body = web
    .named(url)
    .map((target) => `<a href="${at(target)}">${target}</a>`)
    .join("");
  const headers = { "Content-Type": "text/html", ...(location === undefined ? {} : { Location: location }) };
  return warcRecord({ url: at(url), status, headers, body: status === 200 ? body : "" });
}

function envelope(web: Web, url: number): Buffer {
  const { status, location } = statusOf(web, url);
  const http = {
    "Response-Message": { Status: String(status) },
    Headers: { "Content-Type": "text/html", ...(location === undefined ? {} : { Location: location }) },
    "HTML-Metadata": { Links: web.named(url).map((target) => ({ path: "A@/href", url: at(target) })) },
  };
  const about = { "WARC-Type": "response", "WARC-Target-URI": at(url) };
  const json = { Envelope: { "WARC-Header-Metadata": about, "Payload-Metadata": { "HTTP-Response-Metadata": http } } };
  return rawRecord({ "WARC-Type": "metadata" }, Buffer.from(JSON.stringify(json)));
}

function item(web: Web, url: number): string {
  return JSON.stringify({ url: at(url), links: web.named(url).map(at), ...statusOf(web, url) });
}

function nutchFiles(web: Web): Files {
  const rows = fetched(web).map((url) => {
    const { status, location } = statusOf(web, url);
    if (location !== undefined)
      return `"${at(url)}",4,"db_redir_temp",x,"_pst_:temp_moved(13), lastModified=0: ${location}|||"`;
    return status === 200 ? `"${at(url)}",2,"db_fetched",x,""` : `"${at(url)}",3,"db_gone",x,"_pst_:notfound(14)|||"`;
  });
  const inlinks = [...web.world.urls.keys()].map((target) => {
    const sources = fetched(web).filter((url) => isPage(web, url) && web.named(url).includes(target));
    return `${at(target)}\tInlinks:\n${sources.map((source) => ` fromUrl: ${at(source)} anchor: x\n`).join("")}\n`;
  });
  return { crawldb: `Url,Status code,Status name,Rest\n${rows.join("\n")}\n`, linkdb: inlinks.join("") };
}

function frogFiles(web: Web, counts = "Unique Outlinks,Unique External Outlinks"): Files {
  const rows = fetched(web).map((url) => {
    const { status, location = "" } = statusOf(web, url);
    const links = isPage(web, url) ? web.world.urls[url].links.length : 0;
    return `${at(url)},text/html,${status},${location},${links},0`;
  });
  const pages = fetched(web).filter((url) => isPage(web, url));
  const links = pages.flatMap((url) => web.named(url).map((target) => `Hyperlink,${at(url)},${at(target)},true`));
  return {
    "internal_all.csv": `Address,Content,Status Code,Redirect URL,${counts}\n${rows.join("\n")}\n`,
    "all_outlinks.csv": `Type,Source,Destination,Follow\n${links.join("\n")}\n`,
  };
}

function graphFiles(web: Web): Files {
  const vertices = web.world.urls.map((_, url) => `${url}\texample.h${url}`).join("\n");
  const edges = fetched(web).flatMap((url) => web.named(url).map((target) => `${url}\t${target}`));
  // A graph without any arc is no file that could be recognised.
  return { vertices, edges: `${edges.join("\n") || "0\t0"}\n` };
}

function isPage({ world }: Web, url: number): boolean {
  return world.urls[url].kind === "page";
}
