/** Views of a whole log: what became of each URL, on which host it is, where redirects end; and counts. */
import { capacityFor, enlarged, zeroCounts } from "../base/index.ts";
import {
  isDownloaded,
  PageState,
  type PageStateName,
  pageStates,
  Redirects,
  type RefusalReason,
  refusalReasons,
  refusedState,
} from "../coverage/index.ts";
import type { Hosts, LinkTable } from "../graph/index.ts";
import { hostOfOrigin } from "../web/index.ts";
import { Depths } from "./depths.ts";
import type { LogListener } from "./log-feed.ts";
import { outcomes, type UrlRecord, type Visit } from "./records.ts";

export class UrlView implements LogListener {
  /** One `PageState` per URL; a loop of redirects is dead. */
  state = new Uint8Array(1024);
  /** URLs that stand for links never followed. */
  readonly sinks = new Set<number>();
  urls = 0;
  readonly #redirects = new Redirects();
  readonly #depths: Depths;
  readonly #origins: string[] = [];
  readonly #hostNames: string[] = [];
  readonly #hostIds = new Map<string, number>();
  readonly #hostOfOrigin: number[] = [];
  #hostOf = new Uint32Array(1024);
  #depthOf = new Uint8Array(1024);

  /** With the links of the feed that it listens to. */
  constructor(links: LinkTable) {
    const column = {
      depthOf: (url: number) => this.#depthOf[url],
      setDepth: (url: number, depth: number) => {
        this.#depthOf[url] = depth;
      },
    };
    this.#depths = new Depths({ column, links, redirects: this.#redirects });
  }

  /** Of the URLs read so far; read it again after the log has grown. */
  get hosts(): Hosts {
    return { names: this.#hostNames, hostOf: this.#hostOf.subarray(0, this.urls) };
  }

  hostOf(url: number): number {
    return this.#hostOf[url];
  }

  depthOf(url: number): number {
    return this.#depthOf[url];
  }

  isDownloaded(url: number): boolean {
    return isDownloaded(this.state[url]);
  }

  /** Where a URL redirects; undefined for one that does not, and for one whose redirect closes a loop. */
  targetOf(url: number): number | undefined {
    return this.#redirects.target(url);
  }

  /** The URL at which redirects end; a redirect that closes a loop is not followed. */
  endOf(url: number): number {
    return this.#redirects.resolve(url);
  }

  grow(urls: number): void {
    if (urls <= this.state.length) return;
    const capacity = capacityFor(urls, this.state.length);
    this.state = enlarged(this.state, capacity);
    this.#depthOf = enlarged(this.#depthOf, capacity);
    this.#hostOf = enlarged(this.#hostOf, capacity);
  }

  originText(origin: number): string {
    return this.#origins[origin];
  }

  origin(text: string): void {
    this.#origins.push(text);
    const name = hostOfOrigin(text);
    let id = this.#hostIds.get(name);
    if (id === undefined) {
      this.#hostIds.set(name, (id = this.#hostNames.length));
      this.#hostNames.push(name);
    }
    this.#hostOfOrigin.push(id);
  }

  url({ id, origin, path, depth }: UrlRecord): void {
    this.urls = id + 1;
    this.#hostOf[id] = this.#hostOfOrigin[origin];
    this.#depths.set(id, depth);
    if (path === null) this.sinks.add(id);
  }

  trusted(url: number): void {
    this.#depths.set(url, 0);
  }

  downloaded(url: number): void {
    this.state[url] = PageState.Downloaded;
    this.#depths.extend(url);
  }

  linksUnknown(url: number): void {
    this.state[url] = PageState.LinksUnknown;
    this.#depths.extend(url);
  }

  dead(url: number): void {
    this.state[url] = PageState.Dead;
  }

  refused(url: number, reason: RefusalReason): void {
    this.state[url] = refusedState(reason);
  }

  redirected(url: number, target: number): void {
    this.state[url] = this.#redirects.add(url, target) ? PageState.Redirected : PageState.Dead;
    this.#depths.extend(url);
  }
}

export function stateName(state: number): PageStateName {
  return pageStates[Math.min(state, PageState.Refused)];
}

/**
 * What became of a URL, as people see it: its record, except where only the whole log tells, as `state` of a view does.
 * A redirect that closes a loop is dead; what waits beyond a limit is refused; what a
 * host forbade that blocks the crawler is blocked. `state` is undefined if the record is
 * newer.
 */
export function asSeen<Record extends { readonly state: PageStateName; readonly reason: string | null }>(
  record: Record,
  state = PageState.Open as number,
): Record {
  const name = stateName(state);
  const isForbidden = record.state === "refused" && (record.reason === "forbidden" || record.reason === "out-of-scope");
  if (name === "refused" && (record.state === "waiting" || isForbidden)) {
    return { ...record, state: name, reason: refusalReasons[state - PageState.Refused] };
  }
  if (record.state === "redirected" && name === "dead") return { ...record, state: name, reason: "redirect-loop" };
  return record;
}

/** Counts of a log, or of the part of it that is about one host. */
export class Tally {
  /** URLs without sinks. */
  known = 0;
  /** Visits that ended, with any outcome. */
  visits = 0;
  readonly outcomes = zeroCounts(outcomes);
  /** Of the refused URLs, those that were requested without success. */
  failed = 0;
  bytes = 0;
  answers = 0;
  answersMs = 0;

  get downloaded(): number {
    return this.outcomes.downloaded + this.outcomes["links-unknown"];
  }

  get waiting(): number {
    const { dead, redirected, refused } = this.outcomes;
    return this.known - this.downloaded - dead - redirected - refused;
  }

  /** A redirect that closes a loop leads nowhere: `isLoop` counts it as dead, as lists and the certificate do. */
  add({ outcome, reason, wireBytes, status, milliseconds }: Visit, isLoop: boolean): void {
    this.visits++;
    this.outcomes[isLoop ? "dead" : outcome]++;
    if (reason === "failed" || reason === "forbidden" || reason === "blocked") this.failed++;
    this.bytes += wireBytes;
    if (status === null) return;
    this.answers++;
    this.answersMs += milliseconds;
  }
}
