import { hostOfOrigin, splitUrl } from "../../web/index.ts";
import type { Host } from "./host.ts";
import type { HostSchedule } from "./host-schedule.ts";
import type { Origins } from "./robots-policy.ts";

/** Numbers of origins and their hosts, where no crawl has numbered them. */
export class OriginTable implements Origins {
  readonly #hosts: HostSchedule;
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(hosts: HostSchedule) {
    this.#hosts = hosts;
  }

  /** The number of the origin of a URL, from 0 in the order in which they came. */
  originOf(url: string): number {
    const { origin } = splitUrl(url);
    let number = this.#numbers.get(origin);
    if (number === undefined) this.#numbers.set(origin, (number = this.#texts.push(origin) - 1));
    return number;
  }

  findOrigin(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  originText(origin: number): string {
    return this.#texts[origin];
  }

  hostOfOrigin(origin: number): Host {
    return this.#hosts.named(hostOfOrigin(this.#texts[origin]));
  }
}
