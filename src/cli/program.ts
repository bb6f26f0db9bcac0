/**
 * The tree of commands. Only the command that the user named is loaded: the others are known by their summaries, so
 * that `tidemark --help` costs no more than the parser of arguments.
 */
import { VERSION } from "../base/index.ts";
import { Command } from "commander";
import { examples } from "./options/command.ts";

interface Entry {
  readonly words: readonly [string] | readonly [group: string, name: string];
  readonly summary: string;
  readonly load: () => Promise<{ readonly declare: (command: Command) => void }>;
}

const ENTRIES: readonly Entry[] = [
  {
    words: ["crawl"],
    summary: "fetch the most important pages first, and stop when enough is certainly covered",
    load: () => import("./commands/crawl.ts"),
  },
  {
    words: ["demo"],
    summary: "see it work, without internet: serve a small web on this machine and crawl it",
    load: () => import("./commands/demo.ts"),
  },
  {
    words: ["serve"],
    summary: "watch a crawl that runs or has ended: a dashboard in the browser",
    load: () => import("./commands/serve.ts"),
  },
  {
    words: ["seeds"],
    summary: "where to start: the pages from which a crawl of a few hops finds most value",
    load: () => import("./commands/seeds.ts"),
  },
  {
    words: ["simulate"],
    summary: "run crawl orders on a graph: what they cover, with which guarantee, at what cost",
    load: () => import("./commands/simulate.ts"),
  },
  {
    words: ["coverage"],
    summary: "prove how much of all importance some downloaded pages hold, and where the rest is",
    load: () => import("./commands/coverage.ts"),
  },
  {
    words: ["rank"],
    summary: "PageRank of every page, uniform or from trusted pages",
    load: () => import("./commands/rank.ts"),
  },
  {
    words: ["community"],
    summary: "what a local collection of pages is worth in the whole web",
    load: () => import("./commands/community.ts"),
  },
  {
    words: ["refresh"],
    summary: "what to read again: by importance and by how often pages change",
    load: () => import("./commands/refresh.ts"),
  },
  {
    words: ["report"],
    summary: "one page to pass on: what a crawl covers, where the rest is, what is broken; or a simulation",
    load: () => import("./commands/report.ts"),
  },
  {
    words: ["export"],
    summary: "take a crawl elsewhere: its pages as JSON lines or CSV, its links as arcs or BV graph",
    load: () => import("./commands/export.ts"),
  },
  {
    words: ["graph", "info"],
    summary: "describe a graph: pages, arcs, hosts, dangling pages, components",
    load: () => import("./commands/graph-info.ts"),
  },
  {
    words: ["graph", "convert"],
    summary: "write a graph in another format",
    load: () => import("./commands/graph-convert.ts"),
  },
  {
    words: ["graph", "generate"],
    summary: "make a realistic web of any size",
    load: () => import("./commands/graph-generate.ts"),
  },
];

const GROUPS: Readonly<Record<string, string>> = { graph: "describe, convert and generate web graphs" };

/** The program with the command that `words` name ready to run. */
export async function createProgram(words: readonly string[]): Promise<Command> {
  const program = new Command("tidemark")
    .description("Fetch the most important pages first, and prove how much of the web is covered.")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, "tidemark: ").replace(/\n\(/, " (")),
    });
  examples(program, [
    "tidemark demo",
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark simulate web.arcs --urls web.urls --order rankmass,fpr --report report.html",
  ]);
  const named = words.filter((word) => !word.startsWith("-") && word !== "help");
  for (const entry of ENTRIES) {
    const parent = entry.words.length === 1 ? program : groupOf(program, entry.words[0]);
    const command = parent.command(entry.words.at(-1)!).summary(entry.summary);
    command.description(`${entry.summary[0].toUpperCase()}${entry.summary.slice(1)}.`);
    if (entry.words.every((word, depth) => named[depth] === word)) (await entry.load()).declare(command);
  }
  return program;
}

function groupOf(program: Command, name: string): Command {
  const group = program.commands.find((command) => command.name() === name);
  if (group !== undefined) return group;
  const summary = GROUPS[name] ?? "";
  const created = program.command(name).summary(summary).description(summary);
  examples(created, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark graph info web.arcs --urls web.urls",
  ]);
  return created;
}
