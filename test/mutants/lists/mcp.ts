/** Bugs in the server for language models: a client that leaves its folder, its limits or its marks. */
import type { Mutant } from "../mutant.ts";

const limits = "test/mcp/limits.test.ts";
const tools = "test/mcp/tools.test.ts";
const short = "test/mcp/short-replies.test.ts";
const pages = "test/content/text-pages.test.ts";

export const mcp: readonly Mutant[] = [
  {
    file: "src/mcp/crawl-folder.ts",
    find: "/^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/",
    replace: "/^[A-Za-z0-9./-]{1,100}$/",
    plants: "A name of a crawl may be a path.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/crawl-folder.ts",
    find: "    if (!this.#isInside(dir)) {",
    replace: "    if (dir === this.root) {",
    plants: "A symbolic link leads a client out of the folder of crawls.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/crawl-folder.ts",
    find: "      return false;",
    replace: "      return true;",
    plants: "A symbolic link to a place that does not exist yet leads a crawl out of the folder.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/wishes.ts",
    find: "Math.min(wish ?? before?.limits[name] ?? Number.POSITIVE_INFINITY, most[name])",
    replace: "wish ?? before?.limits[name] ?? most[name]",
    plants: "A client gets more pages than the operator allows.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/wishes.ts",
    find: "allowPrivate: settings.allowPrivate ?? false,",
    replace: "",
    plants: "A crawl that was allowed private addresses once keeps them.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/wishes.ts",
    find: "    delete allowed[name];\n",
    replace: "",
    plants: "A client replaces the patterns of the operator.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/wishes.ts",
    find: 'settings.purpose ?? "ai-input"',
    replace: 'settings.purpose ?? "none"',
    plants: "Pages whose owners forbid it are handed to models.",
    killedBy: [tools],
  },
  {
    file: "src/mcp/untrusted.ts",
    find: 'randomBytes(16).toString("hex")',
    replace: '"0".repeat(32)',
    plants: "A page can write the mark that ends untrusted content.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/untrusted.ts",
    find: '.replaceAll(TAGS, "\\ufffd")',
    replace: "",
    plants: "Instructions in invisible letters reach a model.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/replies.ts",
    find: "if (tokens === undefined && taken.length > 0) break;",
    replace: "",
    plants: "A list fills a reply beyond the limit of tokens.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/token-limits.ts",
    find: "count(JSON.stringify(text).slice(1, -1), most)",
    replace: "count(text, most)",
    plants: "The tokens of a text are counted without the escapes that JSON adds.",
    killedBy: [short],
  },
  {
    file: "src/mcp/tools/pack.ts",
    find: "count(harmlessLines(text), most)",
    replace: "count(text, most)",
    plants: "What stands for invisible characters is not counted.",
    killedBy: [short],
  },
  {
    file: "src/mcp/short-replies.ts",
    find: "if (count(JSON.stringify(message), TOKENS_MAX) !== undefined) return message;",
    replace: "return message;",
    plants: "A reply that is too long is sent.",
    killedBy: [short],
  },
  {
    file: "src/mcp/short-replies.ts",
    find: "Buffer.byteLength(JSON.stringify(message))",
    replace: "JSON.stringify(message).length",
    plants: "Characters that take several tokens count as one.",
    killedBy: [short],
  },
  {
    file: "src/mcp/replies.ts",
    find: '    .replaceAll(root + sep, "")\n',
    replace: "",
    plants: "A message gives a crawl another name than its client does.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/crawl-runs.ts",
    find: "if (running.length >= crawlsMax) {",
    replace: "if (running.length > crawlsMax) {",
    plants: "One crawl more than the operator allows runs at the same time.",
    killedBy: [limits],
  },
  {
    file: "src/mcp/crawl-runs.ts",
    find: "for (const run of runs) run.stop();",
    replace: "",
    plants: "A server that closes waits until its crawls are done.",
    killedBy: [tools],
  },
  {
    file: "src/mcp/crawl-view.ts",
    find: "return Number(formatCoverage(share, 6));",
    replace: "return Math.ceil(share * 1e6) / 1e6;",
    plants: "Coverage is rounded up for a model.",
    killedBy: [tools],
  },
  {
    file: "src/content/text-pages.ts",
    find: "  return end - 1 > from ? end - 1 : end + 1;",
    replace: "  return end;",
    plants: "A page of a text ends in the middle of a character.",
    killedBy: [pages],
  },
  {
    file: "src/content/tokens.ts",
    find: "count(piece, most - tokens)",
    replace: "count(piece, most)",
    plants: "The limit of tokens holds for each piece of a text, not for the whole.",
    killedBy: [pages],
  },
];
