/**
 * A small web that nobody serves, drawn from a seed: hosts of every temper, pages of every fate, and the truth about
 * all of them.
 */
import { Random } from "../../../src/base/index.ts";
import type { World, WorldUrl } from "../truth.ts";

export interface SimulatedHost {
  readonly name: string;
  readonly address: string;
  /**
   * `absent`: no such host; `unreachable`: refuses connections for ever; `troubled`: answers its first requests with
   * 503; `forgotten`: the resolver does not know it for a while, though it has answered before.
   */
  readonly temper: "well" | "absent" | "unreachable" | "troubled" | "forgotten";
  readonly robots: "none" | "rules" | "broken" | "recovering" | "moved" | "cut";
  readonly crawlDelaySeconds: number | null;
  /** Seconds of Retry-After, where a troubled host asks us to wait. */
  readonly retryAfterSeconds: number | null;
  /** For now it answers 404 to every request for a page. */
  readonly hasBadDay: boolean;
}

export interface SimulatedPage {
  readonly host: number;
  readonly path: string;
  readonly fate: "page" | "partly" | "file" | "dead" | "gone" | "forbidden" | "redirect" | "flaky";
  /** Numbers of the pages linked to, as written: itself and repeated ones may be among them. */
  readonly links: readonly number[];
  /** Of the links, those marked nofollow. */
  readonly nofollow: readonly boolean[];
  /** A link out of the scope stands on the page. */
  readonly linksOutside: boolean;
  readonly redirectOutside: boolean;
  /** The redirect may end tomorrow (302): the page has moved for a while only. */
  readonly isTemporary: boolean;
  /** Stands in the title; raised when a page is edited. */
  readonly version: number;
}

/** Where links out of the scope lead. */
export const OUTSIDE = "http://elsewhere.example/";

export interface WorldOptions {
  readonly damping: number;
  readonly universe: "allowed" | "scope" | "web";
  /** Whether a URL is in the scope (default: all are). */
  readonly contains?: (url: string) => boolean;
  /** Seeds that led out of the scope when it was settled (default: none). */
  readonly sentAway?: ReadonlySet<number>;
}

export type WebParts = Pick<SimulatedWeb, "hosts" | "pages" | "seeds">;

export class SimulatedWeb {
  readonly hosts: readonly SimulatedHost[];
  readonly pages: readonly SimulatedPage[];
  readonly seeds: readonly number[];
  #numbers: ReadonlyMap<string, number> | undefined;

  constructor({ hosts, pages, seeds }: WebParts) {
    this.hosts = hosts;
    this.pages = pages;
    this.seeds = seeds;
  }

  /** With `redirectsSeeds`, half of the seeds redirect. */
  static drawn(seed: number, { redirectsSeeds = false, hostsMin = 1, pagesMin = 2 } = {}): SimulatedWeb {
    const random = new Random(seed, 7);
    const hostCount = Math.max(hostsMin, 1 + random.below(5));
    const hosts = Array.from({ length: hostCount }, (_, k) => drawHost(random, k));
    const pageCount = Math.max(pagesMin, 2 + random.below(40));
    const pages = Array.from({ length: pageCount }, (_, k) => drawPage(random, k, { hostCount, pageCount }));
    const seedCount = 1 + random.below(Math.min(3, pageCount));
    const seeds = [...new Set(Array.from({ length: seedCount }, () => random.below(pageCount)))];
    const isMoved = (page: number): boolean => redirectsSeeds && page % 2 === 0 && seeds.includes(page);
    return new SimulatedWeb({
      hosts,
      seeds,
      pages: pages.map((page, k) =>
        isMoved(k) ? { ...page, fate: "redirect" as const, redirectOutside: false } : page,
      ),
    });
  }

  urlOf(page: number): string {
    const { host, path } = this.pages[page];
    return `http://${this.hosts[host].name}${path}`;
  }

  /** -1 if it is none. */
  pageOf(url: string): number {
    this.#numbers ??= new Map(this.pages.map((_, page) => [this.urlOf(page), page]));
    return this.#numbers.get(url) ?? -1;
  }

  robotsOf(host: number): string {
    const { crawlDelaySeconds, name } = this.hosts[host];
    return [
      "User-agent: *",
      "Disallow: /private/",
      ...(crawlDelaySeconds === null ? [] : [`Crawl-delay: ${crawlDelaySeconds}`]),
      `Sitemap: http://${name}/sitemap.xml`,
    ].join("\n");
  }

  /** Every third page of a host stands in its sitemap. */
  sitemapOf(host: number): string {
    const urls = this.pages.flatMap((page, k) => (page.host === host && k % 3 === 0 ? [this.urlOf(k)] : []));
    return `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
  }

  titleOf(page: number, { version } = this.pages[page]): string {
    return version === 0 ? `${page}` : `${page}, version ${version}`;
  }

  /** A page as it is, or as it is shown. */
  htmlOf(page: number, shown = this.pages[page]): string {
    const { links, nofollow, linksOutside } = shown;
    const anchors = links.map(
      (to, k) => `<a href="${this.urlOf(to)}"${nofollow[k] ? ' rel="nofollow"' : ""}>${to}</a>`,
    );
    const out = linksOutside ? `<a href="${OUTSIDE}">out</a>` : "";
    return `<!doctype html><title>${this.titleOf(page, shown)}</title>${anchors.join("\n")}${out}`;
  }

  /** A page that shows nothing until its script has fetched the rest; a few cannot be rendered. */
  shellOf(page: number): string {
    const fails = page % 11 === 10 ? " data-fails" : page % 13 === 12 ? " data-cut" : "";
    const script = `<script data-script="/app.js"${fails} data-fetch="${this.dataUrlOf(page)}"></script>`;
    return `<!doctype html><title>${this.titleOf(page)}</title>${script}`;
  }

  /** On the host of the page, or on another one that can be had. */
  dataUrlOf(page: number): string {
    const { host } = this.pages[page];
    const other = (host + page) % this.hosts.length;
    const { temper, robots } = this.hosts[other];
    const isSound = (temper === "well" || temper === "troubled") && robots !== "broken";
    return `http://${this.hosts[isSound ? other : host].name}/data/${page}`;
  }

  /** Whether robots.txt of a page's host lets it be fetched in the end. */
  isAllowed(page: number): boolean {
    const { host, path } = this.pages[page];
    const { robots } = this.hosts[host];
    if (robots === "broken") return false;
    return robots === "none" || !path.startsWith("/private/");
  }

  /** Whether a rule that can be read forbids a page: in robots.txt, or by its status. */
  isForbidden(page: number): boolean {
    const { host, fate } = this.pages[page];
    return this.hosts[host].robots !== "broken" && (!this.isAllowed(page) || fate === "forbidden");
  }

  /** The seeds, and all that their redirects lead to. */
  get #ofSeeds(): ReadonlySet<number> {
    const found = new Set(this.seeds);
    for (const page of found) {
      const { fate, redirectOutside, links } = this.pages[page];
      if (fate === "redirect" && !redirectOutside) found.add(links[0]);
    }
    return found;
  }

  /**
   * The web as the mathematics sees it: URLs in the order of pages, then one page outside of the scope, and one for all
   * links marked nofollow.
   */
  world(options: WorldOptions): World {
    const { contains = () => true, sentAway = new Set() } = options;
    const outside = this.pages.length;
    const isInside = (page: number): boolean => contains(this.urlOf(page));
    const ofSeeds = this.#ofSeeds;
    // In the universe of what may be fetched, a life that takes a link marked nofollow ends.
    const nofollowed = outside + 1;
    const isAllowedOnly = options.universe === "allowed";
    const trust = 1 / this.seeds.length;
    const urls = this.pages.map((page, k): WorldUrl => {
      const distinct = [...new Set(page.links)]
        .filter((to) => to !== k && isInside(to))
        .map((to) => (isAllowedOnly && page.links.every((l, n) => l !== to || page.nofollow[n]) ? nofollowed : to));
      const links = page.linksOutside && options.universe === "web" ? [...distinct, outside] : distinct;
      const isDead = this.hosts[page.host].temper === "absent" || page.fate === "dead" || page.fate === "gone";
      const isForbidden = (this.isForbidden(k) && !isDead) || sentAway.has(k);
      const isRedirect = page.fate === "redirect" && !isDead && !isForbidden;
      const kind = isDead ? "dead" : isForbidden ? "forbidden" : isRedirect ? "redirect" : "page";
      // A seed is followed wherever it leads.
      const isFollowed = !page.redirectOutside && (ofSeeds.has(k) || isInside(page.links[0]));
      return {
        kind,
        links: isRedirect ? [isFollowed ? page.links[0] : outside] : page.fate === "file" ? [] : links,
        seenLinks: [],
        trust: this.seeds.includes(k) ? trust : 0,
      };
    });
    // It leads back inside, where a crawler cannot see; whoever goes there has left what may be fetched.
    urls.push({ kind: isAllowedOnly ? "forbidden" : "page", links: [0], seenLinks: [], trust: 0 });
    urls.push({ kind: "forbidden", links: [], seenLinks: [], trust: 0 });
    return { damping: options.damping, known: urls.length, urls };
  }
}

function drawHost(random: Random, number: number): SimulatedHost {
  return {
    name: `h${number}.site.example`,
    address: `192.0.2.${random.below(3)}`,
    temper: draw(random, { well: 14, absent: 1, unreachable: 1, troubled: 3, forgotten: 2 }),
    robots: draw(random, { none: 6, rules: 8, broken: 1, recovering: 2, moved: 2, cut: 1 }),
    crawlDelaySeconds: random.below(4) === 0 ? random.below(5) : null,
    retryAfterSeconds: random.below(2) === 0 ? random.below(100) : null,
    hasBadDay: false,
  };
}

export function drawPage(
  random: Random,
  number: number,
  { hostCount, pageCount }: { hostCount: number; pageCount: number },
): SimulatedPage {
  const links = Array.from({ length: 1 + random.below(7) }, () => random.below(pageCount));
  return {
    host: random.below(hostCount),
    path: `${random.below(8) === 0 ? "/private" : ""}/p${number}`,
    fate: draw(random, {
      page: 24,
      partly: 1,
      file: 2,
      dead: 2,
      gone: 1,
      forbidden: 1,
      redirect: 5,
      flaky: 3,
    }),
    links,
    nofollow: links.map(() => random.below(10) === 0),
    linksOutside: random.below(10) === 0,
    redirectOutside: random.below(6) === 0,
    isTemporary: false,
    version: 0,
  };
}

export function draw<T extends string>(random: Random, weights: Readonly<Record<T, number>>): T {
  const entries = Object.entries(weights) as [T, number][];
  let left = random.below(entries.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [value, weight] of entries) {
    if (left < weight) return value;
    left -= weight;
  }
  throw new Error("weights are positive");
}
