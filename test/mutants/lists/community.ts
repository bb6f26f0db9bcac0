/** Bugs in what a local collection is worth to the whole web. */
import type { Mutant } from "../mutant.ts";

const scores = "test/community/scores.test.ts";
const global = "test/community/global-pagerank.test.ts";
const survey = "test/community/survey.test.ts";

export const community: readonly Mutant[] = [
  {
    file: "src/community/stochastic-complement.ts",
    find: "losses[k] = (damping * ranks[k]) / (links * (links + 1));",
    replace: "losses[k] = (damping * ranks[k]) / (links * links);",
    plants: "Siblings of a candidate lose too much.",
    killedBy: [scores],
  },
  {
    file: "src/community/stochastic-complement.ts",
    find: "if (links === 0) fromDangling += ranks[k];",
    replace: "",
    plants: "A page whose only link is to the candidate still leads everywhere.",
    killedBy: [scores],
  },
  {
    file: "src/community/stochastic-complement.ts",
    find: "if (arcs === 0) return { slope: 0, level: (damping / pages + jump) / (1 - jump) };",
    replace: "if (arcs === 0) return { slope: 0, level: jump / (1 - jump) };",
    plants: "Where no page has a link a candidate hands nothing on.",
    killedBy: [scores],
  },
  {
    file: "src/community/stochastic-complement.ts",
    find: "    x[sibling] = 0;\n",
    replace: "",
    plants: "What one candidate takes from its siblings is taken again by the next.",
    killedBy: [scores],
  },
  {
    file: "src/community/flow-norms.ts",
    find: "slope === 0 ? (base < 0 ? greatest : -1) : Math.floor(-base / (g * slope))",
    replace: "slope === 0 ? (base < 0 ? greatest : -1) : Math.ceil(-base / (g * slope))",
    plants: "A sum of magnitudes counts one in-degree with the wrong sign.",
    killedBy: [scores],
  },
  {
    file: "src/community/known-web.ts",
    find: "          if (at === i) continue;\n",
    replace: "",
    plants: "Self links count as in-links.",
    killedBy: [scores, global],
  },
  {
    file: "src/community/known-web.ts",
    find: "for (let c = 0; c < candidates.length; c++) place[candidates[c]] = UNKNOWN;",
    replace: "",
    plants: "Candidates of one round are mistaken for those of the next.",
    killedBy: [global, scores],
  },
  {
    file: "src/community/global-pagerank.ts",
    find: "for (let i = 0; i < count; i++) part[i] /= sum;",
    replace: "",
    plants: "The ranks of a local domain do not sum to 1.",
    killedBy: [global],
  },
  {
    file: "src/community/global-pagerank.ts",
    find: "if (round === rounds) return;",
    replace: "if (round > rounds) return;",
    plants: "One round too many is crawled.",
    killedBy: [global],
  },
  {
    file: "src/community/local-domain.ts",
    find: "new Uint32Array(Math.min(pagesMax, web.pages))",
    replace: "new Uint32Array(Math.min(pagesMax + 1, web.pages))",
    plants: "A topic may have one page more than its most.",
    killedBy: [survey],
  },
  {
    file: "src/community/survey.ts",
    find: "      if (target === j) continue;\n",
    replace: "",
    plants: "A link of a page to itself lowers its impact.",
    killedBy: [survey, global, scores],
  },
  {
    file: "src/community/select.ts",
    find: "flow += ranks[k] / (offsets[k + 1] - offsets[k] + 1);",
    replace: "flow += ranks[k] / Math.max(1, offsets[k + 1] - offsets[k]);",
    plants: "PageRank flow to a candidate does not count the link to it.",
    killedBy: [scores],
  },
  {
    file: "src/community/global-pagerank.ts",
    find: "kendallTau(estimate.map(Math.fround), truth.map(Math.fround))",
    replace: "kendallTau(estimate, truth)",
    plants: "The noise of a solver decides the order of equal pages.",
    killedBy: [survey, global, scores],
  },
];
