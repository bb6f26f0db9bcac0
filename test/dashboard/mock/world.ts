/**
 * A made-up web of any size: every page is a function of its number, so that a million of them take no memory. Titles
 * and URLs are hostile now and then.
 */
import { mix32 } from "../../../src/base/index.ts";
import type { MissingReason, PageStateName, RefusalReason } from "../../../src/coverage/index.ts";
import type { HostStatus } from "../../../src/crawl/index.ts";
import type { PageLine } from "../../../src/dashboard/protocol/http.ts";

export const START_MS = Date.UTC(2026, 10, 15, 9, 30);
const HOSTS = 2500;
const WORDS = "harbour tide gauge chart moon current ebb flood spring neap coast island lighthouse wave".split(" ");
const HOSTILE = `<img src=x onerror="window.harmed=1">"'</script><script>window.harmed=1</script>`;
const REFUSALS: readonly RefusalReason[] = ["robots", "trap", "limit", "failed", "nofollow", "out-of-scope"];

/** Between 0 and 1, the same for the same number and purpose. */
export function chance(id: number, purpose: number): number {
  return mix32(Math.imul(id + 1, 0x9e3779b1) ^ mix32(purpose)) / 2 ** 32;
}

const hostNames = Array.from({ length: HOSTS }, (_, index) => nameHost(index));

export function hostName(index: number): string {
  return hostNames[index];
}

function nameHost(index: number): string {
  if (index === 3) return "مثال.example";
  if (index === 4) return `${"a-very-long-label-".repeat(3)}x.${"and-another-one-".repeat(3)}y.example`;
  const word = WORDS[index % WORDS.length];
  return index === 0 ? "www.example.org" : `${word}${index < WORDS.length ? "" : index}.example.org`;
}

export const hostCount = HOSTS;

export function hostOf(id: number): number {
  return Math.min(HOSTS - 1, Math.floor(HOSTS * chance(id, 1) ** 4));
}

export function urlOf(id: number): string {
  const origin = `https://${hostName(hostOf(id))}/`;
  if (id === 0) return origin;
  if (id % 97 === 23) return `${origin}${"long/".repeat(400)}${id}`;
  if (id % 97 === 41) return `${origin}${HOSTILE}/${id}`;
  const [a, b] = [WORDS[id % WORDS.length], WORDS[Math.floor(chance(id, 2) * WORDS.length)]];
  return `${origin}${a}/${b}-${id}.html`;
}

function titleOf(id: number): string | null {
  if (id % 97 === 5) return HOSTILE;
  if (id % 97 === 11) return "مرحبا بالعالم: المد والجزر على الساحل";
  if (id % 97 === 17) return "A title without end ".repeat(100);
  if (id % 13 === 7) return null;
  const words = [0, 1, 2].map((place) => WORDS[Math.floor(chance(id, 10 + place) * WORDS.length)]);
  return `${words.join(" ")} ${id}`.replace(/^./, (letter) => letter.toUpperCase());
}

/** What became of a page in a crawl that has requested `asked` of them, in the order of their numbers. */
export function wordOf(id: number, asked: number): { word: PageStateName; reason: RefusalReason | null } {
  if (id >= asked) return { word: "waiting", reason: null };
  const fate = id === 0 ? 1 : chance(id, 3);
  if (fate < 0.03) return { word: "dead", reason: null };
  if (fate < 0.06) return { word: "redirected", reason: null };
  if (fate < 0.09) {
    return { word: "refused", reason: REFUSALS[Math.floor(chance(id, 4) ** 2 * REFUSALS.length)] };
  }
  return { word: fate < 0.1 ? "links-unknown" : "downloaded", reason: null };
}

/** To which reason a page counts that is missing; null for one that is not. */
export function missingReasonOf(id: number, asked: number): MissingReason | null {
  const { word, reason } = wordOf(id, asked);
  if (word === "waiting") return "not-fetched";
  if (word === "dead") return "dead";
  if (word === "links-unknown") return "links-unknown";
  return reason;
}

export function importanceOf(id: number): number {
  return 0.07 / (id + 8) ** 1.02;
}

export function pageLine(id: number, asked: number): PageLine {
  const { word, reason } = wordOf(id, asked);
  const low = importanceOf(id);
  const isAsked = word !== "waiting";
  const statuses = {
    waiting: null,
    dead: 404,
    redirected: 301,
    refused: null,
    downloaded: 200,
    "links-unknown": 200,
  };
  return {
    id,
    url: urlOf(id),
    title: word === "downloaded" ? titleOf(id) : null,
    state: word,
    reason: word === "dead" ? "status-404" : reason,
    why: word === "dead" ? "status 404" : (reason ?? ""),
    status: statuses[word],
    rank: word === "downloaded" || word === "links-unknown" ? id + 1 : null,
    importance: { low, high: low * 1.3 + 1e-6 },
    depth: Math.floor(Math.log10(id + 1)),
    fetchedMs: isAsked ? START_MS + id * 26 : null,
  };
}

export function politenessOf(index: number): HostStatus {
  const states = ["free", "busy", "resting", "paused", "robots", "full", "given-up"] as const;
  const state = states[index % 11 < 7 ? index % 7 : 0];
  return {
    state,
    pausedForMs: state === "paused" ? 42_000 : null,
    delayMs: 1000,
    connections: 1,
    underWay: state === "busy" ? 1 : 0,
    address: index % 5 === 0 ? null : `192.0.2.${index % 250}`,
  };
}
