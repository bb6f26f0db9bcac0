/**
 * RAG corpus on a budget: the most important pages of a site that fit into so many tokens, in chunks, as JSON lines for
 * an embedding model.
 *
 *     node rag-corpus.mjs https://www.example.com/ 200000 '{"contact": "you@example.com"}' > corpus.jsonl
 *
 * The last argument has options of `crawl`. Pages whose owners do not want them as input of a model are left out.
 */
import { crawl } from "tidemark";

const CHUNK_TOKENS = 500;
const CHARACTERS_PER_TOKEN = 4;

const [site, tokens = "200000", json = "{}"] = process.argv.slice(2);
const budget = Number(tokens);
const options = parsed(json);
if (site === undefined) fail("expected the URL of a site, then a number of tokens, then options as JSON");
if (!Number.isInteger(budget) || budget <= 0) fail(`expected a whole number of tokens above 0; got ${tokens}`);
if (options === undefined) fail(`expected options of crawl as JSON, such as {"maxPages": 500}; got ${json}`);

let tokensLeft = budget;
try {
  const pages = crawl(site, { purpose: "ai-input", ...options });
  for await (const page of pages) {
    const all = chunksOf(page.markdown ?? "");
    if (all.length === 0) continue;
    // A very long page would push out many others: only its beginning is taken.
    const chunks = fitting(all, Math.min(tokensLeft, Math.max(budget / 10, CHUNK_TOKENS)));
    if (chunks.length === 0) break;
    const taken = tokensOf(chunks.join("\n"));
    tokensLeft -= taken;
    const rest = chunks.length < all.length ? ` (its first ${chunks.length} of ${all.length} chunks)` : "";
    console.error(`${taken} tokens: ${page.url}${rest}`);
    const { url, title, importance } = page;
    for (const text of chunks) console.log(JSON.stringify({ url, title, importance, text }));
  }
  const percent = (Math.floor(pages.coverage() * 10_000) / 100).toFixed(2);
  console.error(`${budget - tokensLeft} tokens of a crawl that covers at least ${percent}% of all importance`);
} catch (error) {
  fail(error.message, error.name === "UsageError" ? 2 : 1);
}

function fail(problem, code = 2) {
  console.error(problem);
  process.exit(code);
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An estimate, for English. */
function tokensOf(text) {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** As many of the first chunks as fit. */
function fitting(chunks, tokensMax) {
  let count = 0;
  while (count < chunks.length && tokensOf(chunks.slice(0, count + 1).join("\n")) <= tokensMax) count++;
  return chunks.slice(0, count);
}

/** A chunk ends before a heading, and where the next line does not fit. What looks like a heading in code is none. */
function chunksOf(markdown) {
  const chunks = [""];
  let fence = "";
  for (const line of linesOf(markdown)) {
    const longer = `${chunks.at(-1)}\n${line}`;
    const isHeading = fence === "" && /^#{1,6} /.test(line);
    if (isHeading || tokensOf(longer) > CHUNK_TOKENS) chunks.push(line);
    else chunks[chunks.length - 1] = longer;
    const [, marks = ""] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === "") fence = marks;
    else if (marks.startsWith(fence)) fence = "";
  }
  return chunks.map((chunk) => chunk.trim()).filter((chunk) => chunk !== "");
}

/** A line that is longer than a chunk is several. */
function linesOf(text) {
  const longest = CHUNK_TOKENS * CHARACTERS_PER_TOKEN;
  const piece = new RegExp(`.{1,${longest}}(?=\\s|$)|.{${longest}}`, "g");
  return text.split("\n").flatMap((line) => (line.length <= longest ? [line] : line.match(piece)));
}
