/** A random web with a truth that is known, served in simulated time: some hosts answer late, never, or not to us. */
import { Random } from "../../../src/base/index.ts";
import type { Universe } from "../../../src/coverage/index.ts";
import type { MemoryStore } from "../../../src/store/index.ts";
import type { Served } from "../inline-web.ts";
import { coverageOf, truthIn } from "../sampling.ts";
import { TimedWeb } from "../timed-web.ts";
import type { Truth, World, WorldUrl } from "../truth.ts";
import { crawledStar, crawledWeb } from "../webs.ts";

/** `shut` forbids all of its pages, `ill` fails for ever; crawlers have to find that out. */
const HOSTS = { well: "www.site.example", shut: "shut.site.example", ill: "ill.site.example" } as const;
type HostName = keyof typeof HOSTS;

/** So many forbidden pages of one host are a ban (log/blocked-hosts.ts). */
const BAN = 10;
const SLOW_MS = 4000;

export class SampledSite {
  readonly web: TimedWeb;
  readonly world: World;
  readonly universe: Universe;
  readonly #hosts: readonly HostName[];
  readonly #truth: Truth;
  readonly #truthOfBan: Truth;

  constructor(seed: number, universe: Universe) {
    const random = new Random(seed, 21);
    const { world } = random.below(2) === 0 ? crawledStar(seed) : crawledWeb(seed, { pagesMin: 60 });
    const shutShare = random.below(3) === 0 ? 0.2 : 0;
    const isShut = (url: WorldUrl): boolean => url.kind === "page" && random.float() < shutShare;
    const urls = world.urls.map((url, id) => (id > 0 && isShut(url) ? { ...url, kind: "forbidden" as const } : url));
    const illShare = random.below(2) === 0 ? 0.04 : 0;
    this.#hosts = urls.map(({ kind }, id) =>
      kind === "forbidden" ? "shut" : id > 0 && random.float() < illShare ? "ill" : "well",
    );
    this.universe = universe;
    // Of a host that fails nothing is known, so its pages count as they are.
    this.world = {
      ...world,
      urls: urls.map((url, id) => (this.#hosts[id] === "ill" ? { ...url, kind: "page" } : url)),
    };
    this.#truth = truthIn(this.world, universe);
    const banned = this.world.urls.map((url) => (url.kind === "forbidden" ? { ...url, kind: "page" as const } : url));
    this.#truthOfBan = truthIn({ ...this.world, urls: banned }, universe);
    const isSlow = random.below(2) === 0;
    this.web = new TimedWeb({
      serve: (url) => this.#serve(url),
      latencyMs: () => (isSlow && random.below(8) === 0 ? SLOW_MS : 1 + random.below(50)),
    });
  }

  get seed(): string {
    return this.#urlOf(0);
  }

  /** The true coverage of what a store has, and whether its crawl has found out about the ban. */
  actual(store: MemoryStore): { readonly coverage: number; readonly isBanKnown: boolean } {
    const ids = [...store.urls()].map(({ path }) => Number((path ?? "/").slice(1)));
    const visits = [...store.visits()];
    const had = visits.filter(({ outcome }) => outcome === "downloaded" || outcome === "links-unknown");
    const isBanKnown = visits.filter(({ reason }) => reason === "forbidden").length >= BAN;
    const truth = isBanKnown ? this.#truthOfBan : this.#truth;
    return { coverage: coverageOf(truth, new Set(had.map(({ url }) => ids[url]))), isBanKnown };
  }

  #urlOf(id: number): string {
    return `http://${HOSTS[this.#hosts[id]]}/${id}`;
  }

  #serve({ pathname }: URL): Served | undefined {
    const id = Number(pathname.slice(1));
    if (Number.isNaN(id)) return undefined;
    if (this.#hosts[id] === "ill") return { status: 500 };
    const { kind, links, seenLinks } = this.world.urls[id];
    const html = (row: readonly number[]): string => row.map((to) => `<a href="${this.#urlOf(to)}">${to}</a>`).join("");
    switch (kind) {
      case "page":
        return `<title>${id}</title>${html(links)}`;
      case "partly":
        return { body: html(seenLinks), headers: { "content-type": "text/html" }, truncated: true };
      case "redirect":
        return { redirect: this.#urlOf(links[0]) };
      case "dead":
        return { status: 404 };
      case "forbidden":
        return { status: 403 };
    }
  }
}
