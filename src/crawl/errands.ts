/**
 * Requests for something else than a page: robots.txt and sitemaps. They wait for a connection of their host like any page does, go
 * before its pages, and follow their redirects (each a request of its own, at the host it leads to).
 */
import type { Answer, Reply } from "../fetch/index.ts";
import { verdictOf } from "../fetch/index.ts";
import { canonicalUrl, hostOfOrigin, splitUrl } from "../web/index.ts";
import type { Host, Hosts } from "./hosts.ts";

export interface Errand {
  readonly url: string;
  readonly purpose: "robots" | "sitemap";
  /** Redirects followed so far. */
  readonly hops: number;
  /** The answer at the end of the redirects; a redirect too many, or to nowhere, comes as it is. */
  readonly done: (reply: Reply) => void;
}

/** RFC 9309, 2.3.1.2 asks for at least five. */
const REDIRECTS_MAX = 5;

export class Errands {
  /** Errands that wait for their host, all hosts together. */
  count = 0;
  readonly #hosts: Hosts;
  readonly #byHost = new Map<Host, Errand[]>();
  /** Hosts that could be asked, had the crawl a request to spare. */
  readonly #ready = new Set<Host>();

  constructor(hosts: Hosts) {
    this.#hosts = hosts;
  }

  add(errand: Errand): void {
    const host = this.#hosts.named(hostOfOrigin(splitUrl(errand.url).origin));
    const queue = this.#byHost.get(host);
    if (queue === undefined) this.#byHost.set(host, [errand]);
    else queue.push(errand);
    this.count++;
    this.awake(host);
  }

  /** A host may perhaps be asked again. */
  awake(host: Host): void {
    if (this.#byHost.has(host)) this.#ready.add(host);
  }

  /** An errand whose host may be asked now, if there is one. */
  next(): { readonly errand: Errand; readonly host: Host } | undefined {
    for (const host of this.#ready) {
      const queue = this.#byHost.get(host);
      if (queue !== undefined && this.#hosts.isAddressBusy(host)) continue;
      if (queue === undefined || !this.#hosts.mayRunErrand(host)) {
        this.#ready.delete(host);
        continue;
      }
      const errand = queue.shift()!;
      this.count--;
      if (queue.length === 0) this.#byHost.delete(host);
      return { errand, host };
    }
    return undefined;
  }

  /** Follows a redirect with another errand, or hands the reply over. */
  replied(errand: Errand, reply: Reply): void {
    const target = reply.kind === "answer" ? redirectTarget(errand.url, reply) : null;
    if (target === null || errand.hops >= REDIRECTS_MAX) errand.done(reply);
    else this.add({ ...errand, url: target, hops: errand.hops + 1 });
  }
}

function redirectTarget(url: string, answer: Answer): string | null {
  return verdictOf(answer).meaning === "redirect"
    ? canonicalUrl(answer.headers["location"] ?? "", url)
    : null;
}
