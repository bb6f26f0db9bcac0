/**
 * Requests for robots.txt and sitemaps, and errands for other shards. They wait for a connection of their host as pages
 * do, go before its pages, and follow their redirects, each a request of its own at the host it leads to. The redirect
 * of an errand is an answer.
 */
import { TimedQueue } from "../../base/index.ts";
import { type Answer, type FetchRequest, type Reply, verdictOf } from "../../fetch/index.ts";
import { canonicalUrl, hostOfUrl, ROBOTS_REDIRECTS_MAX } from "../../web/index.ts";
import type { Now } from "../machine.ts";
import type { Address, Host } from "./host.ts";
import type { HostSchedule } from "./host-schedule.ts";
import type { NameLookups } from "./name-lookups.ts";

interface RequestedUrl {
  /** Where it was first requested, and where its redirects have led. */
  readonly start: string;
  readonly url: string;
  readonly hops: number;
  /** From 1. */
  readonly attempt: number;
}

export interface RobotsRequest extends RequestedUrl {
  readonly purpose: "robots";
  /** Whose robots.txt it is. */
  readonly origin: number;
}

export interface SitemapRequest extends RequestedUrl {
  readonly purpose: "sitemap";
  /** Which origin led to it. */
  readonly origin: number;
  /** The user gave it: what goes wrong is reported. */
  readonly isGiven?: true;
  /** Nobody named it: there is one attempt. */
  readonly isGuess?: true;
}

/** What another shard wants of a host of this one. */
interface Errand extends RequestedUrl {
  readonly purpose: "errand";
  /** Its number, and what is to be sent. */
  readonly errand: number;
  readonly request: FetchRequest;
}

export type AuxiliaryRequest = RobotsRequest | SitemapRequest | Errand;

export function fetchRequestOf(request: AuxiliaryRequest): FetchRequest {
  return request.purpose === "errand" ? request.request : { url: request.url, purpose: request.purpose };
}

export interface NextOptions {
  readonly sitemaps: boolean;
  readonly now: Now;
}

export class AuxiliaryRequests {
  /** Requests that wait for their host or their time, all hosts together. */
  count = 0;
  /** Sitemaps of hosts that were given up, since somebody last looked here. */
  readonly dropped: SitemapRequest[] = [];
  readonly #hosts: HostSchedule;
  readonly #names: NameLookups;
  /** By the id of the host. */
  readonly #byHost = new Map<number, AuxiliaryRequest[]>();
  /** Hosts that could be requested, had the crawl and their address a connection to spare, by address. */
  readonly #ready = new Map<Address | undefined, Set<number>>();
  /** Hosts passed over because no sitemap could be taken then. */
  readonly #passedOver = new Set<number>();
  readonly #later = new TimedQueue<AuxiliaryRequest>();

  constructor(hosts: HostSchedule, names: NameLookups) {
    this.#hosts = hosts;
    this.#names = names;
  }

  add(request: AuxiliaryRequest): void {
    const host = this.#hosts.named(hostOfUrl(request.url));
    const queue = this.#byHost.get(host.id);
    if (queue === undefined) this.#byHost.set(host.id, [request]);
    else queue.push(request);
    this.count++;
    this.awake(host);
  }

  get nextMs(): number {
    return this.#later.nextMs;
  }

  addAt(timeMs: number, request: AuxiliaryRequest): void {
    this.#later.push(timeMs, request);
    this.count++;
  }

  /** Requests whose time has come wait for their host from now on. */
  wake(nowMs: number): void {
    let request: AuxiliaryRequest | undefined;
    while ((request = this.#later.popDue(nowMs)) !== undefined) {
      this.count--;
      this.add(request);
    }
  }

  awake(host: Host): void {
    if (!this.#byHost.has(host.id)) return;
    const group = this.#ready.get(host.address);
    if (group === undefined) this.#ready.set(host.address, new Set([host.id]));
    else group.add(host.id);
  }

  /** The address of a host has become known, or another. */
  moved(host: Host, before: Address | undefined): void {
    if (this.#ready.get(before)?.delete(host.id) === true) this.awake(host);
  }

  /** Without `sitemaps`, all but these. */
  next({ sitemaps, now }: NextOptions): { readonly request: AuxiliaryRequest; readonly host: Host } | undefined {
    if (sitemaps) {
      for (const id of this.#passedOver) this.awake(this.#hosts.at(id));
      this.#passedOver.clear();
    }
    for (const [address, group] of this.#ready) {
      if (address !== undefined && this.#hosts.isBusy(address)) continue;
      for (const id of group) {
        const host = this.#hosts.at(id);
        const request = this.#nextOf(host, sitemaps, now);
        if (request !== undefined) return { request, host };
        group.delete(id);
      }
      this.#ready.delete(address);
    }
    return undefined;
  }

  #nextOf(host: Host, sitemaps: boolean, now: Now): AuxiliaryRequest | undefined {
    if (host.givenUp) this.#dropSitemaps(host);
    const queue = this.#byHost.get(host.id);
    if (queue === undefined || !this.#hosts.mayRequestAuxiliary(host)) return undefined;
    const place = sitemaps ? 0 : queue.findIndex(({ purpose }) => purpose !== "sitemap");
    if (place < 0) {
      this.#passedOver.add(host.id);
      return undefined;
    }
    if (!this.#names.isKnown(host, queue[place].url, now)) return undefined;
    this.count--;
    if (queue.length === 1) this.#byHost.delete(host.id);
    return queue.splice(place, 1)[0];
  }

  /** The robots.txt of a host that was given up is still requested: the answer decides what its pages count as. */
  #dropSitemaps(host: Host): void {
    const queue = this.#byHost.get(host.id) ?? [];
    const kept = queue.filter(({ purpose }) => purpose !== "sitemap");
    this.count -= queue.length - kept.length;
    this.dropped.push(...queue.filter((request) => request.purpose === "sitemap"));
    if (kept.length === 0) this.#byHost.delete(host.id);
    else this.#byHost.set(host.id, kept);
  }
}

/** The request that a redirect leads to; undefined if the reply is none, leads nowhere or back, or is one too many. */
export function redirectedRequest<Request extends RobotsRequest | SitemapRequest>(
  request: Request,
  reply: Reply,
): Request | undefined {
  if (reply.kind !== "answer" || verdictOf(reply).meaning !== "redirect") return undefined;
  const target = canonicalUrl(reply.headers["location"] ?? "", request.url);
  if (target === null || target === request.url || target === request.start) return undefined;
  if (request.hops >= ROBOTS_REDIRECTS_MAX) return undefined;
  return { ...request, url: target, hops: request.hops + 1 };
}

/** Why a redirect is not followed, in the words of the log. */
export function redirectProblem({ url, hops }: RequestedUrl, { headers }: Answer): string {
  if (canonicalUrl(headers["location"] ?? "", url) === null) return "bad-location";
  return hops >= ROBOTS_REDIRECTS_MAX ? "too-many-redirects" : "redirect-loop";
}
