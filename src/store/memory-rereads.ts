/** The rereads of a store in memory, and what undoes all since a commit. */
import { type Reread, type RereadFolds, RereadFolding } from "../log/index.ts";

export class MemoryRereads {
  #rows: Reread[] = [];
  #committed = 0;
  /** The committed rows, if some were folded since. */
  #unfolded: Reread[] | undefined;

  /** The number of the last one; 0 without any. */
  get count(): number {
    return this.#rows.at(-1)?.number ?? 0;
  }

  get all(): readonly Reread[] {
    return this.#rows;
  }

  add(reread: Reread): void {
    this.#rows.push(reread);
  }

  foldable(untilMs: number): RereadFolds {
    const folding = new RereadFolding(untilMs);
    for (const row of this.#rows) folding.add(row);
    return folding.take();
  }

  fold({ folded, into }: RereadFolds): void {
    this.#unfolded ??= this.#rows.slice(0, this.#committed);
    const gone = new Set(folded);
    this.#rows = this.#rows
      .filter(({ number }) => !gone.has(number))
      .map((row) => (into.has(row.number) ? { ...row, earlier: into.get(row.number)! } : row));
  }

  commit(): void {
    this.#committed = this.#rows.length;
    this.#unfolded = undefined;
  }

  undo(): void {
    if (this.#unfolded === undefined) this.#rows.length = this.#committed;
    else this.#rows = this.#unfolded;
    this.#unfolded = undefined;
  }
}
