/** Pages and sitemaps that are being read. Beyond these bounds no further ones are requested. */
import type { Answer } from "../../fetch/index.ts";
import type { EffectQueue } from "../machine.ts";
import { type SharedMeans, Slots } from "../shard-part.ts";
import type { RenderedParts, ScopeOfJob } from "./contract.ts";

export const READINGS_MAX = 256;
export const READING_BYTES_MAX = 64 * 2 ** 20;

type ReadLoad = Pick<SharedMeans, "readings" | "readingBytes">;

/** A page or sitemap that is being read, with what is needed once it is. */
interface Reading<Subject> {
  readonly subject: Subject;
  readonly answer: Answer;
  readonly bytes: number;
}

export class ReadQueue<Page, Sitemap> {
  readonly #effects: EffectQueue;
  /** Where seeds have led, outside the scope that readers know. */
  readonly #widened: readonly string[];
  readonly #pages = new Map<number, Reading<Page>>();
  readonly #sitemaps = new Map<number, Reading<Sitemap>>();
  /** Jobs that wait until the scope is settled; undefined: none has to. */
  #held: (() => void)[] | undefined;
  #isAbandoned = false;
  readonly #load: ReadLoad;
  #numbered = 0;

  /** `load` may be shared with other queues. */
  constructor(
    effects: EffectQueue,
    widened: readonly string[] = [],
    load: ReadLoad = { readings: new Slots(READINGS_MAX), readingBytes: new Slots(READING_BYTES_MAX) },
  ) {
    this.#effects = effects;
    this.#widened = widened;
    this.#load = load;
  }

  get count(): number {
    return this.#pages.size + this.#sitemaps.size;
  }

  get isFull(): boolean {
    return this.#load.readings.isFull || this.#load.readingBytes.isFull;
  }

  get pages(): number {
    return this.#pages.size;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Nothing is read until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const start of held) start();
  }

  /** What is held, and all that comes from now on, is left to the next run. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#held = undefined;
    for (const id of this.#pages.keys()) this.takePage(id);
    for (const id of this.#sitemaps.keys()) this.takeSitemap(id);
  }

  addPage(url: string, answer: Answer, subject: Page, rendered?: RenderedParts): void {
    if (this.#isAbandoned) return;
    const id = this.#numbered++;
    const { body, truncated, headers } = answer;
    this.#pages.set(id, this.#reading(subject, answer));
    const contentType = headers["content-type"] ?? null;
    const job = { url, body, truncated, contentType, robotsTag: headers["x-robots-tag"] ?? null };
    const more = rendered === undefined ? {} : { rendered };
    this.#start(() => this.#effects.push({ kind: "read-page", id, job: { ...job, ...more, ...this.#scope() } }));
  }

  addSitemap(url: string, answer: Answer, subject: Sitemap): void {
    if (this.#isAbandoned) return;
    const id = this.#numbered++;
    const { body, truncated, headers } = answer;
    this.#sitemaps.set(id, this.#reading(subject, answer));
    const job = { url, body, truncated, contentType: headers["content-type"] ?? null };
    this.#start(() => this.#effects.push({ kind: "read-sitemap", id, job: { ...job, ...this.#scope() } }));
  }

  #reading<Subject>(subject: Subject, answer: Answer): Reading<Subject> {
    const bytes = answer.body.length;
    this.#load.readings.taken++;
    this.#load.readingBytes.taken += bytes;
    return { subject, answer, bytes };
  }

  #start(start: () => void): void {
    if (this.#held === undefined) start();
    else this.#held.push(start);
  }

  #scope(): ScopeOfJob {
    return this.#widened.length === 0 ? {} : { widened: this.#widened };
  }

  /** The page was read; its body may be gone, to the thread that read it. Undefined for one that is not awaited. */
  takePage(id: number): Reading<Page> | undefined {
    return this.#take(this.#pages, id);
  }

  takeSitemap(id: number): Reading<Sitemap> | undefined {
    return this.#take(this.#sitemaps, id);
  }

  #take<Subject>(readings: Map<number, Reading<Subject>>, id: number): Reading<Subject> | undefined {
    const reading = readings.get(id);
    if (reading === undefined) return undefined;
    readings.delete(id);
    this.#load.readings.taken--;
    this.#load.readingBytes.taken -= reading.bytes;
    return reading;
  }
}
