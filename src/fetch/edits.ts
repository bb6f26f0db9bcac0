/**
 * Bytes that are passed on with some pieces replaced. What stays is passed on without being copied, and all in one
 * piece if nothing was replaced.
 */
export class Edits {
  readonly bytes: Buffer;
  readonly #passOn: (piece: Buffer) => void;
  /** Everything before has been passed on or replaced. */
  #from = 0;

  constructor(bytes: Buffer, passOn: (piece: Buffer) => void) {
    this.bytes = bytes;
    this.#passOn = passOn;
  }

  /** From left to right only. `text` is latin1. */
  replace(from: number, to: number, text: string): void {
    this.keepTo(from);
    if (text !== "") this.#passOn(Buffer.from(text, "latin1"));
    this.#from = to;
  }

  keepTo(end: number): void {
    if (end > this.#from) this.#passOn(this.bytes.subarray(this.#from, end));
    this.#from = end;
  }
}
