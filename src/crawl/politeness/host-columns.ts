/**
 * What lasts of a host that is at rest, in columns: all that its next `Host` cannot know from the settings.
 *
 * Cost: 33 bytes per host and at most a quarter of that in reserve; 8 to 12 for its address, an object that it shares
 * with the other hosts there.
 */
import { enlarged } from "../../base/index.ts";
import { HOST_FAILURES_MAX } from "../../fetch/index.ts";
import type { Address, Host } from "./host.ts";

const GROWTH = 1.25;
const HAS_ANSWERED = 1;
const IS_GIVEN_UP = 2;
const HAS_ONE_CONNECTION = 4;
/** Failures in a row are above the marks. More than end a host are as good as these. */
const FAILURE = 8;

export class HostColumns {
  #ids = new Uint32Array(64);
  #delaysMs = new Float64Array(64);
  #namesUntilMs = new Float64Array(64);
  #pages = new Uint32Array(64);
  #dead = new Uint32Array(64);
  #errors = new Uint32Array(64);
  #marks = new Uint8Array(64);
  readonly #addresses: (Address | undefined)[] = [];

  get size(): number {
    return this.#addresses.length;
  }

  /** A place for a host, by its id. Nothing is known there until it is written. */
  add(id: number): number {
    const place = this.#addresses.push(undefined) - 1;
    if (place === this.#ids.length) this.#grow(Math.ceil(GROWTH * place));
    this.#ids[place] = id;
    return place;
  }

  #grow(capacity: number): void {
    this.#ids = enlarged(this.#ids, capacity);
    this.#delaysMs = enlarged(this.#delaysMs, capacity);
    this.#namesUntilMs = enlarged(this.#namesUntilMs, capacity);
    this.#pages = enlarged(this.#pages, capacity);
    this.#dead = enlarged(this.#dead, capacity);
    this.#errors = enlarged(this.#errors, capacity);
    this.#marks = enlarged(this.#marks, capacity);
  }

  write(place: number, host: Host): void {
    this.#delaysMs[place] = host.delayMs;
    this.#namesUntilMs[place] = host.nameUntilMs;
    this.#pages[place] = host.pages;
    this.#dead[place] = host.dead;
    this.#errors[place] = host.errors;
    this.#addresses[place] = host.address;
    this.#marks[place] =
      (host.hasAnswered ? HAS_ANSWERED : 0) +
      (host.givenUp ? IS_GIVEN_UP : 0) +
      (host.connections === 1 ? HAS_ONE_CONNECTION : 0) +
      Math.min(host.failures, HOST_FAILURES_MAX) * FAILURE;
  }

  /** A new object of the host is as the one was that was written. */
  read(place: number, host: Host): void {
    const marks = this.#marks[place];
    host.delayMs = this.#delaysMs[place];
    host.nameUntilMs = this.#namesUntilMs[place];
    host.pages = this.#pages[place];
    host.dead = this.#dead[place];
    host.errors = this.#errors[place];
    host.address = this.#addresses[place];
    host.hasAnswered = (marks & HAS_ANSWERED) !== 0;
    host.givenUp = (marks & IS_GIVEN_UP) !== 0;
    if ((marks & HAS_ONE_CONNECTION) !== 0) host.connections = 1;
    host.failures = Math.floor(marks / FAILURE);
  }

  idOf(place: number): number {
    return this.#ids[place];
  }

  pagesOf(place: number): number {
    return this.#pages[place];
  }

  deadOf(place: number): number {
    return this.#dead[place];
  }

  errorsOf(place: number): number {
    return this.#errors[place];
  }

  addressOf(place: number): Address | undefined {
    return this.#addresses[place];
  }
}
