/**
 * A site of the demo web that changes from day to day by a seed: articles are edited, move, vanish, come back, and new
 * ones are linked to.
 */
import { crawlSettings, type StoredSettings } from "../../../src/crawl/index.ts";
import { demoReply } from "../../../src/demo/pages.ts";
import { drawn, hashOf } from "../../../src/demo/sites.ts";
import type { Fetcher, FetchRequest, Reply } from "../../../src/fetch/index.ts";
import { replyOf, type Served } from "../inline-web.ts";

const HOST = "news.demo.test";
export const SEED = `http://${HOST}/`;
export const START_MS = 1_700_000_000_000;

/** Bodies and texts are stored. */
export function settingsOf(changes: object): StoredSettings {
  return crawlSettings({ urls: [SEED], scope: "host", delay: 0, warc: true, store: ["text"], ...changes });
}

export class LivingSite {
  day = 0;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Everything that stood there since the first day may change; what is linked from edited articles is new. */
  serve(path: string): Served {
    if (this.#isBadDay && path !== "/robots.txt") return notFound("Nothing is here today.");
    if (path.startsWith("/extra/")) return page(`Extra ${path}`, [`${SEED}extra/${hashOf(path) % 7}`]);
    const isMovedThere = path.startsWith("/moved/");
    const original = isMovedThere ? path.slice("/moved".length) : path;
    const { status, headers, body } = demoReply(HOST, original, 2);
    if (status !== 200) return status === 404 ? notFound(body) : { status, headers };
    const { kind, day } = isMovedThere || path === "/" ? EDITED_FIRST : this.#lastChange(path);
    if (kind === "gone") return notFound("It was here.");
    if (kind === "moved") return { status: 301, headers: { location: `/moved${path}` } };
    if (kind === "away") return { status: 302, headers: { location: "/elsewhere" } };
    const shown = day === 0 ? body : edited(body, day, drawn(this.#seed, hashOf(path), day));
    return { body: shown, headers };
  }

  /** The third day is bad in every other web. */
  get #isBadDay(): boolean {
    return this.day === 3 && this.#seed % 2 === 0;
  }

  #lastChange(path: string): { readonly kind: "edited" | "gone" | "moved" | "away"; readonly day: number } {
    for (let { day } = this; day > 0; day--) {
      const kind = CHANGES[drawn(this.#seed, hashOf(path), day, 1) % 24];
      if (kind !== undefined) return { kind, day };
    }
    return EDITED_FIRST;
  }
}

const EDITED_FIRST = { kind: "edited", day: 0 } as const;
const CHANGES = ["edited", "edited", "edited", "edited", "gone", "moved", "away"] as const;

function notFound(body: string): Served {
  return { body, headers: { "content-type": "text/html", "x-status": "404" } };
}

function page(title: string, links: readonly string[]): string {
  return `<title>${title}</title>${links.map((href) => `<a href="${href}">x</a>`).join("")}`;
}

/** Another title, one link fewer, one more. */
function edited(body: string, day: number, chance: number): string {
  return body
    .replace(/<title>/, `<title>Day ${day}: `)
    .replace(/<li>.*<\/li>\n/, `<li><a href="/extra/${chance % 9}">More</a></li>\n`);
}

/** Notes what was answered last. */
export class SiteFetcher implements Fetcher {
  readonly replies = new Map<string, Reply>();
  readonly #answer: (url: URL) => Reply | undefined;
  readonly #waiting: ((reply: Reply) => void)[] = [];

  constructor(answer: (url: URL) => Reply | undefined) {
    this.#answer = answer;
  }

  /** Without an answer it waits until the fetcher is closed. */
  fetch({ url }: FetchRequest, done: (reply: Reply) => void): void {
    const reply = this.#answer(new URL(url));
    if (reply === undefined) return void this.#waiting.push(done);
    setImmediate(() => {
      this.replies.set(url, reply);
      done({ ...reply } as Reply);
    });
  }

  async close(): Promise<void> {
    for (const done of this.#waiting.splice(0)) done(replyOf({ failure: "aborted" }));
  }
}

export function replyFrom(served: Served): Reply {
  const reply = replyOf(served);
  const status = reply.kind === "answer" ? Number(reply.headers["x-status"] ?? reply.status) : 0;
  return { ...reply, status } as Reply;
}
