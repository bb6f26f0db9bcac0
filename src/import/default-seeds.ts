/**
 * Where trust goes if the user names no seeds: to the front pages of the hosts that were crawled, those with the most
 * pages first. A host whose front page is not there gives its first page.
 */
import { canonicalUrl, hostOfUrl, splitUrl } from "../web/index.ts";
import { verdictOf } from "../fetch/index.ts";
import type { ImportedPage } from "../crawl/index.ts";

/** Settings list all seeds, so they are not as many as hosts can be. */
export const SEEDS_MAX = 1000;

interface HostPages {
  pages: number;
  first: string;
  front: string | undefined;
}

export class HostSurvey {
  readonly #hosts = new Map<string, HostPages>();

  add({ url, answer }: ImportedPage): void {
    const text = canonicalUrl(url.trim());
    const { meaning } = verdictOf(answer);
    if (text === null || (meaning !== "page" && meaning !== "redirect")) return;
    const isFront = splitUrl(text).path === "/";
    // A redirect is not fetched for its own sake; but a front page may lead to another, which is where the site begins.
    if (meaning === "redirect" && !isFront) return;
    const host = this.#hosts.get(hostOfUrl(text));
    const front = isFront ? text : undefined;
    if (host === undefined) this.#hosts.set(hostOfUrl(text), { pages: meaning === "page" ? 1 : 0, first: text, front });
    else {
      if (meaning === "page") host.pages++;
      host.front ??= front;
    }
  }

  /** URLs, and how many hosts there are. */
  get seeds(): { readonly urls: readonly string[]; readonly hosts: number } {
    // A host that only redirects is part of no other crawl than that of where it leads.
    const crawled = [...this.#hosts.values()].filter(({ pages }) => pages > 0);
    const most = crawled.toSorted((a, b) => b.pages - a.pages).slice(0, SEEDS_MAX);
    return { urls: most.map(({ front, first }) => front ?? first), hosts: crawled.length };
  }
}
