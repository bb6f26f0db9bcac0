/**
 * Requests for something else than a page: robots.txt and sitemaps. They wait for a connection of their host like any page does, go
 * before its pages, and follow their redirects (each a request of its own, at the host it leads to).
 */
import { TimedQueue } from "../../base/index.ts";
import { type Answer, type Reply, verdictOf } from "../../fetch/index.ts";
import { canonicalUrl, hostOfOrigin, ROBOTS_REDIRECTS_MAX, splitUrl } from "../../web/index.ts";
import type { Address, Host, Hosts } from "./hosts.ts";

export interface Errand {
  readonly url: string;
  readonly purpose: "robots" | "sitemap";
  /** Redirects followed so far. */
  readonly hops: number;
  /** Whether a redirect to this URL is followed; any is unless given. */
  readonly follows?: (url: string) => boolean;
  /** The answer at the end of the redirects; a redirect too many, to nowhere or not followed, comes as it is. */
  readonly done: (reply: Reply, isMoved: boolean) => void;
  /** Called instead of `done` once the host has been given up; without it the host is asked all the same. */
  readonly dropped?: () => void;
}

export class Errands {
  /** Errands that wait for their host or their time, all hosts together. */
  count = 0;
  readonly #hosts: Hosts;
  readonly #byHost = new Map<Host, Errand[]>();
  /** Hosts that could be asked, had the crawl and their address a request to spare, by address. */
  readonly #ready = new Map<Address | undefined, Set<Host>>();
  /** Errands to be run at a later time, by number. */
  readonly #later = new Map<number, Errand>();
  readonly #times = new TimedQueue();
  #numbered = 0;

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

  /** When the next errand that waits for its time is due, or Infinity. */
  get nextMs(): number {
    return this.#times.nextMs;
  }

  addAt(timeMs: number, errand: Errand): void {
    this.#later.set(this.#numbered, errand);
    this.#times.push(timeMs, this.#numbered++);
    this.count++;
  }

  /** Errands whose time has come wait for their host from now on. */
  wake(nowMs: number): void {
    for (let number = this.#times.popDue(nowMs); number >= 0; number = this.#times.popDue(nowMs)) {
      const errand = this.#later.get(number)!;
      this.#later.delete(number);
      this.count--;
      this.add(errand);
    }
  }

  /** A host may perhaps be asked again. */
  awake(host: Host): void {
    if (!this.#byHost.has(host)) return;
    const group = this.#ready.get(host.address);
    if (group === undefined) this.#ready.set(host.address, new Set([host]));
    else group.add(host);
  }

  /** The address of a host has become known, or another. */
  moved(host: Host, before: Address | undefined): void {
    if (this.#ready.get(before)?.delete(host) === true) this.awake(host);
  }

  /** An errand whose host may be asked now, if there is one. */
  next(): { readonly errand: Errand; readonly host: Host } | undefined {
    for (const [address, group] of this.#ready) {
      if (address !== undefined && this.#hosts.isBusy(address)) continue;
      for (const host of group) {
        const errand = this.#nextOf(host);
        if (errand !== undefined) return { errand, host };
        group.delete(host);
      }
      this.#ready.delete(address);
    }
    return undefined;
  }

  #nextOf(host: Host): Errand | undefined {
    if (host.givenUp) this.#drop(host);
    const queue = this.#byHost.get(host);
    if (queue === undefined || !this.#hosts.mayRunErrand(host)) return undefined;
    this.count--;
    if (queue.length === 1) this.#byHost.delete(host);
    return queue.shift();
  }

  /** Follows a redirect with another errand, or hands the reply over. */
  replied(errand: Errand, reply: Reply): void {
    const target = reply.kind === "answer" ? redirectTarget(errand.url, reply) : null;
    const isFollowed =
      target !== null &&
      errand.hops < ROBOTS_REDIRECTS_MAX &&
      (errand.follows === undefined || errand.follows(target));
    if (isFollowed) this.add({ ...errand, url: target, hops: errand.hops + 1 });
    else errand.done(reply, errand.hops > 0);
  }

  #drop(host: Host): void {
    const queue = this.#byHost.get(host) ?? [];
    const kept = queue.filter(({ dropped }) => dropped === undefined);
    this.count -= queue.length - kept.length;
    if (kept.length === 0) this.#byHost.delete(host);
    else this.#byHost.set(host, kept);
    for (const { dropped } of queue) dropped?.();
  }
}

function redirectTarget(url: string, answer: Answer): string | null {
  return verdictOf(answer).meaning === "redirect"
    ? canonicalUrl(answer.headers["location"] ?? "", url)
    : null;
}
