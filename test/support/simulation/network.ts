/**
 * A network that is simulated, and a strict master of manners: it throws as soon as a request is impolite or forbidden.
 */
import { mix32, Random, type Timers } from "../../../src/base/index.ts";
import type { Fetcher, FetchRequest, FailureName, Reply } from "../../../src/fetch/index.ts";
import { etagOf, ShownPages } from "./shown-pages.ts";
import type { SimulatedTimers } from "./timers.ts";
import { OUTSIDE, type SimulatedWeb } from "./web.ts";

export interface Manners {
  readonly delayMs: number;
  readonly perHost: number;
  readonly perAddress: number;
}

/** How long a connection rests. */
interface Rest {
  /** By the settings of the crawl, which all crawlers know. */
  readonly untilMs: number;
  /** By robots.txt as well, as far as the crawler knew it that made the request. */
  readonly byRulesUntilMs: number;
  readonly crawler: SimulatedNetwork;
}

/** What has happened at one host. */
interface Counter {
  active: number;
  rests: Rest[];
  notBeforeMs: number;
  /** Who was told so, and is to remember it as long as it lives. */
  told?: SimulatedNetwork;
  requests: number;
}

const FAILURES: readonly FailureName[] = [
  "connection-lost",
  "headers-timeout",
  "body-timeout",
  "total-timeout",
  "bad-answer",
];

interface UnderWay {
  readonly host: number;
  readonly owner: number | undefined;
  /** It has left the crawler. */
  readonly isSent: boolean;
  readonly finish: (reply: Reply) => void;
}

/** What servers have seen, whoever has requested it. */
export class SimulatedServers {
  /** Addresses of requests whose sender knows where the host lives. */
  readonly located = new Map<object, string>();
  /** A hash of all requests and answers, with times. */
  trace = 0;
  readonly web: SimulatedWeb;
  readonly timers: SimulatedTimers;
  readonly manners: Manners;
  readonly random: Random;
  readonly hosts: Counter[];
  /** Hosts whose rules some crawler has received, and requests of each URL so far. */
  readonly rulesTold = new Set<number>();
  /** Names of hosts whose rules are where all crawlers find them. */
  readonly rulesStored = new Set<string>();
  /** In the same way: until when hosts have asked crawlers to wait, by Unix time. */
  readonly pausesStored = new Map<string, number>();
  readonly requests = new Map<string, number>();
  /** What pages show to whom; always the same, unless this is replaced. */
  shown: ShownPages;

  constructor(web: SimulatedWeb, timers: SimulatedTimers, manners: Manners, seed: number) {
    this.web = web;
    this.shown = new ShownPages(web);
    this.timers = timers;
    this.manners = manners;
    this.random = new Random(seed, 11);
    this.hosts = web.hosts.map(() => newCounter());
  }
}

export interface NetworkOptions {
  /** Pages are shells, and what they show is data (default: false). */
  readonly isScripted?: boolean;
  /** The clock of the crawler, which may stand still (default: that of the servers). */
  readonly timers?: Timers;
  /** A request is sent only after a while, as long as it takes to connect (default: at once). */
  readonly connects?: boolean;
}

/** The network as one crawler knows it. */
export class SimulatedNetwork implements Fetcher {
  readonly servers: SimulatedServers;
  readonly #web: SimulatedWeb;
  readonly #timers: Timers;
  readonly #manners: Manners;
  readonly #random: Random;
  readonly #hosts: Counter[];
  readonly #addressKnown = new Set<number>();
  /** Hosts whose rules the crawler knows in this run. */
  readonly #rulesKnown = new Set<number>();
  readonly #underWay = new Map<object, UnderWay>();
  /** By host: how long its name is known; a name just looked up serves one request whatever its TTL. */
  readonly #names = new Map<number, { untilMs: number; isUnused: boolean }>();
  readonly #isScripted: boolean;
  readonly #connects: boolean;

  constructor(servers: SimulatedServers, { isScripted = false, timers, connects = false }: NetworkOptions = {}) {
    this.servers = servers;
    this.#isScripted = isScripted;
    this.#web = servers.web;
    this.#timers = timers ?? servers.timers;
    this.#connects = connects;
    this.#manners = servers.manners;
    this.#random = servers.random;
    this.#hosts = servers.hosts;
  }

  get trace(): number {
    return this.servers.trace;
  }

  fetch(request: FetchRequest, done: (reply: Reply) => void): void {
    const host = this.#web.hosts.findIndex(({ name }) => request.url.startsWith(`http://${name}/`));
    if (host < 0) throw new Error(`${request.url} is out of scope, but it was requested`);
    const name = this.#names.get(host);
    if (name === undefined || (name.untilMs <= this.#timers.nowMs() && !name.isUnused)) {
      throw new Error(`impolite: ${request.url}: its name is not known`);
    }
    name.isUnused = false;
    // Whoever decided knew this much.
    if (this.#addressKnown.has(host) && this.#inUseAt(host, this.#timers.nowMs()) >= this.#manners.perAddress) {
      throw new Error(`impolite: ${request.url}: no connection of the address is free`);
    }
    if (!this.#connects) return this.#send(host, request, done);
    const key = {};
    const finish = (reply: Reply): void => {
      this.#underWay.delete(key);
      done(reply);
    };
    this.#underWay.set(key, { host, owner: request.lease?.owner, isSent: false, finish });
    this.#timers.after(this.#random.below(300), () => {
      if (!this.#underWay.delete(key)) return;
      // As the fetcher of the real network does right before it writes.
      if (request.lease !== undefined && this.#timers.nowMs() >= request.lease.untilMs) {
        return done(failure("aborted", null));
      }
      this.#send(host, request, done);
    });
  }

  #send(host: number, request: FetchRequest, done: (reply: Reply) => void): void {
    this.#checkManners(host, request);
    const { servers } = this;
    const counter = this.#hosts[host];
    counter.active++;
    const attempt = (servers.requests.get(request.url) ?? 0) + 1;
    servers.requests.set(request.url, attempt);
    const nthOfHost = ++this.#hosts[host].requests;
    const milliseconds = 1 + this.#random.below(500);
    const key = {};
    if (this.#addressKnown.has(host)) servers.located.set(key, this.#web.hosts[host].address);
    // The server is done with it, whatever the crawler does meanwhile.
    const finish = (reply: Reply): void => {
      this.#underWay.delete(key);
      servers.located.delete(key);
      const now = servers.timers.nowMs();
      this.#learn(host, request, reply, now);
      counter.active--;
      counter.rests.push(this.#restFrom(now, host));
      this.#note(request.url, now, reply);
      if (this.#timers === servers.timers) done(reply);
      else this.#timers.after(0, () => done(reply));
    };
    this.#underWay.set(key, { host, owner: request.lease?.owner, isSent: true, finish });
    servers.timers.after(milliseconds, () => {
      if (this.#underWay.has(key)) finish(this.#replyTo(host, request, { attempt, nthOfHost, milliseconds }));
    });
  }

  /** Some names hold for no time at all, some for the whole crawl. */
  lookUp(url: string, done: (validForMs: number) => void): void {
    const host = this.#web.hosts.findIndex(({ name }) => url.startsWith(`http://${name}/`));
    if (this.#inUse(host, this.#timers.nowMs()) > 0 && this.#manners.perHost === 1 && !this.#connects) {
      throw new Error(`${url}: the name is looked up, but the host cannot be requested`);
    }
    const validForMs = [0, 20, 2_000, Number.POSITIVE_INFINITY][this.#random.below(4)];
    const named = (): void => {
      // A worker may have two engines one after the other that want to know it.
      const knownMs = this.#names.get(host)?.untilMs ?? 0;
      this.#names.set(host, { untilMs: Math.max(knownMs, this.#timers.nowMs() + validForMs), isUnused: true });
      done(validForMs);
    };
    // Some are known at once.
    if (this.#random.below(3) === 0) named();
    else this.#timers.after(this.#random.below(8_000), named);
  }

  /** The crawler may have lost the rules that it was told. */
  lapse(): void {
    this.#rulesKnown.clear();
  }

  cancel(owner: number): void {
    for (const request of Array.from(this.#underWay.values())) {
      if (request.owner === owner) request.finish(failure("aborted", null));
    }
  }

  async close(): Promise<void> {
    for (const { finish } of Array.from(this.#underWay.values())) finish(failure("aborted", null));
  }

  /** The crawler died: what it had requested never arrives, and it has forgotten what it knew. */
  forget(): void {
    this.#underWay.clear();
    this.#names.clear();
    this.#addressKnown.clear();
    this.#rulesKnown.clear();
    for (const counter of this.#hosts) Object.assign(counter, { active: 0, rests: [], notBeforeMs: 0 });
  }

  /** The crawler died, and others go on: its connections end, and the next request of each host waits for its delay. */
  die(): void {
    const nowMs = this.servers.timers.nowMs();
    for (const [key, { host, isSent }] of this.#underWay) {
      if (!isSent) continue;
      this.servers.located.delete(key);
      const counter = this.#hosts[host];
      counter.active--;
      counter.rests.push(this.#restFrom(nowMs, host));
    }
    this.#underWay.clear();
  }

  #checkManners(host: number, { url, purpose }: FetchRequest): void {
    const now = this.#timers.nowMs();
    const complain = (what: string): never => {
      throw new Error(`impolite at ${now} ms: ${url}: ${what}`);
    };
    const counter = this.#hosts[host];
    // A crawler that was resumed has the rules in its records.
    const isJudged = purpose === "page" || purpose === "requisite";
    if (isJudged && this.servers.rulesTold.has(host)) this.#rulesKnown.add(host);
    const connections = this.#crawlDelayOf(host) > 0 ? 1 : this.#manners.perHost;
    if (this.#inUse(host, now) >= connections) complain("no connection of the host is free");
    const isToldToAll = this.#timers.wallMs() < (this.servers.pausesStored.get(this.#web.hosts[host].name) ?? 0);
    if (now < counter.notBeforeMs && (counter.told === this || isToldToAll)) complain("the host asked us to wait");
    if (!isJudged) return;
    if (!this.#rulesKnown.has(host)) complain("its robots.txt is not known");
    const page = this.#web.pageOf(url);
    if (page >= 0 && !this.#web.isAllowed(page)) complain("its robots.txt forbids it");
  }

  #learn(host: number, { purpose, url }: FetchRequest, reply: Reply, now: number): void {
    if (reply.kind === "failure" && reply.failure === "aborted") return;
    if (reply.address !== null) this.#addressKnown.add(host);
    if (reply.kind === "answer" && reply.headers["retry-after"] !== undefined) {
      this.#hosts[host].notBeforeMs = now + 1000 * Number(reply.headers["retry-after"]);
      this.#hosts[host].told = this;
    }
    const settles = reply.kind === "answer" && (reply.status === 200 || reply.status === 404) && !reply.truncated;
    if (purpose !== "robots" || !settles) return;
    // A robots.txt that has moved is the robots.txt of the host that it moved from.
    const from = /\/robots-of-(\d+)$/.exec(url)?.[1];
    const whose = from === undefined ? host : Number(from);
    this.servers.rulesTold.add(whose);
    // A worker may have read it for another, which knows it then.
    if (from === undefined || !this.#connects) this.#rulesKnown.add(whose);
  }

  #restFrom(now: number, host: number): Rest {
    const { delayMs } = this.#manners;
    const byRulesMs = Math.max(delayMs, this.#crawlDelayOf(host));
    return { untilMs: now + delayMs, byRulesUntilMs: now + byRulesMs, crawler: this };
  }

  /** Connections of a host, as far as this crawler can know: nobody knows rules that another could not store. */
  #inUse(host: number, now: number): number {
    const { active, rests } = this.#hosts[host];
    const areRulesKnown = this.#rulesKnown.has(host) || this.servers.rulesStored.has(this.#web.hosts[host].name);
    const isResting = ({ untilMs, byRulesUntilMs, crawler }: Rest): boolean =>
      (areRulesKnown || crawler === this ? byRulesUntilMs : untilMs) > now;
    return active + rests.filter(isResting).length;
  }

  /** 0 where there is none, or none that the crawler knows. */
  #crawlDelayOf(host: number): number {
    const { robots, crawlDelaySeconds } = this.#web.hosts[host];
    return robots !== "none" && this.#rulesKnown.has(host) ? 1000 * (crawlDelaySeconds ?? 0) : 0;
  }

  /** Connections to the address of a host, as far as the crawler can know which hosts live there. */
  #inUseAt(host: number, now: number): number {
    const { address } = this.#web.hosts[host];
    // Where crawlers share an address, none knows whether connections of another that have ended are still resting.
    if (this.#connects) return [...this.servers.located.values()].filter((each) => each === address).length;
    const isThere = (k: number): boolean => this.#addressKnown.has(k) && this.#web.hosts[k].address === address;
    return this.#hosts.reduce((sum, _, k) => sum + (isThere(k) ? this.#inUse(k, now) : 0), 0);
  }

  #replyTo(
    host: number,
    { url, purpose }: FetchRequest,
    { attempt, nthOfHost, milliseconds }: { attempt: number; nthOfHost: number; milliseconds: number },
  ): Reply {
    const { temper, address, retryAfterSeconds, robots } = this.#web.hosts[host];
    // A sitemap that no robots.txt names is requested once, so it must come then.
    const isGuess = purpose === "sitemap" && robots === "none";
    const send = (status: number, text: string, headers: Readonly<Record<string, string>> = {}, truncated = false) =>
      answer(address, milliseconds, { status, text, headers, truncated });
    if (temper === "absent") return failure("host-not-found", null);
    if (temper === "forgotten" && nthOfHost === 3 && !isGuess) return failure("host-not-found", null);
    if (temper === "unreachable") return failure("connect-refused", address);
    if (temper === "troubled" && nthOfHost <= 2) {
      return send(503, "", retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) });
    }
    if (purpose === "robots") return this.#robots(host, url, attempt, send);
    if (url.endsWith("/sitemap.xml")) {
      // Some sitemaps come at the second attempt only.
      if (attempt === 1 && host % 2 === 0 && !isGuess) return send(500, "");
      return send(200, this.#web.sitemapOf(host), { "content-type": "text/xml" });
    }
    if (purpose === "requisite") return this.#data(url, attempt, send);
    if (this.#web.hosts[host].hasBadDay) return send(404, "");
    return this.#page(this.#web.pageOf(url), attempt, { send, address });
  }

  /** Some never comes, some only at the second attempt, some from another place. */
  #data(url: string, attempt: number, send: Send): Reply {
    const [, digits, moved] = /\/data\/(\d+)(\/moved)?$/.exec(url) ?? [];
    if (digits === undefined) return send(200, "", { "content-type": "text/javascript" });
    const page = Number(digits);
    if (page % 7 === 1) return send(500, "");
    if (page % 7 === 2 && attempt === 1) return send(503, "");
    if (page % 7 === 3 && moved === undefined) return send(302, "", { location: `/data/${digits}/moved` });
    return send(200, this.#web.htmlOf(page), { "content-type": "text/html" }, page % 7 === 4);
  }

  #robots(host: number, url: string, attempt: number, send: Send): Reply {
    const { robots } = this.#web.hosts[host];
    const from = /\/robots-of-(\d+)$/.exec(url)?.[1];
    const last = this.#web.hosts.length - 1;
    if (from !== undefined) return send(200, this.#web.robotsOf(Number(from)));
    if (robots === "none") return send(404, "");
    if (robots === "broken") return send(500, "");
    if (robots === "recovering" && attempt === 1) return send(500, "");
    // The first time the connection ends before the line that forbids.
    if (robots === "cut" && attempt === 1) return send(200, "User-agent: *", {}, true);
    // The last host keeps the robots.txt of others, unless it fails itself.
    const keeper = this.#web.hosts[last];
    const moves = robots === "moved" && keeper.temper === "well" && host !== last;
    if (moves) return send(301, "", { location: `http://${keeper.name}/robots-of-${host}` });
    return send(200, this.#web.robotsOf(host));
  }

  #page(number: number, attempt: number, { send, address }: { send: Send; address: string }): Reply {
    if (number < 0) return send(404, "");
    const { shown } = this.servers;
    const page = shown.shownTo(number, attempt);
    const etag = shown.areChanging ? { etag: etagOf(attempt) } : {};
    const html = { "content-type": "text/html; charset=utf-8", ...etag };
    const text = this.#isScripted ? this.#web.shellOf(number) : this.#web.htmlOf(number, page);
    switch (page.fate) {
      case "page":
        return send(200, text, html);
      case "partly":
        return send(200, text, html, true);
      case "file":
        return send(200, this.#web.htmlOf(number), { "content-type": "image/png", ...etag });
      case "dead":
        return send(404, "", etag);
      case "gone":
        return send(410, "", etag);
      case "forbidden":
        return send(403, "", etag);
      case "redirect":
        return send(page.isTemporary ? 302 : 301, "", {
          location: page.redirectOutside ? OUTSIDE : this.#web.urlOf(page.links[0]),
          ...etag,
        });
      case "flaky":
        if (attempt > 1) return send(200, text, html);
        return failure(FAILURES[number % FAILURES.length], address);
    }
  }

  #note(url: string, now: number, reply: Reply): void {
    const text = `${now} ${url} ${reply.kind === "answer" ? reply.status : reply.failure}`;
    const { servers } = this;
    for (let k = 0; k < text.length; k++) servers.trace = mix32(servers.trace ^ text.charCodeAt(k));
  }
}

type Send = (status: number, text: string, headers?: Readonly<Record<string, string>>, truncated?: boolean) => Reply;

function newCounter(): Counter {
  return { active: 0, rests: [], notBeforeMs: 0, requests: 0 };
}

function answer(
  address: string,
  milliseconds: number,
  reply: { status: number; text: string; headers: Readonly<Record<string, string>>; truncated: boolean },
): Reply {
  const body = new TextEncoder().encode(reply.text);
  const { status, headers, truncated } = reply;
  return { kind: "answer", status, headers, body, truncated, wireBytes: body.length, address, milliseconds };
}

function failure(name: FailureName, address: string | null): Reply {
  return { kind: "failure", failure: name, message: name, address, milliseconds: 1 };
}
