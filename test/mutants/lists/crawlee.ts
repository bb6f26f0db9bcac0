/** Bugs in the queue for Crawlee: a proof above the truth, requests that are lost, a crawl that does not end. */
import type { Mutant } from "../mutant.ts";

const coverage = "test/crawlee/coverage.test.ts";
const browser = "test/crawlee/browser-page.test.ts";
const labels = "test/crawlee/labels.test.ts";
const late = "test/crawlee/late-links.test.ts";
const queue = "test/crawlee/importance-queue.test.ts";
const soundness = "test/crawlee/soundness.test.ts";

export const crawlee: readonly Mutant[] = [
  {
    file: "src/crawlee/crawled-web.ts",
    find: "[...this.#takenOf(page), ...sinks]",
    replace: "[...this.#takenOf(page)]",
    plants: "Links that the user's filter dropped are no links: the others get their share.",
    killedBy: [coverage, soundness],
  },
  {
    file: "src/crawlee/outcome-reports.ts",
    find: "      if (target === page || (target !== undefined && this.#web.hasTaken(page, target))) continue;\n",
    replace: "      if (target !== undefined) continue;\n",
    plants: "A dropped link to a page that was seen before is forgotten.",
    killedBy: [coverage],
  },
  {
    file: "src/crawlee/outcome-reports.ts",
    find: "else if (links === null || !isComplete)",
    replace: "else if (links === null)",
    plants: "A page whose handler threw counts as one whose links are all known.",
    killedBy: [coverage, soundness],
  },
  {
    file: "src/crawlee/crawled-web.ts",
    find: "    this.#coverage.distrust(page);\n",
    replace: "",
    plants: "A link that was taken too late counts as dropped.",
    killedBy: [late, soundness],
  },
  {
    file: "src/crawlee/crawled-web.ts",
    find: "|| this.#hasLink(page, to)) return true;",
    replace: "|| !this.#hasLink(page, this.#sink)) return true;",
    plants: "A late link is noticed only on a page of which links were dropped.",
    killedBy: [late, soundness],
  },
  {
    file: "src/crawlee/importance-queue.ts",
    find: "    // Less is proved than before: the crawl may have to go on.\n    this.#waiting.isClosed = this.#web.isReached;\n",
    replace: "",
    plants: "A crawl that has reached its target stays closed when less is proved than before.",
    killedBy: [late],
  },
  {
    file: "src/crawlee/revisable-coverage.ts",
    find: "if (this.#distrusted.has(page) || state === PageState.LinksUnknown)",
    replace: "if (state === PageState.LinksUnknown)",
    plants: "A page with a late link keeps the links that it was counted with.",
    killedBy: [late, soundness],
  },
  {
    file: "src/crawlee/revisable-coverage.ts",
    find: "    else if (state === PageState.Redirected) ledger.redirected(page, before.redirectOf(page));\n",
    replace: "",
    plants: "Redirects are forgotten when the links of a page become unknown.",
    killedBy: [late],
  },
  {
    file: "src/crawlee/importance-queue.ts",
    find: "        // A limit is no filter: the link was taken, and its target is missing.\n        this.#noteTaken(request);\n",
    replace: "",
    plants: "Links beyond the limit of requests count as dropped.",
    killedBy: [soundness],
  },
  {
    file: "src/crawlee/importance-queue.ts",
    find: "queue !== this || !fetchesPage(request)",
    replace: "queue !== this",
    plants: "A POST request takes a link.",
    killedBy: [coverage],
  },
  {
    file: "src/crawlee/importance-queue.ts",
    find: "this.#reports.report(queued);\n      this.#waiting.isClosed = this.#web.isReached;\n",
    replace: "this.#reports.report(queued);\n",
    plants: "The crawl goes on beyond its coverage.",
    killedBy: [queue],
  },
  {
    file: "src/crawlee/outcome-reports.ts",
    find: " && !this.#table.isUnderWay(end)",
    replace: "",
    plants:
      "The end of a redirect counts with the links that the redirecting request took, though its own request waits.",
    killedBy: [labels],
  },
  {
    file: "src/crawlee/outcome-reports.ts",
    find: "    if (this.#web.goesRound(page, end)) {",
    replace: "    if (page === end) {",
    plants: "Two pages that redirect to each other are dead.",
    killedBy: [labels],
  },
  {
    file: "src/crawlee/importance-queue.ts",
    find: "fetchesPage(context.request) ? this.#table.endOf(-1, loadedUrl) : -1",
    replace: "-1",
    plants: "Links that a second request of a URL takes count as dropped.",
    killedBy: [labels, soundness],
  },
  {
    file: "src/crawlee/page-content.ts",
    find: "  if (page.truncation !== null) return null;\n",
    replace: "",
    plants: "A page of which some links were left out counts as one whose links are all known.",
    killedBy: [coverage],
  },
  {
    file: "src/crawlee/page-content.ts",
    find: "links: late === null ? null : new Set([...content.links, ...late])",
    replace: "links: content.links",
    plants: "Links that appear while the handler runs are not seen.",
    killedBy: [browser],
  },
  {
    file: "src/crawlee/page-content.ts",
    find: "const late = isLeft ? null : await",
    replace: "const late = isLeft ? content.links : await",
    plants: "A page that the handler has left counts with the links from before.",
    killedBy: [browser],
  },
  {
    file: "src/crawlee/page-content.ts",
    find: "  } catch {\n    return null;\n  }\n}\n\n/** Canonical",
    replace: "  } catch {\n    return new Set();\n  }\n}\n\n/** Canonical",
    plants: "A page that the handler has closed counts with the links from before.",
    killedBy: [browser],
  },
  {
    file: "src/crawlee/request-table.ts",
    find: "    this.#web.alias(url, queued.page);\n    return queued.page;\n",
    replace: "    return undefined;\n",
    plants: "The other way to write a link counts as a link that was dropped.",
    killedBy: [coverage, soundness],
  },
  {
    file: "src/crawlee/crawled-web.ts",
    find: "    return this.#hasTarget && isReached;\n",
    replace: "    return isReached;\n",
    plants: "A crawl without a target ends before its queue is empty.",
    killedBy: [queue],
  },
  {
    file: "src/crawlee/crawled-web.ts",
    find: "const isReached = this.#coverage.reached();",
    replace: "const isReached = this.#hasTarget && this.#coverage.reached();",
    plants: "Without a target, the coverage of a queue stays 0.",
    killedBy: [coverage, soundness],
  },
  {
    file: "src/crawlee/request-table.ts",
    find: "before?.isOurs === true && fetchesPage(request)",
    replace: "before?.isOurs === true",
    plants: "A POST to the URL of a seed takes the place of the seed.",
    killedBy: [queue],
  },
  {
    file: "src/crawlee/waiting-requests.ts",
    find: "    else if (this.#withoutRequest.delete(page)) this.#web.order.putBack(page);\n",
    replace: "",
    plants: "A page that a limit kept out once is never requested.",
    killedBy: [queue],
  },
  {
    file: "src/crawlee/waiting-requests.ts",
    find: "    else this.#web.order.putBack(page);\n  }\n\n  /** What is looked",
    replace: "  }\n\n  /** What is looked",
    plants: "A request that Crawlee puts off is lost.",
    killedBy: [queue],
  },
  {
    file: "src/crawlee/checked-options.ts",
    find: "  if (value === globalThis.Request) {",
    replace: "  if (value === globalThis.Response) {",
    plants: "The Request of fetch is mistaken for some other class.",
    killedBy: [queue],
  },
];
