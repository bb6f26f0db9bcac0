/**
 * What pages that are being rendered want: scripts, styles and data. Each is judged by the robots.txt of its host and
 * waits for a connection of it, as a page does; each redirect is a request of its own.
 *
 * Life of a resource: wanted, then waiting for its host, requested perhaps several times, and supplied. Where none
 * comes though there may be one, the page is incomplete: what its scripts would have made of it is not known.
 */
import { type Answer, type FetchRequest, type Reply, verdictOf } from "../../fetch/index.ts";
import { areSimple, type WantedResource } from "../../render/index.ts";
import { canonicalUrl, splitUrl } from "../../web/index.ts";
import type { PageTask } from "../dispatcher.ts";
import type { EffectQueue, Now } from "../machine.ts";
import type { Address, Host, HostSchedule } from "../politeness/host-schedule.ts";
import type { Exclusion } from "../politeness/robots-cache.ts";
import { ResourceCache } from "./resource-cache.ts";

export interface ResourceQueueOptions {
  readonly hosts: HostSchedule;
  readonly effects: EffectQueue;
  /** The number of the origin of a URL, and the host of an origin. */
  readonly originOf: (url: string) => number;
  readonly hostOfOrigin: (origin: number) => Host;
  /** Bytes came for a page that is being rendered. */
  readonly received: (render: number, bytes: number) => void;
  /** A resource did not come, though it may exist. */
  readonly incomplete: (render: number) => void;
}

/** A resource that a page wants, with the number under which it is supplied. */
export interface ResourceRequest extends WantedResource {
  readonly render: number;
  readonly resource: number;
}

interface Resource extends Omit<ResourceRequest, "url"> {
  /** Of the page. */
  readonly pageHost: string;
  /** It is, or was led over, another origin than the page's: no session of the user there. */
  readonly isAnonymous: boolean;
  readonly start: string;
  readonly text: string;
  readonly origin: number;
  readonly hops: number;
  readonly attempt: number;
}

const HOPS_MAX = 10;
const ATTEMPTS_MAX = 3;
/** Of all that came for one page; then it gets nothing more. */
const PAGE_BYTES_MAX = 64 * 2 ** 20;
/** Pages wait no longer for a host that is paused, or whose robots.txt does not come. */
const WAIT_MS_MAX = 60_000;

export class ResourceQueue {
  readonly #options: ResourceQueueOptions;
  readonly #cache = new ResourceCache();
  readonly #waiting = new Map<Host, Resource[]>();
  /** Hosts that may be requested now; `next` checks them. */
  readonly #ready = new Set<Host>();
  /** Hosts whose rules or name are awaited, and since when; null until the next `wake`. */
  readonly #heldSince = new Map<Host, number | null>();
  /** By the number of their task. */
  readonly #underWay = new Map<number, Resource>();
  /** That came, by page. */
  readonly #bytes = new Map<number, number>();
  #numbered = 0;

  constructor(options: ResourceQueueOptions) {
    this.#options = options;
  }

  /** Whether a task is for a resource: their numbers are below those of all pages. */
  static isTask({ url }: PageTask): boolean {
    return url < 0;
  }

  want({ url, ...wanted }: ResourceRequest, page: Pick<PageTask, "host" | "origin">): void {
    const text = canonicalUrl(url);
    if (text === null) return this.#fail(wanted, null);
    const pageHost = page.host.name;
    const kept = wanted.use === "data" ? undefined : this.#cache.find(pageHost, text);
    if (kept !== undefined) return this.#supply(wanted, kept);
    const origin = this.#options.originOf(text);
    const isAnonymous = origin !== page.origin;
    this.#add({ ...wanted, pageHost, isAnonymous, start: text, text, origin, hops: 0, attempt: 1 });
  }

  /** A page is not rendered any more. */
  drop(render: number): void {
    this.#takeWaiting(render);
    for (const [task, resource] of this.#underWay) if (resource.render === render) this.#underWay.delete(task);
    this.#bytes.delete(render);
  }

  /** Pages whose host cannot be requested for long go on without. While the crawl is paused, no host can be. */
  wake(nowMs: number, { isPaused = false }: { readonly isPaused?: boolean } = {}): void {
    if (isPaused) for (const host of this.#heldSince.keys()) this.#heldSince.set(host, null);
    else this.#giveUpHeld(nowMs);
  }

  #giveUpHeld(nowMs: number): void {
    for (const [host, queue] of this.#waiting) {
      const sinceMs = this.#heldSince.get(host);
      if (sinceMs === null) this.#heldSince.set(host, nowMs);
      const heldMs = nowMs - (sinceMs ?? nowMs);
      if (Math.max(host.pausedUntilMs - nowMs, heldMs) <= WAIT_MS_MAX) continue;
      this.#waiting.delete(host);
      this.#heldSince.delete(host);
      for (const resource of queue) this.#fail(resource, null);
    }
  }

  awake(host: Host): void {
    if (this.#waiting.has(host)) this.#ready.add(host);
  }

  vacated(address: Address): void {
    for (const host of this.#waiting.keys()) if (host.address === address) this.#ready.add(host);
  }

  /** The next resource whose host may be requested now. It is under way from here on. */
  next(): PageTask | undefined {
    const { hosts } = this.#options;
    for (const host of this.#ready) {
      // A host that may give no further pages still gives what its last ones need.
      const resource = hosts.mayRequestAuxiliary(host) ? this.#waiting.get(host)?.shift() : undefined;
      if (resource !== undefined) {
        if (this.#waiting.get(host)?.length === 0) this.#waiting.delete(host);
        const url = -1 - this.#numbered++;
        this.#underWay.set(url, resource);
        return { url, text: resource.text, origin: resource.origin, host };
      }
      if (!hosts.isAddressBusy(host)) this.#ready.delete(host);
    }
    return undefined;
  }

  /** Its robots.txt or the name of its host is not known yet. */
  hold({ url, host }: PageTask): void {
    const resource = this.#take(url);
    if (resource === undefined) return;
    this.#waiting.set(host, [resource, ...(this.#waiting.get(host) ?? [])]);
    this.#ready.delete(host);
    if (!this.#heldSince.has(host)) this.#heldSince.set(host, null);
  }

  /** What robots.txt or the address guard forbids is not part of the page, and neither is what does not exist. */
  excluded({ url, host }: PageTask, why: Exclusion): void {
    this.#heldSince.delete(host);
    const resource = this.#take(url);
    if (resource === undefined) return;
    const isForGood = why.kind === "dead" || why.reason !== "failed" || why.detail === "address-refused";
    if (!isForGood) this.#fail(resource, null);
    else this.#supply(resource, null);
  }

  /** Scripts of one origin get nothing of another one by what the user may see there. */
  requestFor({ url, text, host }: PageTask): FetchRequest {
    this.#heldSince.delete(host);
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
    // The crawl stops: the page is left to the next run, and must not end without this.
    if (reason === "aborted") return;
    if (meaning === "try-again") {
      if (resource.attempt >= ATTEMPTS_MAX) return this.#fail(resource, answer);
      return this.#add({ ...resource, attempt: resource.attempt + 1 });
    }
    if (answer === null) {
      const isForGood = meaning === "dead" || reason === "address-refused";
      return isForGood ? this.#supply(resource, null) : this.#fail(resource, null);
    }
    if (answer.truncated) return this.#fail(resource, answer);
    if (!this.#mayBeRead(resource, answer)) return this.#supply(resource, null);
    if (resource.use !== "data") this.#cache.keep(resource.pageHost, resource.start, answer);
    this.#supply(resource, answer);
  }

  #follow(resource: Resource, { headers }: Answer): void {
    const text = canonicalUrl(headers["location"] ?? "", resource.text);
    if (text === null || resource.hops >= HOPS_MAX) return this.#fail(resource, null);
    const isElsewhere = splitUrl(text).origin !== splitUrl(resource.text).origin;
    if (isElsewhere && !areSimple(resource.headers ?? {})) return this.#fail(resource, null);
    const origin = this.#options.originOf(text);
    const isAnonymous = resource.isAnonymous || isElsewhere;
    this.#add({ ...resource, text, origin, isAnonymous, hops: resource.hops + 1, attempt: 1 });
  }

  /** The browser knows only where data was first requested; where it came from elsewhere, that server must allow it. */
  #mayBeRead({ use, start, text }: Resource, { headers }: Answer): boolean {
    if (use !== "data" || splitUrl(start).origin === splitUrl(text).origin) return true;
    return headers["access-control-allow-origin"]?.trim() === "*";
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
    return [...this.#waiting].flatMap(([host, queue]) => {
      const kept = queue.filter((each) => each.render !== render);
      if (kept.length > 0) this.#waiting.set(host, kept);
      else {
        this.#waiting.delete(host);
        this.#heldSince.delete(host);
      }
      return queue.filter((each) => each.render === render);
    });
  }

  #add(resource: Resource): void {
    if (this.#hasTooMuch(resource.render)) return this.#fail(resource, null);
    const host = this.#options.hostOfOrigin(resource.origin);
    const queue = this.#waiting.get(host);
    if (queue === undefined) this.#waiting.set(host, [resource]);
    else queue.push(resource);
    this.#ready.add(host);
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

function requestOf({ text, headers, isAnonymous }: Resource): FetchRequest {
  const given = headers === undefined ? {} : { headers };
  return { url: text, purpose: "requisite", ...given, ...(isAnonymous ? { isAnonymous } : {}) };
}
