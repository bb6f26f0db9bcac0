/** By which rule an order chooses what is fetched next, for people who look at its choice. */

/** What is listed and what decides are not counted at the same moment. */
const SWAPPED =
  "The shares below are the survey's, which follows every share to its end; the order counts what arrives only as far as that pays, so neighbours may look swapped.";

const RULES: Readonly<Record<string, string>> = {
  rankmass: `First comes the page on which most probability waits: the share of all surfers that certainly arrives there and that no page read so far accounts for. Fetching it raises certified coverage most. ${SWAPPED}`,
  windowed: `The pages on which most probability waits are fetched in batches; within a batch they come in the sequence in which it was drawn up. ${SWAPPED}`,
  lneighbor: "Breadth first: pages fewest links away from the seeds come first, level by level.",
  fpr: "First comes the page with the greatest fractional rank: what the pages that link to it have handed on to it.",
  opic: "First comes the page with most cash: every page that is read shares its own among the pages it links to.",
  backlink: "First comes the page to which most of the pages read so far link.",
  pagerank:
    "First comes the page of greatest PageRank in the known part of the web, computed again whenever that has grown by 10%.",
  random: "Any page that waits, each with the same chance.",
};

/** A few sentences; of an order that is not known, only its name. */
export function orderRule(order: string): string {
  const family = order.replace(/[:@].*$/, "");
  return RULES[family] ?? `The order is ${order}.`;
}
