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

const [url, budget = "200000", options = "{}"] = process.argv.slice(2);
if (url === undefined) {
  console.error("expected the URL of a site, then a number of tokens, then options as JSON");
  process.exit(2);
}

const pages = crawl(url, { purpose: "ai-input", ...JSON.parse(options) });
let tokensLeft = Number(budget);
for await (const page of pages) {
  const tokens = tokensOf(page.markdown ?? "");
  // A very long page would push out many others.
  if (tokens === 0 || tokens > Number(budget) / 10) continue;
  if (tokens > tokensLeft) break;
  tokensLeft -= tokens;
  console.error(`${tokens} tokens: ${page.url}`);
  const { url, title, importance } = page;
  for (const text of chunksOf(page.markdown)) console.log(JSON.stringify({ url, title, importance, text }));
}
console.error(`${budget - tokensLeft} tokens of a crawl that covers at least ${pages.coverage()} of all importance`);

/** An estimate: English has about four characters per token. */
function tokensOf(text) {
  return Math.ceil(text.length / 4);
}

/** A chunk ends before a heading, and where the next line does not fit. */
function chunksOf(markdown) {
  const chunks = [""];
  for (const line of markdown.split("\n")) {
    const longer = `${chunks.at(-1)}\n${line}`;
    if (/^#{1,6} /.test(line) || tokensOf(longer) > CHUNK_TOKENS) chunks.push(line);
    else chunks[chunks.length - 1] = longer;
  }
  return chunks.map((chunk) => chunk.trim()).filter((chunk) => chunk !== "");
}
