/** Every mistake has a clear message, an exit code that says whose fault it is, and leaves no file behind. */
import { describe, expect, it } from "vitest";
import { FolderHere } from "./run-here.ts";

const FILES = {
  "web.arcs": "0 1\n1 2\n2 0\n",
  "web.urls": "http://a.example/\nhttp://b.example/\nhttp://c.example/\n",
  trust: "0\n",
  "broken.arcs": "0 1\n1 2\n1 two\n",
  "empty.arcs": "# nothing here\n",
  "short.arcs": "# pages 3 arcs 3\n0 1\n1 2\n",
  "far.arcs": "0 4000000000\n",
  "cut.arcs.gz": Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3),
  "two.urls": "http://a.example/\nhttp://b.example/\n",
  "no.urls": "http://a.example/\nnonsense\nhttp://c.example/\n",
  "foreign.graph": "hello",
  "foreign.properties": "graphclass=it.unimi.dsi.webgraph.EFGraph\nnodes=3\narcs=3\nversion=0\n",
  "cut.graph": Uint8Array.of(0xff),
  "cut.properties":
    "graphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=5\narcs=9\nversion=0\n" +
    "windowsize=7\nmaxrefcount=3\nminintervallength=4\nzetak=3\ncompressionflags=\n",
  "alone.graph": "x",
  "t-negative": "0 0.5\n1 -0.1\n",
  "t-nan": "0 NaN\n",
  "t-infinite": "0 1e999\n",
  "t-word": "0 much\n",
  "t-sum": "0 0.7\n1 0.7\n",
  "t-range": "0\n3\n",
  "t-twice": "0\n1\n0\n",
  "t-twice-url": "http://b.example/\n1\n",
  "t-below": "-1\n",
  "t-url": "http://a.example/\n",
  "t-unknown": "# ours\nhttp://z.example/\n",
  "t-nonsense": "page\n",
  "t-zero": "0 0\n",
  "t-empty": "# nobody\n",
};

const SIMULATE = ["simulate", "web.arcs", "--trust", "trust"];
const COVERAGE = ["coverage", "web.arcs", "--trust", "trust", "--pages"];

describe("what the user can mend ends with exit code 2, a message and no output", () => {
  it.each<[mistake: string, args: readonly string[], message: string | RegExp]>([
    ["a missing graph", ["graph", "info", "none.arcs"], "none.arcs: no such file"],
    ["a missing BV graph", ["graph", "info", "none.graph"], "none.graph: no such file"],
    ["a folder as graph", ["graph", "info", "."], ". is a folder"],
    ["a malformed line", ["graph", "info", "broken.arcs"], /broken\.arcs: line 3: "1 two": "two" is not a page id/],
    ["an empty graph", ["rank", "empty.arcs"], "empty.arcs: the graph is empty"],
    ["arcs cut short", ["rank", "short.arcs"], "short.arcs: the file states 3 arcs but holds 2"],
    ["an absurd page id", ["graph", "info", "far.arcs"], "far.arcs: 4000000001 pages for 1 arc"],
    ["gzip cut short", ["graph", "info", "cut.arcs.gz"], "cut.arcs.gz: the gzipped data is damaged or cut short"],
    ["too few URLs", ["graph", "info", "web.arcs", "--urls", "two.urls"], /page id 2 does not fit a graph of 2 pages/],
    [
      "a URL without host",
      ["graph", "info", "web.arcs", "--urls", "no.urls"],
      'no.urls: line 2: "nonsense" has no host',
    ],
    ["missing URLs", ["graph", "info", "web.arcs", "--urls", "none"], "none: no such file"],
    ["a foreign BV graph", ["graph", "info", "foreign"], /foreign: the \.properties file is of a .*EFGraph/],
    ["a truncated BV graph", ["graph", "info", "cut.graph"], /^tidemark: cut: the \.graph file/],
    ["a BV graph alone", ["graph", "info", "alone.graph"], "alone.properties: no such file"],
    ["negative trust", ["rank", "web.arcs", "--trust", "t-negative"], 't-negative: line 2: the weight is "-0.1"'],
    ["trust that is no number", ["rank", "web.arcs", "--trust", "t-nan"], 't-nan: line 1: the weight is "NaN"'],
    ["infinite trust", ["rank", "web.arcs", "--trust", "t-infinite"], 't-infinite: line 1: the weight is "1e999"'],
    ["trust in words", ["rank", "web.arcs", "--trust", "t-word"], 't-word: line 1: the weight is "much"'],
    ["trust above 1", ["rank", "web.arcs", "--trust", "t-sum"], "t-sum: trust sums to 1.4, expected at most 1"],
    ["a page out of range", ["rank", "web.arcs", "--trust", "t-range"], "t-range: line 2: page 3 is out of range"],
    [
      "a page trusted twice",
      ["rank", "web.arcs", "--trust", "t-twice"],
      "t-twice: line 3: page 0 is trusted in line 1",
    ],
    [
      "a page trusted by its URL and by its id",
      ["rank", "web.arcs", "--urls", "web.urls", "--trust", "t-twice-url"],
      "t-twice-url: line 2: page 1 is trusted in line 1",
    ],
    [
      "a page below 0",
      ["rank", "web.arcs", "--trust", "t-below"],
      "t-below: line 1: page -1 is out of range; the graph has pages 0 to 2",
    ],
    [
      "a URL without URLs",
      ["rank", "web.arcs", "--trust", "t-url"],
      /t-url: line 1: .* is a URL; give the URLs of the pages with --urls FILE/,
    ],
    [
      "an unknown URL",
      ["rank", "web.arcs", "--urls", "web.urls", "--trust", "t-unknown"],
      't-unknown: line 2: "http://z.example/" is not among the URLs of web.urls',
    ],
    ["neither id nor URL", ["rank", "web.arcs", "--trust", "t-nonsense"], '"page" is neither a page id nor a URL'],
    ["no trust", ["rank", "web.arcs", "--trust", "t-zero"], "t-zero: nothing is trusted"],
    ["an empty trust file", ["rank", "web.arcs", "--trust", "t-empty"], "t-empty: names no page"],
    ["a mistyped crawl", ["coverage", "craw"], "craw: no such file or directory"],
    ["a folder that is no crawl", ["coverage", "."], ". is not a crawl directory: it has no crawl.sqlite"],
    ["a missing trust file", ["rank", "web.arcs", "--trust", "none"], "none: no such file"],
    ["a downloaded page out of range", [...COVERAGE, "t-range"], "t-range: line 2: page 3 is out of range"],
    ["coverage without pages", ["coverage", "web.arcs", "--trust", "trust"], "a graph needs --pages FILE"],
    ["damping of 1", ["rank", "web.arcs", "--damping", "1"], "between 0 and 1, both excluded"],
    ["damping of 0", [...SIMULATE, "--damping", "0"], "between 0 and 1, both excluded"],
    ["damping that is no number", ["rank", "web.arcs", "--damping", ""], "between 0 and 1, both excluded"],
    ["an unknown order", [...SIMULATE, "--order", "fpr,rankmas"], /unknown order "rankmas"\. Did you mean rankmass\?/],
    [
      "an order without its URLs",
      [...SIMULATE, "--order", "fpr@20"],
      /fpr@20 needs the host of every page.* Give URLs with --urls FILE\.$/m,
    ],
    [
      "an unknown experiment",
      ["simulate", "web.arcs", "--experiment", "rankmass-tabel2"],
      "Did you mean rankmass-table2?",
    ],
    [
      "an experiment without its URLs",
      [...SIMULATE, "--experiment", "fpr-figure3"],
      /fpr-figure3 needs the host of every page.* Give URLs with --urls FILE\.$/m,
    ],
    [
      "trust twice over",
      [...SIMULATE, "--trust-top", "5"],
      "'--trust-top <n>' cannot be used with option '--trust <file>'",
    ],
    [
      "an order and an experiment",
      [...SIMULATE, "--order", "fpr", "--experiment", "fpr-figure3"],
      "cannot be used with",
    ],
    ["a limit of no pages", [...SIMULATE, "--max-pages", "0"], "whole number of at least 1"],
    ["a level of 0", [...SIMULATE, "--coverage", "0"], "above 0 and at most 1"],
    ["a level above 1", [...SIMULATE, "--coverage", "1.01"], "above 0 and at most 1"],
    ["no iterations", ["rank", "web.arcs", "--max-iterations", "0"], "whole number of at least 1"],
    ["no tolerance", ["rank", "web.arcs", "--tolerance", "0"], "number above 0"],
    ["too many threads", ["rank", "web.arcs", "--threads", "1000"], "threads must be"],
    [
      "an unknown option",
      ["rank", "web.arcs", "--dampin", "0.5"],
      /unknown option '--dampin' \(Did you mean --damping\?\)/,
    ],
    ["an unknown command", ["rnak"], /unknown command 'rnak' \(Did you mean rank\?\)/],
    ["help about an unknown command", ["help", "rnak"], /^tidemark: unknown command 'rnak' \(Did you mean rank\?\)\n$/],
    ["an unknown command of a group", ["graph", "inf"], /unknown command 'inf' \(Did you mean info\?\)/],
    ["no command", [], /Usage: tidemark/],
    ["half a command", ["graph"], /Usage: tidemark graph/],
    ["a format that nobody knows", ["graph", "convert", "web.arcs", "web.xml"], "web.xml: the name does not say"],
    ["a folder that is not there", ["rank", "web.arcs", "--out", "no/ranks"], "no/ranks: the folder no does not exist"],
    ["a folder as output", ["rank", "web.arcs", "--out", "."], ".: is a folder"],
    ["one name for two outputs", [...SIMULATE, "--report", "x", "--out", "./x"], "./x is the name of two outputs"],
    ["a web of no pages", ["graph", "generate", "--pages", "0", "--out", "x.arcs"], "whole number of at least 1"],
    [
      "a web of too many links",
      ["graph", "generate", "--pages", "9", "--degree", "1e9", "--out", "x.arcs"],
      "average degree",
    ],
  ])("%s", async (_mistake, args, message) => {
    const folder = new FolderHere(FILES);
    const before = folder.names();
    const { code, stdout, stderr } = await folder.run(args);
    expect(stderr).toMatch(message instanceof RegExp ? message : new RegExp(escaped(message)));
    expect(stderr).not.toMatch(/^ +at /m);
    expect({ code, stdout, files: folder.names() }).toEqual({ code: 2, stdout: "", files: before });
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
