/** Bugs in rendering: which pages, what they may fetch, what is known of them afterwards. */
import type { Mutant } from "../mutant.ts";

const pages = "test/crawl/rendering/rendered-pages.test.ts";
const queue = "test/crawl/rendering/resource-queue.test.ts";
const choice = "test/crawl/rendering/render-choice.test.ts";
const cache = "test/crawl/rendering/resource-cache.test.ts";
const rules = "test/render/request-rules.test.ts";
const scriptMade = "test/web/script-made.test.ts";

export const rendering: readonly Mutant[] = [
  {
    file: "src/crawl/crawl-work.ts",
    find: 'content.linksUnknown ?? (isIncomplete ? "not-rendered" : null)',
    replace: "content.linksUnknown",
    plants: "All links are known of a page whose scripts were not run to the end.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/page-renders.ts",
    find: "rendered: null, isIncomplete: true }",
    replace: "rendered: null, isIncomplete: render.isIncomplete }",
    plants: "All links are known of a page that the browser gave up.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/page-renders.ts",
    find: "render.isIncomplete || rendering.isCut",
    replace: "render.isIncomplete",
    plants: "All links are known of a page that was cut by a limit.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: "    this.#options.incomplete(resource.render);\n",
    replace: "",
    plants: "A page is whole though what its scripts fetch did not come.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: '    if (reason === "aborted") return;\n',
    replace: '    if (reason === "aborted") return this.#supply(resource, null);\n',
    plants: "A page ends without what was cut off when the crawl stopped.",
    killedBy: [queue],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: "return isForGood ? this.#supply(resource, null) : this.#fail(resource, null);",
    replace: "return this.#supply(resource, null);",
    plants: "A page is whole without a script whose server has a bad certificate.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: "if (answer.truncated) return this.#fail(resource, answer);",
    replace: "",
    plants: "A page is whole with half of what its scripts fetched.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: "if (!this.#mayBeRead(resource, answer)) return this.#supply(resource, null);",
    replace: "",
    plants: "A script reads another host by way of a redirect.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: 'const kept = wanted.use === "data" ? undefined : this.#cache.find(pageHost, text);',
    replace: "const kept = undefined;",
    plants: "Every page fetches the scripts of its host again.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: "Math.max(host.pausedUntilMs - nowMs, heldMs) <= WAIT_MS_MAX",
    replace: "heldMs <= WAIT_MS_MAX",
    plants: "A page waits for a host that is paused, however long that is.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: "Math.max(host.pausedUntilMs - nowMs, heldMs) <= WAIT_MS_MAX",
    replace: "host.pausedUntilMs - nowMs <= WAIT_MS_MAX",
    plants: "A page waits for a robots.txt that does not come, however long that is.",
    killedBy: [queue],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: "const resource = hosts.mayRequestAuxiliary(host) ?",
    replace: "const resource = hosts !== undefined ?",
    plants: "What scripts fetch does not wait for a connection of its host.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/resource-queue.ts",
    find: "const isAnonymous = registrableDomain(pageHost) !== registrableDomain(host.name);",
    replace: "const isAnonymous = false;",
    plants: "A script of another site reads with the session of the user.",
    killedBy: [queue],
  },
  {
    file: "src/crawl/politeness/politeness.ts",
    find: "this.#options.followsSitemaps && isOfPages",
    replace: "this.#options.followsSitemaps",
    plants: "The sitemaps of a host that only has scripts are read.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/page-renders.ts",
    find: "return waited.filter((each) => !this.takesRead(each.page, each.plain));",
    replace: "return [];",
    plants: "Pages that waited for the decision about their host are lost.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/page-renders.ts",
    find: "if (this.#noticed.has(host) || this.#noticed.size >= NOTICES_MAX) return;",
    replace: "if (this.#noticed.size >= NOTICES_MAX) return;",
    plants: "Each script-made page gets a notice.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/page-renders.ts",
    find: 'return !truncated && isHtml(headers["content-type"] ?? null, body);',
    replace: 'return isHtml(headers["content-type"] ?? null, body);',
    plants: "Half a page is rendered as if it were whole.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/rendering/render-choice.ts",
    find: "rendered !== null && !rendered.isIncomplete",
    replace: "rendered !== null",
    plants: "A host is plain because what its samples fetch does not come.",
    killedBy: [choice],
  },
  {
    file: "src/crawl/rendering/render-choice.ts",
    find: "if (plain.looksScriptMade && !rendered.looksScriptMade) return true;",
    replace: "",
    plants: "A host whose scripts make text and no links is read plain.",
    killedBy: [choice],
  },
  {
    file: "src/crawl/rendering/render-choice.ts",
    find: "plain.looksScriptMade || known.pages % PAGES_PER_SAMPLE === 0",
    replace: "plain.looksScriptMade",
    plants: "No further page of a plain host is compared.",
    killedBy: [choice],
  },
  {
    file: "src/crawl/rendering/resource-cache.ts",
    find: "return `${host} ${url}`;",
    replace: "return url;",
    plants: "Hosts share the scripts that are kept.",
    killedBy: [cache],
  },
  {
    file: "src/crawl/rendering/resource-cache.ts",
    find: "this.#bytes += body.length - (this.#answers.get(key)?.body.length ?? 0);",
    replace: "this.#bytes += body.length;",
    plants: "A script that is kept again counts twice, until nothing is kept any more.",
    killedBy: [cache],
  },
  {
    file: "src/render/request-rules.ts",
    find: 'return allowed === "*" || allowed === origin;',
    replace: "return allowed !== undefined;",
    plants: "A script reads what its server allows to another origin.",
    killedBy: [rules],
  },
  {
    file: "src/render/request-rules.ts",
    find: 'return method === "GET" && isWebUrl(url) ?',
    replace: "return isWebUrl(url) ?",
    plants: "What a page would send by POST is fetched by GET.",
    killedBy: [rules],
  },
  {
    file: "src/render/request-rules.ts",
    find: '  "set-cookie",\n',
    replace: "",
    plants: "Scripts see the cookies of the crawl.",
    killedBy: [rules],
  },
  {
    file: "src/web/script-made.ts",
    find: 'if (!lower.includes("<script")) return false;',
    replace: "",
    plants: "A short page without scripts looks script-made.",
    killedBy: [scriptMade],
  },
];
