/** Bugs in findings: links that are called broken and are not, or the other way round; chains and groups cut short. */
import type { Mutant } from "../mutant.ts";

const byHand = "test/findings/findings.test.ts";
const summary = "test/findings/summary.test.ts";
const anchors = "test/web/html-anchors.test.ts";
const tables = "test/findings/tables.test.ts";

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
];
