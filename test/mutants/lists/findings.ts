/** Bugs in findings: links that are called broken and are not, or the other way round; chains and groups cut short. */
import type { Mutant } from "../mutant.ts";

const byHand = "test/findings/findings.test.ts";
const summary = "test/findings/summary.test.ts";
const anchors = "test/web/html-anchors.test.ts";
const tables = "test/findings/tables.test.ts";
const near = "test/findings/near-duplicates.test.ts";
const simhash = "test/web/simhash.test.ts";

export const findings: readonly Mutant[] = [
  {
    file: "src/findings/broken-links.ts",
    find: "const end = state[url] === PageState.Redirected ? redirectsFrom(site, url).end : url;",
    replace: "const end = url;",
    plants: "A link to a redirect that ends at a dead URL is not broken.",
    killedBy: [byHand],
  },
  {
    file: "src/findings/broken-links.ts",
    find: 'refusedState("failed"), ',
    replace: "",
    plants: "A link to a page that answers 500 is not broken.",
    killedBy: [byHand],
  },
  {
    file: "src/findings/broken-links.ts",
    find: "listed.clear();",
    replace: "",
    plants: "A dead URL is listed for the first page only that links to it.",
    killedBy: [byHand],
  },
  {
    file: "src/findings/crawled-site.ts",
    find: "if (target === page || lastSource[target] === page + 1) continue;",
    replace: "if (target === page) continue;",
    plants: "A page that links twice to a URL counts as two.",
    killedBy: [byHand],
  },
  {
    file: "src/findings/content-groups.ts",
    find: "if (digest === null || !isDownloaded(outcome)) return;",
    replace: "if (digest === null || isDownloaded(outcome)) return;",
    plants: "Pages have no digests, so none is a copy.",
    killedBy: [byHand],
  },
  {
    file: "src/findings/tables.ts",
    find: "if (end.target !== null) chain.push({ url: end.target, status: null });",
    replace: "",
    plants: "A chain that goes round does not show where it comes back.",
    killedBy: [tables],
  },
  {
    file: "src/findings/tables.ts",
    find: '(state === "dead" || state === "refused")',
    replace: 'state === "dead"',
    plants: "A redirect that leaves the scope is not listed.",
    killedBy: [tables],
  },
  {
    file: "src/findings/summary.ts",
    find: "if (source !== last) sources++;",
    replace: "sources++;",
    plants: "A page with two broken links counts as two pages.",
    killedBy: [summary],
  },
  {
    file: "src/findings/summary.ts",
    find: "while (at > 0 && this.items[at - 1].value < value) at--;",
    replace: "",
    plants: "Redirects are listed as they were discovered, not by their links.",
    killedBy: [summary],
  },
  {
    file: "src/findings/summary.ts",
    find: "if (first.length < FINDINGS_MAX) first.push({ source, way: wayFrom(site, target) });",
    replace: "first.push({ source, way: wayFrom(site, target) });",
    plants: "The broken links of a summary grow with the crawl.",
    killedBy: [summary],
  },
  {
    file: "src/survey/surveyor.ts",
    find: "pages: byImportance.filter((url) => isDownloaded(state[url])),",
    replace: "pages: byImportance.filter((url) => !isDownloaded(state[url])),",
    plants: "A survey looks for broken links on pages that were not downloaded.",
    killedBy: ["test/survey/survey.test.ts"],
  },
  {
    file: "src/findings/orphans.ts",
    find: "isTarget[url] === 0 && linkedFrom(url) === 0",
    replace: "linkedFrom(url) === 0",
    plants: "A page that a redirect leads to is an orphan.",
    killedBy: [byHand],
  },
  {
    file: "src/web/html-anchors.ts",
    find: 'return seen !== "" || alt === "" ? seen : anchorText(titleText(decode(alt)));',
    replace: "return seen;",
    plants: "A link that is a picture has no text.",
    killedBy: [anchors],
  },
  {
    file: "src/web/html-scan.ts",
    find: "this.#closeAnchor(start - 2);",
    replace: "this.#closeAnchor(start - 3);",
    plants: "The text of a link lacks its last letter.",
    killedBy: [anchors],
  },
  {
    file: "src/findings/broken-links.ts",
    find: "place: k - starts[source]",
    replace: "place: k - starts[source] - 1",
    plants: "A broken link has the text of the link before it.",
    killedBy: [tables],
  },
  {
    file: "src/store/memory-store.ts",
    find: "this.#anchors.delete(visit.number);",
    replace: "",
    plants: "A crash leaves texts of links that were not committed.",
    killedBy: ["test/store/memory-store.test.ts"],
  },
  {
    file: "src/findings/leaders.ts",
    find: "DISTANCE_MAX) first = number;",
    replace: "DISTANCE_MAX + 1) first = number;",
    plants: "Pages that differ in four bits are near-duplicates.",
    killedBy: [near],
  },
  {
    file: "src/findings/leaders.ts",
    find: "if (number >= first) break;",
    replace: "",
    plants: "A page joins the leader found last, not the most important one.",
    killedBy: [near],
  },
  {
    file: "src/findings/leaders.ts",
    find: "(block % 2 === 0 ? half >>> 16 : half & 0xffff)",
    replace: "(half >>> 16)",
    plants: "Near-duplicates are found only if they agree in the first block of a half.",
    killedBy: [near],
  },
  {
    file: "src/findings/leaders.ts",
    find: "Math.min(this.#ends[bucket], start + BUCKET_MAX)",
    replace: "this.#ends[bucket]",
    plants: "A crowded bucket is searched to its end, for every page.",
    killedBy: [near],
  },
  {
    file: "src/findings/near-duplicates.ts",
    find: "if (before >= 0) return leaderOfSeen[before];",
    replace: "if (before >= 0) return before;",
    plants: "A page joins the group whose number is that of its hash.",
    killedBy: [near],
  },
  {
    file: "src/findings/log-facts.ts",
    find: "this.simhashes.groups(this.digests.distinct(pages))",
    replace: "this.simhashes.groups(pages)",
    plants: "Exact copies are near-duplicates too.",
    killedBy: [tables, summary],
  },
  {
    file: "src/web/simhash.ts",
    find: "return greaterThan(shingles >> 1);",
    replace: "return greaterThan((shingles >> 1) - 1);",
    plants: "A bit of a SimHash is 1 though it is 1 in no more than half of the shingles.",
    killedBy: [simhash],
  },
  {
    file: "src/web/simhash.ts",
    find: "const secondCarry = ((first ^ b) & c) | (second & d);",
    replace: "const secondCarry = (first & c) | (second & d);",
    plants: "A carry of the counts of a SimHash is lost.",
    killedBy: [simhash],
  },
  {
    file: "src/web/simhash.ts",
    find: "return endOfUnseen(body, at, name);",
    replace: "return at + 1;",
    plants: "The words of scripts count.",
    killedBy: [simhash],
  },
  {
    file: "src/store/schema.ts",
    find: "    ADD_SIMHASH,\n  ];",
    replace: "  ];",
    plants: "A crawl of version 5 cannot be continued.",
    killedBy: ["test/store/migration.test.ts"],
  },
];
