/**
 * Resources of pages that are being rendered: scripts, styles and data. Each is judged by the robots.txt of its host
 * and waits for a connection of it, as a page does; each redirect is a request of its own.
 *
 * Life of a resource: wanted, then waiting for its host, requested (perhaps several times), and supplied. If it cannot
 * be fetched though it may exist, the page is incomplete: what its scripts would have added is not known.
 */
import { type Answer, type FetchRequest, type Reply, verdictOf } from "../../fetch/index.ts";
import { headersElsewhere, mayBeSeen, type WantedResource } from "../../render/index.ts";
import { canonicalUrl, splitUrl } from "../../web/index.ts";
import type { PageTask } from "../dispatcher.ts";
import type { EffectQueue, Now } from "../machine.ts";
import type { Address, Host } from "../politeness/host.ts";
import type { HostSchedule } from "../politeness/host-schedule.ts";
import type { Exclusion } from "../politeness/robots-cache.ts";
import { ResourceCache, type ResourceKey } from "./resource-cache.ts";

export interface ResourceQueueOptions {
  readonly hosts: HostSchedule;
  readonly effects: EffectQueue;
  /** The number of the origin of a URL, and the host of an origin. */
  readonly originOf: (url: string) => number;
  readonly hostOfOrigin: (origin: number) => Host;
  /** Bytes were received for a page that is being rendered. */
  readonly received: (render: number, bytes: number) => void;
  /** A resource could not be fetched, though it may exist. */
  readonly incomplete: (render: number) => void;
}

/** A resource that a page wants, with the number under which it is supplied. */
export interface ResourceRequest extends WantedResource {
  readonly render: number;
  readonly resource: number;
}

interface Resource extends Omit<ResourceRequest, "url" | "corsOrigin"> {
  readonly corsOrigin?: string | undefined;
  /** As it was wanted: redirects to other origins change `corsOrigin`. */
  readonly key: ResourceKey;
  readonly pageOrigin: string;
  /** It is, or was led over, another origin than the page's: no session of the user there. */
  readonly isAnonymous: boolean;
  readonly text: string;
  readonly origin: number;
  readonly hops: number;
  readonly attempt: number;
}

const HOPS_MAX = 10;
const ATTEMPTS_MAX = 3;
/** Received for one page; then it is supplied with nothing more. */
const PAGE_BYTES_MAX = 64 * 2 ** 20;
/** Pages wait no longer for a host that is paused, or whose robots.txt cannot be fetched. */
const WAIT_MS_MAX = 60_000;

export class ResourceQueue {
  readonly #options: ResourceQueueOptions;
  readonly #cache = new ResourceCache();
  /** Hosts are known by their ids here: while they rest, they have no object (active-hosts.ts). */
  readonly #waiting = new Map<number, Resource[]>();
  /** Hosts that may be requested now; `next` checks them. */
  readonly #ready = new Set<number>();
  /** Hosts whose rules or name are awaited, and since when; null until the next `wake`. */
  readonly #heldSince = new Map<number, number | null>();
  /** By the number of their task. */
  readonly #underWay = new Map<number, Resource>();
  /** Bytes received, by page. */
  readonly #bytes = new Map<number, number>();
  #numbered = 0;

  constructor(options: ResourceQueueOptions) {
    this.#options = options;
  }

  /** Whether a task is for a resource: their numbers are below those of all pages. */
  static isTask({ url }: PageTask): boolean {
    return url < 0;
  }

  want({ url, ...wanted }: ResourceRequest, page: Pick<PageTask, "host" | "origin" | "text">): void {
    const text = canonicalUrl(url);
    if (text === null) return this.#fail(wanted, null);
    const key = { pageHost: page.host.name, start: text, corsOrigin: wanted.corsOrigin };
    const cached = wanted.use === "data" ? undefined : this.#cache.find(key);
    if (cached !== undefined) return this.#supply(wanted, cached);
    const origin = this.#options.originOf(text);
    const isAnonymous = origin !== page.origin;
    const pageOrigin = splitUrl(page.text).origin;
    this.#add({ ...wanted, key, pageOrigin, isAnonymous, text, origin, hops: 0, attempt: 1 });
  }

  /** A page is not rendered any more. */
  drop(render: number): void {
    this.#takeWaiting(render);
    for (const [task, resource] of this.#underWay) if (resource.render === render) this.#underWay.delete(task);
    this.#bytes.delete(render);
  }

  /** Pages whose host cannot be requested for long go on without. While the crawl is paused, no host can be. */
  wake(nowMs: number, { isPaused = false }: { readonly isPaused?: boolean } = {}): void {
    if (isPaused) for (const id of this.#heldSince.keys()) this.#heldSince.set(id, null);
    else this.#giveUpHeld(nowMs);
  }

  #giveUpHeld(nowMs: number): void {
    for (const [id, queue] of this.#waiting) {
      const sinceMs = this.#heldSince.get(id);
      if (sinceMs === null) this.#heldSince.set(id, nowMs);
      const heldMs = nowMs - (sinceMs ?? nowMs);
      const { pausedUntilMs } = this.#options.hosts.at(id);
      if (Math.max(pausedUntilMs - nowMs, heldMs) <= WAIT_MS_MAX) continue;
      this.#waiting.delete(id);
      this.#heldSince.delete(id);
      for (const resource of queue) this.#fail(resource, null);
    }
  }

  awake(host: Host): void {
    if (this.#waiting.has(host.id)) this.#ready.add(host.id);
  }

  vacated(address: Address): void {
    const { hosts } = this.#options;
    for (const id of this.#waiting.keys()) if (hosts.at(id).address === address) this.#ready.add(id);
  }

  /** The next resource whose host may be requested now. It is under way from here on. */
  next(): PageTask | undefined {
    const { hosts } = this.#options;
    for (const id of this.#ready) {
      const host = hosts.at(id);
      // At the limit of its pages, a host is still requested for what the last ones need.
      const resource = hosts.mayRequestAuxiliary(host) ? this.#waiting.get(id)?.shift() : undefined;
      if (resource !== undefined) {
        if (this.#waiting.get(id)?.length === 0) this.#waiting.delete(id);
        const url = -1 - this.#numbered++;
        this.#underWay.set(url, resource);
        return { url, text: resource.text, origin: resource.origin, host };
      }
      if (!hosts.isAddressBusy(host)) this.#ready.delete(id);
    }
    return undefined;
  }

  /** Its robots.txt or the name of its host is not known yet. */
  hold({ url, host: { id } }: PageTask): void {
    const resource = this.#take(url);
    if (resource === undefined) return;
    this.#waiting.set(id, [resource, ...(this.#waiting.get(id) ?? [])]);
    this.#ready.delete(id);
    if (!this.#heldSince.has(id)) this.#heldSince.set(id, null);
  }

  /** What robots.txt or the address guard forbids is not part of the page, and neither is what does not exist. */
  excluded({ url, host }: PageTask, why: Exclusion): void {
    this.#heldSince.delete(host.id);
    const resource = this.#take(url);
    if (resource === undefined) return;
    const isForGood = why.kind === "dead" || why.reason !== "failed" || why.detail === "address-refused";
    if (!isForGood) this.#fail(resource, null);
    else this.#supply(resource, null);
  }

  /** Scripts of one origin read nothing of another one with the user's session there. */
  requestFor({ url, text, host }: PageTask): FetchRequest {
    this.#heldSince.delete(host.id);
    const resource = this.#underWay.get(url);
    return resource === undefined ? { url: text, purpose: "requisite", isAnonymous: true } : requestOf(resource);
  }

  replied({ url }: PageTask, reply: Reply, { wallMs }: Now): void {
    const resource = this.#take(url);
    if (resource === undefined) return;
    const answer = reply.kind === "answer" ? reply : null;
    if (answer !== null) {
      this.#options.effects.push({ kind: "archive", request: requestOf(resource), dateMs: wallMs, answer });
      this.#received(resource, answer.wireBytes);
    }
    const { meaning, reason } = verdictOf(reply);
    if (meaning === "redirect" && answer !== null) return this.#follow(resource, answer);
    // It was given up here. If the crawl stops, the page is left to the next run, and must not end without this.
    if (reason === "aborted") return this.#add(resource);
    if (meaning === "try-again") {
      if (resource.attempt >= ATTEMPTS_MAX) return this.#fail(resource, answer);
      return this.#add({ ...resource, attempt: resource.attempt + 1 });
    }
    if (answer === null) {
      const isForGood = meaning === "dead" || reason === "address-refused";
      return isForGood ? this.#supply(resource, null) : this.#fail(resource, null);
    }
    if (answer.truncated) return this.#fail(resource, answer);
    if (!mayBeSeen(resource.corsOrigin, answer)) return this.#supply(resource, null);
    if (resource.use !== "data") this.#cache.add(resource.key, answer);
    this.#supply(resource, answer);
  }

  #follow(resource: Resource, answer: Answer): void {
    const text = canonicalUrl(answer.headers["location"] ?? "", resource.text);
    if (text === null || resource.hops >= HOPS_MAX) return this.#fail(resource, null);
    const next = { ...resource, text, origin: this.#options.originOf(text), hops: resource.hops + 1, attempt: 1 };
    if (next.origin === resource.origin) return this.#add(next);
    const headers = headersElsewhere(resource.headers ?? {});
    if (headers === undefined) return this.#fail(resource, null);
    this.#add({ ...next, headers, corsOrigin: corsOriginAfter(resource, text), isAnonymous: true });
  }

  #received({ render }: Resource, bytes: number): void {
    this.#options.received(render, bytes);
    this.#bytes.set(render, (this.#bytes.get(render) ?? 0) + bytes);
    if (this.#hasTooMuch(render)) for (const each of this.#takeWaiting(render)) this.#fail(each, null);
  }

  #hasTooMuch(render: number): boolean {
    return (this.#bytes.get(render) ?? 0) > PAGE_BYTES_MAX;
  }

  #takeWaiting(render: number): Resource[] {
    return [...this.#waiting].flatMap(([id, queue]) => {
      const kept = queue.filter((each) => each.render !== render);
      if (kept.length > 0) this.#waiting.set(id, kept);
      else {
        this.#waiting.delete(id);
        this.#heldSince.delete(id);
      }
      return queue.filter((each) => each.render === render);
    });
  }

  #add(resource: Resource): void {
    if (this.#hasTooMuch(resource.render)) return this.#fail(resource, null);
    const { id } = this.#options.hostOfOrigin(resource.origin);
    const queue = this.#waiting.get(id);
    if (queue === undefined) this.#waiting.set(id, [resource]);
    else queue.push(resource);
    this.#ready.add(id);
  }

  #take(task: number): Resource | undefined {
    const resource = this.#underWay.get(task);
    this.#underWay.delete(task);
    return resource;
  }

  #fail(resource: Pick<Resource, "render" | "resource">, answer: Answer | null): void {
    this.#options.incomplete(resource.render);
    this.#supply(resource, answer);
  }

  #supply({ resource }: Pick<Resource, "resource">, answer: Answer | null): void {
    this.#options.effects.push({ kind: "supply", resource, answer });
  }
}

/**
 * What a browser sends as `Origin` after a redirect to another origin. Where a server has sent a page's request on that
 * was none of its own, the next one does not learn whose it is (the Fetch standard, "redirect-tainted").
 */
function corsOriginAfter({ use, pageOrigin, corsOrigin }: Resource, text: string): string | undefined {
  if (corsOrigin !== undefined) return "null";
  return use === "data" && splitUrl(text).origin !== pageOrigin ? pageOrigin : undefined;
}

function requestOf({ text, headers, corsOrigin, isAnonymous }: Resource): FetchRequest {
  const all = { ...headers, ...(corsOrigin === undefined ? {} : { origin: corsOrigin }) };
  const given = Object.keys(all).length === 0 ? {} : { headers: all };
  return { url: text, purpose: "requisite", ...given, ...(isAnonymous ? { isAnonymous } : {}) };
}
