/** Something that takes long where there is much of it is done only so often that it takes this share of the time. */
export class ShareOfTime {
  readonly #share: number;
  #endedMs = Number.NEGATIVE_INFINITY;
  #tookMs = 0;

  constructor(share: number) {
    this.#share = share;
  }

  isDue(nowMs: number): boolean {
    return nowMs - this.#endedMs >= this.#tookMs / this.#share;
  }

  /** It was done from one moment to another. */
  took(fromMs: number, toMs: number): void {
    this.#endedMs = toMs;
    this.#tookMs = toMs - fromMs;
  }
}
