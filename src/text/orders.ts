/** The rule by which an order chooses the next page. */

const SEE_SURVEY =
  "The shares below are exact; the crawler uses approximations, so pages with similar shares may be fetched in " +
  "another order.";

const RULES: Readonly<Record<string, string>> = {
  rankmass:
    "The page with the largest proven share that is not covered yet comes first, because fetching it raises coverage " +
    `most. ${SEE_SURVEY}`,
  "rankmass:valued":
    "The page with the largest proven share that is not covered yet, times the value expected of it, comes first. " +
    "What is expected follows from the values of fetched pages: those of its host, and those that link to it.",
  windowed:
    "The pages with the largest proven shares that are not covered yet are fetched in batches. Within a batch they " +
    `keep the order in which the batch was built. ${SEE_SURVEY}`,
  lneighbor: "Breadth first: pages with the fewest links from a seed come first, level by level.",
  fpr: "The page with the highest fractional PageRank comes first: what the pages that link to it have passed on.",
  opic: "The page with the most cash comes first: every page that is read shares its cash among the pages it links to.",
  backlink: "The page with the most links from fetched pages comes first.",
  pagerank:
    "The page with the highest PageRank in the known part of the web comes first. PageRank is computed again " +
    "whenever that part has grown by 10%.",
  random: "Any waiting page, each with the same probability.",
};

/** Some sentences; for an unknown order, only its name. */
export function orderRule(order: string): string {
  const family = order.replace(/[:@].*$/, "");
  return RULES[order] ?? RULES[family] ?? `The order is ${order}.`;
}
