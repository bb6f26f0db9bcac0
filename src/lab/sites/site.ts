/**
 * A whole web site as a crawler meets it: what every URL answers, and which links its pages have. Generators describe a
 * site by its URLs with a `SiteBuilder`; crawls and true ranks use the ids of the finished `Site`.
 */
import { assert } from "../../base/index.ts";

/**
 * What a URL answers:
 *
 * - `page`: a page with links;
 * - `dead`: 404;
 * - `redirect`: its only link is the target;
 * - `forbidden`: the robots.txt of its host disallows it;
 * - `failed`: an error of the server that lasts.
 */
export type SiteUrlKind = "page" | "dead" | "redirect" | "forbidden" | "failed";

interface SiteUrl {
  readonly url: string;
  readonly kind: SiteUrlKind;
  /** Ids of linked URLs in the order of the page, each once, without the page itself and what is out of scope. */
  readonly links: readonly number[];
  /** How many links are marked nofollow and lead to no URL among `links`. */
  readonly nofollow: number;
  /** How many links lead out of the scope. */
  readonly outside: number;
}

/** A site; its first URL is the front page, the only seed. */
export interface Site {
  readonly urls: readonly SiteUrl[];
}

interface Draft {
  readonly kind: SiteUrlKind;
  readonly links: readonly string[];
  readonly nofollow: readonly string[];
}

/** Collects what the URLs of a site answer, in any order, except that the front page comes first. */
export class SiteBuilder {
  readonly #drafts = new Map<string, Draft>();

  /** Links to hosts that end in `.example` lead out of the scope. */
  page(url: string, links: readonly string[], nofollow: readonly string[] = []): void {
    this.#add(url, { kind: "page", links, nofollow });
  }

  redirect(url: string, target: string): void {
    this.#add(url, { kind: "redirect", links: [target], nofollow: [] });
  }

  /** These URLs answer so; one that is named twice is the same URL. */
  all(kind: "dead" | "forbidden" | "failed", urls: Iterable<string>): void {
    for (const url of urls) if (!this.#drafts.has(url)) this.#add(url, { kind, links: [], nofollow: [] });
  }

  /** Every link must lead to a URL of the site or out of the scope. */
  finish(): Site {
    const ids = new Map(Array.from(this.#drafts.keys(), (url, id) => [url, id] as const));
    const urls = Array.from(this.#drafts, ([url, { kind, links, nofollow }], id): SiteUrl => {
      const inside = new Set<number>();
      const outside = new Set<string>();
      for (const link of links) {
        const target = ids.get(link);
        if (target === undefined) {
          assert(isOutside(link), `${url} links to ${link}, which answers nothing`);
          outside.add(link);
        } else if (target !== id) inside.add(target);
      }
      const marked = new Set(nofollow.filter((link) => isUnfollowed(link, ids.get(link), inside)));
      marked.delete(url);
      return { url, kind, links: [...inside], nofollow: marked.size, outside: outside.size };
    });
    return { urls };
  }

  #add(url: string, draft: Draft): void {
    assert(!this.#drafts.has(url), `${url} answers one thing only`);
    this.#drafts.set(url, draft);
  }
}

/** A marked link counts unless it leads out of the scope, or another link of the page leads there too. */
function isUnfollowed(link: string, target: number | undefined, followed: ReadonlySet<number>): boolean {
  return target === undefined ? !isOutside(link) : !followed.has(target);
}

function isOutside(link: string): boolean {
  return /^https:\/\/[^/]*\.example\//.test(link);
}
