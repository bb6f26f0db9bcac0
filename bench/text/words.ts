/** How much two texts have in common, by their words, each as often as it occurs. */

export interface Score {
  /** The share of the words found that are expected. */
  readonly precision: number;
  /** The share of the words expected that were found. */
  readonly recall: number;
  readonly f: number;
}

/** Two letters or more: what stands alone is mostly part of code. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
}

export function scoreOf(found: string, expected: string): Score {
  const [had, wanted] = [wordsOf(found), wordsOf(expected)];
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of had) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common++;
  }
  const precision = common / Math.max(1, had.length);
  const recall = common / Math.max(1, wanted.length);
  return { precision, recall, f: (2 * common) / Math.max(1, had.length + wanted.length) };
}

export function meanScore(scores: readonly Score[]): Score {
  const mean = (of: (score: Score) => number): number =>
    scores.reduce((sum, score) => sum + of(score), 0) / Math.max(1, scores.length);
  return { precision: mean(({ precision }) => precision), recall: mean(({ recall }) => recall), f: mean(({ f }) => f) };
}
