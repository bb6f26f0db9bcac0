/** Bugs in the search: pages that are not found, found twice or in the wrong crawl, queries that FTS5 refuses. */
import type { Mutant } from "../mutant.ts";

const query = "test/content/search-query.test.ts";
const index = "test/content/search-index.test.ts";
const ranking = "test/content/search.test.ts";

export const content: readonly Mutant[] = [
  {
    file: "src/content/search-query.ts",
    find: 'query.replaceAll("\\0", " ")',
    replace: "query",
    plants: "A NUL in a search ends the expression before its closing quote.",
    killedBy: [query],
  },
  {
    file: "src/content/search-query.ts",
    find: "if (!IN_WORD.test(word)) continue;",
    replace: "",
    plants: "Punctuation alone is searched for.",
    killedBy: [query],
  },
  {
    file: "src/content/search-query.ts",
    find: 'excluded.join(" OR ")',
    replace: 'excluded.join(" AND ")',
    plants: "Only pages with all of the excluded words are left out.",
    killedBy: [query],
  },
  {
    file: "src/content/search-query.ts",
    find: 'wanted.join(" AND ")',
    replace: 'wanted.join(" OR ")',
    plants: "A page with one of the words is found.",
    killedBy: [query, index],
  },
  {
    file: "src/content/search-index.ts",
    find: "if (crawl !== crawlOf(store) || visits >= store.nextVisit) return false;",
    replace: "if (visits >= store.nextVisit) return false;",
    plants: "The index of another crawl is used.",
    killedBy: [index],
  },
  {
    file: "src/content/search-index.ts",
    find: "if (crawl !== crawlOf(store) || visits >= store.nextVisit) return false;",
    replace: "if (crawl !== crawlOf(store)) return false;",
    plants: "An index that knows more visits than the crawl has is used.",
    killedBy: [index],
  },
  {
    file: "src/content/search-index.ts",
    find: "return last.atMs === lastMs;",
    replace: "return last !== undefined;",
    plants: "The index of a copy that took another course is used.",
    killedBy: [index],
  },
  {
    file: "src/content/search-index.ts",
    find: "store.visits(visits + 1)",
    replace: "store.visits(visits + 2)",
    plants: "The first page of each step is not indexed.",
    killedBy: [index],
  },
  {
    file: "src/content/search-index.ts",
    find: "if (archive !== state.archive) state = { ...state, archive, retried: -1 };",
    replace: "state = { ...state, archive };",
    plants: "Pages that were searched for before the archive was closed are never found.",
    killedBy: [index],
  },
  {
    file: "src/content/search-index.ts",
    find: "      rollBack(this.#database);\n",
    replace: '      this.#database.exec("COMMIT");\n',
    plants: "Half a step is kept when it fails.",
    killedBy: [index],
  },
  {
    file: "src/content/search-index.ts",
    find: "if (!isDamage(error)) throw error;\n    removeIndex(path);\n    return opened(path);",
    replace: "throw error;",
    plants: "A damaged index stays, and no search works any more.",
    killedBy: [index],
  },
  {
    file: "src/content/search-index.ts",
    find: "-bm25(pages, 8, 4, 1)",
    replace: "-bm25(pages, 1, 1, 1)",
    plants: "A title counts no more than the text.",
    killedBy: [index],
  },
  {
    file: "src/content/page-words.ts",
    find: "return decodeURIComponent(rest);",
    replace: "return rest;",
    plants: "Words of a URL that are percent-encoded are not found.",
    killedBy: [index],
  },
  {
    file: "src/content/page-words.ts",
    find: "unicode61 remove_diacritics 2",
    replace: "unicode61 remove_diacritics 0",
    plants: "A word is not found if its accents were not typed.",
    killedBy: [index, ranking],
  },
  {
    file: "src/content/search.ts",
    find: "Math.log1p(pages * of(id)) / Math.log1p(pages * greatest)",
    replace: "of(id) / greatest",
    plants: "Importance counts as it is, not by its logarithm.",
    killedBy: [ranking],
  },
  {
    file: "src/content/search.ts",
    find: "score: score * (1 + weight(importance, id))",
    replace: "score: score * (1 + 100 * weight(importance, id))",
    plants: "An important page that mentions a word comes before the page about it.",
    killedBy: [ranking],
  },
  {
    file: "src/content/search.ts",
    find: "b.score - a.score || a.id - b.id",
    replace: "a.score - b.score || a.id - b.id",
    plants: "The worst page comes first.",
    killedBy: [ranking],
  },
  {
    file: "src/content/excerpts.ts",
    find: "isMatch: k % 2 === 1",
    replace: "isMatch: parts.length % 2 === 1",
    plants: "If an excerpt begins with a word that was searched for, the others are marked.",
    killedBy: [ranking],
  },
  {
    file: "src/content/page-words.ts",
    find: "return text.replace(UNSPACED, `${DIVIDER}$&${DIVIDER}`);",
    replace: "return text;",
    plants: "A word inside of a Chinese text is not found.",
    killedBy: [index],
  },
  {
    file: "src/content/excerpts.ts",
    find: "undivided(marked)",
    replace: "marked",
    plants: "Excerpts of Chinese texts have spaces of no width in them.",
    killedBy: [ranking],
  },
];
