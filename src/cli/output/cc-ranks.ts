/**
 * Ranks of hosts in the format of Common Crawl: `#harmonicc_pos #harmonicc_val #pr_pos #pr_val #host_rev`, separated by
 * tabs, the host reversed. Harmonic centrality is not computed here: its columns hold `-`, so that the others stand
 * where readers look for them, and lines are in the order of PageRank.
 */
import { sortDescending, UsageError } from "../../base/index.ts";
import { reversedHost } from "../../import/index.ts";
import { hostOfOrigin, splitUrl } from "../../web/index.ts";
import { becameShorter, type UrlReader } from "../input/urls.ts";

const HEADER = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n";
const LINES_PER_PIECE = 1 << 14;

/** Some lines at a time. Throws a `UsageError` if a page is not the front page of a host. */
export async function* ccRankLines(ranks: Float64Array, urls: UrlReader | undefined): AsyncGenerator<string> {
  const hosts = await hostsOf(ranks.length, urls);
  const places = Uint32Array.from(ranks.keys());
  sortDescending(places, ranks);
  yield HEADER;
  for (let from = 0; from < places.length; from += LINES_PER_PIECE) {
    const some = Array.from(places.subarray(from, from + LINES_PER_PIECE));
    yield some.map((page, k) => `-\t-\t${from + k + 1}\t${ranks[page]}\t${reversedHost(hosts[page])}\n`).join("");
  }
}

async function hostsOf(pages: number, urls: UrlReader | undefined): Promise<string[]> {
  if (urls === undefined) throw new UsageError("--format cc writes names of hosts: give --urls as well");
  const hosts: string[] = [];
  for await (const some of urls.lines()) {
    for (const url of some.slice(0, pages - hosts.length)) {
      const { origin, path } = splitUrl(url.trim());
      if (path !== "/") {
        throw new UsageError(`--format cc is for graphs of hosts, but ${url} is not the front page of one`);
      }
      hosts.push(hostOfOrigin(origin));
    }
  }
  if (hosts.length < pages) throw becameShorter(urls);
  return hosts;
}
