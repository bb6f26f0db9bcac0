/** A survey as it is read from its file. */
import {
  type Interval,
  intervalOf,
  isDownloaded,
  missingFlow,
  missingReason,
  type MissingReason,
  type PageMasses,
} from "../coverage/index.ts";
import type { Survey, SurveyFacts } from "./survey.ts";
import type { SurveyFile } from "./survey-file.ts";

export class StoredSurvey implements Survey {
  readonly #file: SurveyFile;
  #places: Uint32Array | undefined;

  constructor(file: SurveyFile) {
    this.#file = file;
  }

  get facts(): SurveyFacts {
    return this.#file.head.facts;
  }

  get byImportance(): Uint32Array {
    return this.#file.column("byImportance");
  }

  get byVisit(): Uint32Array {
    return this.#file.column("byVisit");
  }

  get state(): Uint8Array {
    return this.#file.column("state");
  }

  get hostOf(): Uint32Array {
    return this.#file.column("hostOf");
  }

  get statusOf(): Uint16Array {
    return this.#file.column("statusOf");
  }

  get arrived(): Float64Array {
    return this.#file.column("arrived");
  }

  interval(url: number): Interval {
    return intervalOf(this.#file.head.bounds, this.arrived[url], isDownloaded(this.state[url]));
  }

  missing(url: number): { readonly reason: MissingReason; readonly mass: number } | undefined {
    const { damping, missingScale } = this.#file.head;
    const { state, arrived } = this;
    const reason = missingReason(state[url]);
    if (reason === undefined) return undefined;
    const masses: PageMasses = { pages: state.length, damping, state, arrived: (page) => arrived[page] };
    const mass = missingFlow(masses, url, reason) * missingScale;
    return mass > 0 ? { reason, mass } : undefined;
  }

  place(url: number): number {
    this.#places ??= placesOf(this.byImportance, this.state);
    return this.#places[url];
  }

  linksTo(url: number): Uint32Array {
    const bounds = this.#file.range("inStarts", url, url + 2);
    return this.#file.range("inSources", bounds[0], bounds[1]);
  }

  linkCount(url: number): number {
    return this.#file.column("linkCounts")[url];
  }

  attempts(url: number): Uint32Array {
    const urls = this.#file.column("attemptUrls");
    return this.#file.column("attemptVisits").filter((_, k) => urls[k] === url);
  }

  close(): void {
    this.#file.close();
  }
}

function placesOf(byImportance: Uint32Array, state: Uint8Array): Uint32Array {
  const places = new Uint32Array(state.length);
  let place = 0;
  for (const url of byImportance) if (isDownloaded(state[url])) places[url] = ++place;
  return places;
}
