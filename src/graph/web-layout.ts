/**
 * The hosts of a generated web: which pages each has, and how popular it is. State: 8 bytes per host.
 *
 * Sizes follow a power law, size proportional to rank^(-1/SIZE_TAIL), so that the share of hosts with more than s pages
 * falls like s^-SIZE_TAIL; a random order of ranks makes neighbours in id unrelated. Pages of a host are a contiguous
 * range, the first is its home. One host in the middle is a calendar, with one page in a hundred.
 */
import { Random } from "../base/index.ts";

const SIZE_TAIL = 1.1;
const CALENDAR_SHARE = 0.01;
/** Links to other hosts: this share goes to any host alike, the rest by Zipf's law on the rank of size. */
const UNPOPULAR_SHARE = 0.2;

export class WebLayout {
  readonly pages: number;
  readonly hosts: number;
  /** Its index among the hosts; -1 if the web is too small for one. */
  readonly calendar: number;
  /** The pages of host h are from `starts[h]` to `starts[h + 1] - 1`. */
  readonly starts: Uint32Array;
  readonly #hostOfRank: Uint32Array;

  constructor(pages: number, hosts: number, seed: number) {
    const calendarPages = hosts > 1 ? Math.round(pages * CALENDAR_SHARE) : 0;
    this.pages = pages;
    this.hosts = hosts;
    this.calendar = calendarPages > 0 && hosts <= pages - calendarPages ? hosts >> 1 : -1;
    this.#hostOfRank = shuffledRange(hosts, new Random(seed));
    this.starts = this.#place(this.calendar < 0 ? 0 : calendarPages);
  }

  hostOf(page: number): number {
    let low = 0;
    let high = this.hosts;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle] <= page) low = middle;
      else high = middle;
    }
    return low;
  }

  hostName(host: number): string {
    return host === this.calendar ? "calendar.example" : `host${host}.example`;
  }

  urlOf(page: number): string {
    const host = this.hostOf(page);
    const local = page - this.starts[host];
    const folder = host === this.calendar ? "day" : "page";
    return `http://${this.hostName(host)}/${local === 0 ? "" : `${folder}/${local}`}`;
  }

  /** A host as links to other hosts choose it. */
  popularHost(random: Random): number {
    if (random.float() < UNPOPULAR_SHARE) return random.below(this.hosts);
    return this.#hostOfRank[Math.floor((this.hosts + 1) ** random.float()) - 1];
  }

  /** Every host has one page; the others are shared out by weight. */
  #place(calendarPages: number): Uint32Array {
    const weights = new Float64Array(this.hosts);
    let total = 0;
    for (let rank = 0; rank < this.hosts; rank++) {
      const host = this.#hostOfRank[rank];
      if (host === this.calendar) continue;
      weights[host] = (rank + 1) ** (-1 / SIZE_TAIL);
      total += weights[host];
    }
    const starts = new Uint32Array(this.hosts + 1);
    const shared = this.pages - this.hosts - Math.max(0, calendarPages - 1);
    let sum = 0;
    let given = 0;
    for (let host = 0; host < this.hosts; host++) {
      sum += weights[host];
      const due = host + 1 === this.hosts ? shared : Math.floor((shared * sum) / total);
      const size = host === this.calendar ? calendarPages : 1 + due - given;
      starts[host + 1] = starts[host] + size;
      given = Math.max(given, due);
    }
    return starts;
  }
}

function shuffledRange(length: number, random: Random): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    const j = random.below(i + 1);
    numbers[i] = numbers[j];
    numbers[j] = i;
  }
  return numbers;
}
