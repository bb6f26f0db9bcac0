/** Bugs in what comes out of a crawl: a pack that is too long, holds less than it says, or misses what matters. */
import type { Mutant } from "../mutant.ts";

const choice = "test/content/pack.test.ts";
const file = "test/content/pack-file.test.ts";
const whole = "test/content/pack-pages.test.ts";

export const packs: readonly Mutant[] = [
  {
    file: "src/content/pack.ts",
    find: "const taken = usual.value >= best.value + around.value ? usual.taken : around.taken.add(best);",
    replace: "const { taken } = usual;",
    plants: "A short page of little value keeps out a large one that is worth more than all that is packed.",
    killedBy: [choice],
  },
  {
    file: "src/content/pack.ts",
    find: "return items.toSorted((a, b) => density(b) - density(a));",
    replace: "return items.toSorted((a, b) => b.value - a.value);",
    plants: "Pages are packed by importance, however many tokens they take.",
    killedBy: [choice],
  },
  {
    file: "src/content/pack.ts",
    find: "} else passedOver ??= item;",
    replace: "} else passedOver = item;",
    plants: "The cut is the last page that does not fit: far more pages are looked at.",
    killedBy: [choice],
  },
  {
    file: "src/content/pack.ts",
    find: "Math.floor(value / this.#cut)",
    replace: "Math.floor((value / this.#cut) * 0.7)",
    plants: "Pages that are worth more per token than the cut are left out of a pack.",
    killedBy: [choice],
  },
  {
    file: "src/content/pack-file.ts",
    find: 'if (marks.startsWith(fence) && info.trim() === "") fence = "";',
    replace: 'if (marks !== "") fence = "";',
    plants: "A shorter fence, or the beginning of another, ends code.",
    killedBy: [file],
  },
  {
    file: "src/content/pack-file.ts",
    find: 'if (fence !== "") lines.push(fence);',
    replace: "",
    plants: "Code that never ends goes on over the next pages of a pack.",
    killedBy: [file],
  },
  {
    file: "src/content/pack-file.ts",
    find: "Math.min(LEVEL_MAX, level + LEVELS)",
    replace: "level + LEVELS",
    plants: "A heading of the fifth level gets seven signs, which make no heading.",
    killedBy: [file],
  },
  {
    file: "src/content/pack-file.ts",
    find: 'text.replaceAll(SIGNS, "\\\\$&")',
    replace: "text",
    plants: "A bracket in a title ends its link in the table of contents.",
    killedBy: [file],
  },
  {
    file: "src/content/pack-pages.ts",
    find: "return this.#task.count(contentsLine(number, page) + section(number, page), most);",
    replace: "return this.#task.count(section(number, page), most);",
    plants: "The table of contents is not in the budget.",
    killedBy: [whole],
  },
  {
    file: "src/content/pack-pages.ts",
    find: "least = Math.min(least, pack.tokens);",
    replace: "least = Math.min(least, cost + this.headCost);",
    plants: "The least number of tokens that is named for a pack is more than it takes.",
    killedBy: [whole],
  },
  {
    file: "src/content/pack-pages.ts",
    find: "for (let said = -1; said !== tokens; ) {",
    replace: "for (let said = -1; said < 0; ) {",
    plants: "The head of a pack does not count itself as it is written.",
    killedBy: [whole],
  },
  {
    file: "src/content/pack-pages.ts",
    find: "if (costMax < COST_MIN || misses >= MISSES_MAX) return;",
    replace: "",
    plants: "Every page of a crawl is looked at for a pack, however unimportant.",
    killedBy: [whole],
  },
  {
    file: "src/content/pack-pages.ts",
    find: "if (costMax === budget) this.#tooLong++;",
    replace: "this.#tooLong++;",
    plants: "Pages that are not worth their tokens are reported as too long for the budget.",
    killedBy: [whole],
  },
  {
    file: "src/content/tokens.ts",
    find: "isWithinTokenLimit(text, most, PLAIN)",
    replace: "isWithinTokenLimit(text, most)",
    plants: "A page that writes <|endoftext|> ends the pack with an error.",
    killedBy: [whole],
  },
  {
    file: "src/content/tokens.ts",
    find: "for (const [run] of text.matchAll(RUN)) if (run.length > RUN_MAX) return false;",
    replace: "",
    plants: "A million letters in a row are counted for a quarter of an hour.",
    killedBy: [whole],
  },
  {
    file: "src/content/pack-pages.ts",
    find: "const ids = new Set([...pages, ...others]);",
    replace: "const ids = new Set(pages);",
    plants: "What is left of the budget of a pack is not used.",
    killedBy: [whole],
  },
  {
    file: "src/content/pack-pages.ts",
    find: "      left -= cost;\n",
    replace: "",
    plants: "Several pages are put into the same rest of the budget.",
    killedBy: [whole],
  },
  {
    file: "src/content/pack-pages.ts",
    find: "misses >= FILL_MISSES_MAX",
    replace: "misses < 0",
    plants: "Every page of a crawl is tried for the last few tokens of a pack.",
    killedBy: [whole],
  },
];
