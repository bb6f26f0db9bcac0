/** Remarks that are worth keeping: told at once, or, where a picture shows what happens, when it is gone. */
import { counted } from "../../base/index.ts";

/** Nobody reads more of them. */
const NOTES_MAX = 10;

export class LastingNotes {
  readonly #note: (text: string) => void;
  readonly #waits: boolean;
  readonly #kept: string[] = [];
  #more = 0;

  constructor(note: (text: string) => void, waits: boolean) {
    this.#note = note;
    this.#waits = waits;
  }

  add(text: string): void {
    if (!this.#waits) this.#note(text);
    else if (this.#kept.length < NOTES_MAX) this.#kept.push(text);
    else this.#more++;
  }

  tell(): void {
    for (const text of this.#kept.splice(0)) this.#note(text);
    if (this.#more > 0) this.#note(`${counted(this.#more, "more remark")} like these`);
    this.#more = 0;
  }
}
