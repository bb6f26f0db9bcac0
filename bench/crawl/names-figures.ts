/** What the parts of the benchmark of names tell each other. */
export interface NamesWeb {
  readonly pagesPort: number;
  /** Its name server, as `--dns` takes it. */
  readonly dns: string;
}

export interface NamesTask extends NamesWeb {
  readonly domain: "sound.test" | "mixed.test";
  /** "ahead": as shipped. "in-request": four at a time, by requests that hold their connection, as it was. */
  readonly lookups: "ahead" | "in-request";
  readonly pages: number;
  readonly secondsMax: number;
}

export interface NamesFigures {
  readonly lookups: NamesTask["lookups"];
  readonly domain: NamesTask["domain"];
  readonly pages: number;
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly peakMegabytes: number;
}
