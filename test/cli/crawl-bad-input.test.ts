/** Every mistake about a crawl has a clear message and exit code 2, and nothing is created. */
import { describe, expect, it } from "vitest";
import { demoWeb, SEED } from "./demo-web.ts";
import { FolderHere } from "./run-here.ts";

const FILES = {
  empty: "# nothing\n",
  "t-scheme": "https://a.example/\nftp://b.example/\t0.5\n",
  "t-sum": "http://a.example/\t0.7\nhttp://b.example/\t0.7\n",
  "t-twice": "http://a.example/\nhttp://A.example/#top\n",
  "t-weight": "http://a.example/\tmuch\n",
  "t-zero": "http://a.example/\t0\n",
  "s-weight": "http://a.example/\t0.5\n",
  "s-bad": "http://a.example/\nhttp://\n",
  "no.pem": "hello\n",
  "typo.yaml": "max-pages: 5\nmax-dept: 3\n",
  "camel.json": '{\n  "maxPages": 5,\n  "perHst": 2\n}\n',
  "value.yaml": "scope: host\nmax-time: soon\n",
  "choice.yaml": "\nscope: planet\n",
  "switch.yaml": "warc: 3\n",
  "list.yaml": "max-pages: [1, 2]\n",
  "broken.yaml": "max-pages: 5\nscope: [\n",
  "twice.yaml": "max-pages: 5\nmaxPages: 6\n",
  "plain.yaml": "- 1\n",
  "none.yaml": "",
  "null.yaml": "max-pages:\n",
};

const A = "http://203.0.113.1/";
const PRIVATE = "http://127.0.0.1:1/";

describe("what the user can mend ends with exit code 2, a message, and nothing created", () => {
  it.each<[mistake: string, args: readonly string[], message: string | RegExp]>([
    ["no seed at all", [], "nothing to crawl: give URLs"],
    ["an empty directory name", ["--dir", "none"], "there is no crawl in none to resume"],
    ["a seed that is no URL", ["http://"], '"http://" is not the URL of a web page'],
    ["a seed that is a word", ["frontpage"], '"frontpage" is not the URL of a web page; expected one such as https://'],
    ["a mail address", ["mailto:me@a.example"], '"mailto:me@a.example" has the scheme mailto; expected http or https'],
    ["a seed of another scheme", ["ftp://a.example/"], '"ftp://a.example/" has the scheme ftp; expected http or https'],
    ["a host that does not exist", ["https://nowhere.invalid/"], /the seed host nowhere\.invalid cannot be found/],
    [
      "a private host",
      [PRIVATE],
      "the seed host 127.0.0.1 is not a public address; for your own hosts use --allow-private",
    ],
    [
      "a local name",
      ["http://localhost:1/"],
      "the seed host localhost is not a public address; for your own hosts use --allow-private",
    ],
    [
      "a seed outside the scope",
      [A, "--exclude", "203"],
      `the seed ${A} is outside the scope (the host 203.0.113.1, but none`,
    ],
    ["a seed not included", [A, "--include", "/docs/"], `the seed ${A} is outside the scope`],
    ["an invalid pattern", [A, "--include", "("], 'the include pattern "(" is invalid'],
    ["a back-reference", [A, "--exclude", "(a)\\1"], "expected a regular expression in RE2 syntax"],
    ["coverage of 0", [A, "--coverage", "0"], "Expected a share above 0 and at most 1"],
    ["coverage of 1.5", [A, "--coverage", "1.5"], "Expected a share above 0 and at most 1."],
    ["coverage above 1", [A, "--coverage", "95"], "at most 1. Did you mean 0.95?"],
    ["0 pages", [A, "--max-pages", "0"], "Expected a whole number of at least 1"],
    ["depth 0", [A, "--max-depth", "0"], "Expected a whole number of at least 1"],
    ["no time", [A, "--max-time", "0s"], "Expected a time above 0 with its unit"],
    ["time without a unit", [A, "--max-time", "30"], "30s, 10m or 2h"],
    ["no bytes", [A, "--max-bytes", "0"], "Expected a number of bytes above 0"],
    ["bytes of no unit", [A, "--max-bytes", "10XB"], "such as 10MB"],
    ["0 pages a host", [A, "--max-pages-per-host", "0"], "Expected a whole number of at least 1"],
    ["an unknown scope", [A, "--scope", "planet"], "Expected one of page, prefix, host, domain, any"],
    ["an unknown universe", [A, "--universe", "all"], "Expected one of allowed, scope, web"],
    ["an unknown order", [A, "--order", "rankmas"], 'unknown order "rankmas". Did you mean rankmass?'],
    ["the oracle", [A, "--order", "optimal"], "only a simulation can"],
    ["damping of 1", [A, "--damping", "1"], "both excluded"],
    ["a negative delay", [A, "--delay", "-5"], "Expected milliseconds or a time with its unit"],
    ["a word as delay", [A, "--delay", "soon"], "Expected milliseconds or a time with its unit"],
    ["no connections", [A, "--concurrency", "0"], "from 1 to 10000"],
    ["no connections a host", [A, "--per-host", "0"], "from 1 to 1000"],
    ["no connections an address", [A, "--per-address", "x"], "from 1 to 10000"],
    ["too many readers", [A, "--readers", "65"], "from 0 to 64"],
    ["a user agent without a name", [A, "--user-agent", "(x)"], "expected a name first"],
    ["a user agent with a line end", [A, "--user-agent", "a\nb"], "Expected printable ASCII"],
    [
      "contact and user agent",
      [A, "--user-agent", "x/1", "--contact", "me"],
      "--contact becomes part of the user agent",
    ],
    ["a bad rule of addresses", [A, "--resolve", "a.example"], "--resolve a.example: expected HOST:ADDRESS"],
    [
      "a proxy and addresses",
      [A, "--proxy", "http://p:1", "--resolve", "a:1.2.3.4"],
      "--proxy and --resolve cannot be used together",
    ],
    ["a bad proxy", [A, "--proxy", "socks://p:1"], "proxy socks://p:1: expected http://HOST:PORT"],
    ["a proxy that is a word", [A, "--proxy", "foo"], "proxy foo: expected http://HOST:PORT"],
    ["missing certificates", [A, "--ca", "none.pem"], "none.pem: no such file"],
    ["certificates that are none", [A, "--ca", "no.pem"], /no\.pem: expected certificates in PEM form/],
    ["a missing seed file", ["--seed-file", "none"], "none: no such file"],
    ["an empty seed file", ["--seed-file", "empty"], "empty: names no URL"],
    [
      "weights in a seed file",
      ["--seed-file", "s-weight"],
      's-weight: line 1: "0.5" after the URL; weights belong in --trust FILE',
    ],
    ["a bad line in a seed file", ["--seed-file", "s-bad"], 's-bad: line 2: "http://" is not the URL'],
    ["trust of another scheme", ["--trust", "t-scheme"], 't-scheme: line 2: "ftp://b.example/" has the scheme ftp'],
    ["too much trust", ["--trust", "t-sum"], "t-sum: trust sums to 1.4, expected at most 1; --normalise-trust"],
    ["trust given twice", ["--trust", "t-twice"], "t-twice: line 2: http://a.example/ is trusted in line 1 already"],
    ["trust that is no number", ["--trust", "t-weight"], 't-weight: line 1: the weight is "much"'],
    ["no trust", ["--trust", "t-zero"], "t-zero: nothing is trusted"],
    ["trust and other seeds", [A, "--trust", "t-sum"], "add the other seeds to that file"],
    ["normalising nothing", [A, "--normalise-trust"], "--normalise-trust is about the weights of --trust FILE"],
    ["a missing config", [A, "--config", "none"], "none: no such file"],
    [
      "a typo in a config",
      [A, "--config", "typo.yaml"],
      'typo.yaml: line 2: "max-dept" is not a setting. Did you mean max-depth?',
    ],
    [
      "a typo in JSON",
      [A, "--config", "camel.json"],
      'camel.json: line 3: "perHst" is not a setting. Did you mean per-host?',
    ],
    [
      "a bad value in a config",
      [A, "--config", "value.yaml"],
      'value.yaml: line 2: max-time: got "soon". Expected a time above 0',
    ],
    [
      "a bad choice in a config",
      [A, "--config", "choice.yaml"],
      'choice.yaml: line 2: scope: got "planet". Expected one of page',
    ],
    [
      "a number for a switch",
      [A, "--config", "switch.yaml"],
      'switch.yaml: line 1: warc: got "3". Expected true or false',
    ],
    [
      "a list for a number",
      [A, "--config", "list.yaml"],
      "list.yaml: line 1: max-pages: got a list. Expected one value",
    ],
    ["no YAML", [A, "--config", "broken.yaml"], /broken\.yaml: line [23]: /],
    ["an option twice in a config", [A, "--config", "twice.yaml"], "twice.yaml: line 2: maxPages is set twice"],
    ["a list as config", [A, "--config", "plain.yaml"], "plain.yaml: line 1: expected settings"],
    ["an empty config", [A, "--config", "none.yaml"], "none.yaml: is empty"],
    ["a key without a value", [A, "--config", "null.yaml"], "null.yaml: line 1: max-pages: has no value"],
    [
      "a directory in use for something else",
      [PRIVATE, "--allow-private", "--dir", "."],
      "is not a crawl directory and is not empty",
    ],
    ["a directory without a name", [PRIVATE, "--allow-private", "--dir", ""], "the name of the directory"],
    ["a file as directory", [PRIVATE, "--allow-private", "--dir", "empty"], "empty is a file; expected a directory"],
    ["an unknown option", [A, "--depth", "3"], "unknown option '--depth'"],
  ])("%s", async (_mistake, args, message) => {
    const folder = new FolderHere(FILES);
    const before = folder.names();
    const { code, stdout, stderr } = await folder.run(["crawl", ...args]);
    expect(stderr).toMatch(typeof message === "string" ? new RegExp(escaped(message)) : message);
    expect({ code, stdout, files: folder.names() }).toEqual({ code: 2, stdout: "", files: before });
  });

  it("a web that is not the one the crawl was begun with", async () => {
    const folder = new FolderHere();
    const web = await demoWeb();
    await folder.run(["crawl", SEED, ...web, "--readers", "0", "--max-pages", "2", "--dir", "c"]);
    for (const [args, message] of [
      [
        ["--scope", "any"],
        "this crawl started with --scope domain, which cannot be changed to any; resume without --scope",
      ],
      [
        ["--universe", "web", "--strip-parameters", "--exclude", "x+"],
        "resume without --exclude, --universe, --strip-parameters, or start a new crawl",
      ],
      [["--no-sitemaps"], "this crawl started without --no-sitemaps; resume without --no-sitemaps"],
      [["http://elsewhere.example/"], "the seed http://elsewhere.example/ is outside the scope (the domain demo.test)"],
    ] as const) {
      const { code, stderr } = await folder.run(["crawl", "--dir", "c", ...args]);
      expect(stderr).toContain(message);
      expect(code).toBe(2);
    }
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
