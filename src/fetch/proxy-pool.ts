/**
 * One proxy or several, and which one a request goes through. Every host keeps to one, so that it sees one address: the
 * proxy whose hash with the name of the host is the greatest (rendezvous hashing, Thaler and Ravishankar 1998),
 * whatever the order of the list. While that one rests, the next greatest stands in.
 *
 * A proxy that fails rests, longer each time. Where it is not clear whether the proxy or the site failed, it rests only
 * if that happens again and again while other proxies work. If all fail, nothing can be fetched: that says nothing
 * about any page, so requests end as if the crawl had ended them.
 */
import { type Clock, mix32 } from "../base/index.ts";

/** What a request says about the proxy it went through; one that `asks` wants a user name and password. */
export type ProxyOutcome = "works" | "fails" | "asks" | "doubtful";

const REST_MS = 10_000;
const REST_MS_MAX = 600_000;
const DOUBTS_MAX = 5;
/** After this long without a response through any proxy, while all of them fail, nothing is to be expected. */
const DOWN_MS = 30_000;

interface PooledProxy {
  readonly uri: string;
  readonly hash: number;
  failures: number;
  doubts: number;
  doubtedSinceMs: number;
  restsUntilMs: number;
  hasAsked: boolean;
}

export interface ProxyPoolOptions {
  readonly clock: Clock;
  /** The first rest (default: 10 s). */
  readonly restMs?: number | undefined;
  /** A proxy without its password, to be shown. */
  readonly nameOf: (uri: string) => string;
  /** Called once, if no proxy works. */
  readonly onDown: (why: string) => void;
  /** Called once per proxy that asks for a user name and password. */
  readonly onNote: (note: string) => void;
}

export class ProxyPool {
  readonly #proxies: readonly PooledProxy[];
  readonly #options: ProxyPoolOptions;
  #workedMs = Number.NEGATIVE_INFINITY;
  /** Why nothing can be fetched; undefined while something can. */
  down: string | undefined;

  constructor(uris: readonly string[], options: ProxyPoolOptions) {
    this.#options = options;
    const met = new Map<string, number>();
    this.#proxies = uris.map((uri) => {
      // A new password must not send a host elsewhere. Users of one proxy may stand for different addresses.
      const { username, host } = new URL(uri);
      const key = `${username}@${host}`;
      const earlier = met.get(key) ?? 0;
      met.set(key, earlier + 1);
      const hash = hashOf(`${key} ${earlier}`);
      const rest = { restsUntilMs: Number.NEGATIVE_INFINITY, hasAsked: false };
      return { uri, hash, failures: 0, doubts: 0, doubtedSinceMs: 0, ...rest };
    });
  }

  /** The proxy for a host; if all rest, how many milliseconds until one has rested. */
  choose(host: string): string | number {
    const nowMs = this.#options.clock.nowMs();
    const hostHash = hashOf(host);
    let best: PooledProxy | undefined;
    let most = -1;
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const proxy of this.#proxies) {
      soonestMs = Math.min(soonestMs, proxy.restsUntilMs);
      const weight = mix32(hostHash ^ proxy.hash);
      if (proxy.restsUntilMs > nowMs || weight <= most) continue;
      best = proxy;
      most = weight;
    }
    return best?.uri ?? Math.max(1, Math.ceil(soonestMs - nowMs));
  }

  note(uri: string, outcome: ProxyOutcome, message = ""): void {
    const proxy = this.#proxies.find((each) => each.uri === uri);
    if (proxy === undefined) return;
    const nowMs = this.#options.clock.nowMs();
    if (outcome === "works") {
      this.#workedMs = nowMs;
      proxy.failures = 0;
      proxy.doubts = 0;
    } else if (outcome === "fails" || outcome === "asks") {
      if (outcome === "asks") this.#asked(proxy);
      this.#rest(proxy, nowMs);
      this.#lookWhetherDown(proxy, nowMs, message);
    } else {
      if (proxy.doubts++ === 0) proxy.doubtedSinceMs = nowMs;
      if (proxy.doubts >= DOUBTS_MAX && this.#workedMs > proxy.doubtedSinceMs) this.#rest(proxy, nowMs);
    }
  }

  #asked(proxy: PooledProxy): void {
    if (proxy.hasAsked) return;
    proxy.hasAsked = true;
    const { nameOf, onNote } = this.#options;
    const what =
      new URL(proxy.uri).username === ""
        ? "wants a user name and a password (407): write USER:PASSWORD@ before its host"
        : "does not accept its user name and password (407)";
    const others = this.#proxies.length > 1 ? "; until it works, its hosts go through another" : "";
    onNote(`the proxy ${nameOf(proxy.uri)} ${what}${others}`);
  }

  #rest(proxy: PooledProxy, nowMs: number): void {
    proxy.doubts = 0;
    // Requests that were under way together meet the same failure; it counts once.
    if (proxy.restsUntilMs > nowMs) return;
    proxy.failures++;
    const { restMs = REST_MS } = this.#options;
    proxy.restsUntilMs = nowMs + Math.min(REST_MS_MAX, restMs * 2 ** (proxy.failures - 1));
  }

  #lookWhetherDown({ uri }: PooledProxy, nowMs: number, message: string): void {
    const isAny = this.#proxies.some(({ restsUntilMs }) => restsUntilMs <= nowMs);
    if (this.down !== undefined || isAny || nowMs - this.#workedMs < DOWN_MS) return;
    const { nameOf, onDown } = this.#options;
    const count = this.#proxies.length;
    const which = count === 1 ? "the proxy does not work" : `none of the ${count} proxies works`;
    this.down = `${which} (${nameOf(uri)}: ${message})`;
    onDown(this.down);
  }
}

function hashOf(text: string): number {
  let hash = 0;
  for (let k = 0; k < text.length; k++) hash = mix32(hash ^ text.charCodeAt(k));
  return hash;
}
