/** The levels that a look tests below its target: fixed before the dice are thrown, so that they cannot be chosen. */
const LEVELS = [
  0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.82, 0.84, 0.86, 0.88, 0.9,
  0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99, 0.995, 0.998, 0.999,
];

/** Rising; the last one is the target. */
export function levelsUpTo(target: number): readonly number[] {
  return [...LEVELS.filter((level) => level < target), target];
}
