/** The rule by which an order chooses the next page. */

const SEE_SURVEY =
  "The shares below come from the survey, which follows every share to its end. The order stops earlier, so " +
  "neighbours may appear swapped.";

const RULES: Readonly<Record<string, string>> = {
  rankmass:
    "The page with the most waiting probability comes first: the share of all surfers that certainly arrive there " +
    `and that no fetched page accounts for. Fetching it raises certified coverage most. ${SEE_SURVEY}`,
  windowed:
    "The pages with the most waiting probability are fetched in batches. Within a batch they keep the order in which " +
    `the batch was built. ${SEE_SURVEY}`,
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
  return RULES[family] ?? `The order is ${order}.`;
}
