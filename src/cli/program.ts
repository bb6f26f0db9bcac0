/**
 * The tree of commands. Only the command that the user named is loaded; the others are known by their summaries. So
 * `tidemark --help` costs no more than the parser of arguments.
 */
import { Command, type Option } from "commander";
import { VERSION } from "../base/index.ts";
import { examples, helpWidth, summarise } from "./options/command.ts";

const COMMANDS = {
  crawl: {
    summary: "fetch the most important pages first; stop when enough is proven to be covered",
    load: () => import("./commands/crawl.ts"),
  },
  demo: {
    summary: "try it without internet: serve a small web on this machine and crawl it",
    load: () => import("./commands/demo.ts"),
  },
  serve: { summary: "watch a crawl, running or finished, in the browser", load: () => import("./commands/serve.ts") },
  import: {
    summary:
      "make a crawl directory from another crawler's files: WARC, WAT, Scrapy, Nutch, Screaming Frog, host graphs",
    load: () => import("./commands/import.ts"),
  },
  seeds: {
    summary: "choose where to start: the pages from which a short crawl finds the most value",
    load: () => import("./commands/seeds.ts"),
  },
  simulate: {
    summary: "compare crawl orders on a graph: coverage, guarantee and cost",
    load: () => import("./commands/simulate.ts"),
  },
  coverage: {
    summary: "prove how much of all importance is covered, and show what is missing",
    load: () => import("./commands/coverage.ts"),
  },
  rank: {
    summary: "compute the PageRank of every page, uniform or from trusted pages",
    load: () => import("./commands/rank.ts"),
  },
  community: {
    summary: "estimate what a local collection of pages is worth in the whole web",
    load: () => import("./commands/community.ts"),
  },
  refresh: {
    summary: "choose what to read again, by importance and by how often pages change",
    load: () => import("./commands/refresh.ts"),
  },
  report: { summary: "write one HTML page about a crawl or a simulation", load: () => import("./commands/report.ts") },
  search: {
    summary: "search the text of a crawl's pages: best match and most important first",
    load: () => import("./commands/search.ts"),
  },
  compare: {
    summary: "compare two crawls: pages new, gone, changed, moved in importance",
    load: () => import("./commands/compare.ts"),
  },
  export: {
    summary: "export a crawl: pages as tables, Markdown or llms.txt, links as a graph, broken links and other findings",
    load: () => import("./commands/export.ts"),
  },
  pack: {
    summary: "pack the pages that are worth most per token into one Markdown file, with proof of what they hold",
    load: () => import("./commands/pack.ts"),
  },
  mcp: {
    summary: "let language models crawl and read: a Model Context Protocol server on standard input and output",
    load: () => import("./commands/mcp.ts"),
  },
  cluster: {
    summary: "crawl with workers on many machines, which share a log in PostgreSQL",
    load: () => import("./commands/cluster.ts"),
  },
  graph: { summary: "describe, convert and generate web graphs", load: () => import("./commands/graph.ts") },
  completion: {
    summary: "print a script that completes commands and options in your shell",
    load: () => import("./commands/completion.ts"),
  },
};

/** The program, with the command that `words` name ready to run. */
export function createProgram(words: readonly string[]): Promise<Command> {
  const named = words.find((word) => !word.startsWith("-") && word !== "help");
  return programWith((name) => name === named);
}

/** Help about an unknown command is as wrong as the command: the parser of arguments would show the help of all. */
export function commandWords(words: readonly string[]): readonly string[] {
  const [first, name = "help"] = words;
  const isKnown = name === "help" || name.startsWith("-") || Object.hasOwn(COMMANDS, name);
  return first === "help" && !isKnown ? [name] : words;
}

/** With all commands loaded. */
export function createWholeProgram(): Promise<Command> {
  return programWith(() => true);
}

async function programWith(isLoaded: (name: string) => boolean): Promise<Command> {
  const program = new Command("tidemark")
    .description("Fetch the most important pages first, and prove how much of the web is covered.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .configureHelp({ optionDescription })
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: helpWidth,
      outputError: (text, write) => write(text.replace(/^error: /, "tidemark: ").replace(/\n\(/, " (")),
    });
  examples(program, [
    "tidemark demo",
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark simulate web.arcs --urls web.urls --order rankmass,fpr --report report.html",
  ]);
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = summarise(program.command(name), summary);
    if (isLoaded(name)) await (await load()).declare(command, createWholeProgram);
  }
  return program;
}

/** Without the quotation marks and brackets that the parser of arguments puts around values. */
function optionDescription(option: Option): string {
  const { description, argChoices, defaultValue, defaultValueDescription, mandatory } = option;
  const usual = defaultValueDescription ?? (defaultValue === undefined ? undefined : String(defaultValue));
  const details = [
    ...(mandatory ? ["required"] : []),
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
  ];
  return details.length === 0 ? description : `${description} (${details.join("; ")})`;
}
