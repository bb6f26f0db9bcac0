/** Completion in real shells, and the manual page as man formats it. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createWholeProgram } from "../../src/cli/program.ts";
import { commandsOf } from "../../src/cli/reference/command-tree.ts";
import { Folder } from "./run.ts";

const MAN_PAGE = fileURLToPath(new URL("../../dist/man/tidemark.1", import.meta.url));

async function scriptFor(shell: string): Promise<Folder> {
  const folder = new Folder();
  const { code, stdout, stderr } = await folder.run(["completion", shell]);
  expect([code, stderr]).toEqual([0, ""]);
  writeFileSync(folder.at("script"), stdout);
  return folder;
}

describe("bash", () => {
  /** What it offers for the last of the words. */
  async function offered(...words: string[]): Promise<string[]> {
    const folder = await scriptFor("bash");
    const line = ["tidemark", ...words].map((word) => `'${word}'`).join(" ");
    const { code, stdout, stderr } = await folder.shell(
      `source ./script; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _tidemark; echo "\${COMPREPLY[@]}"`,
    );
    expect([code, stderr]).toEqual([0, ""]);
    return stdout.trim().split(" ");
  }

  it.each<[words: string[], offers: string[]]>([
    [["sim"], ["simulate"]],
    [["crawl", "--cov"], ["--coverage"]],
    [
      ["crawl", "http://a.example/", "--scope", ""],
      ["page", "prefix", "host", "domain", "any"],
    ],
    [["crawl", "--dir", ""], [""]],
    [["graph", "c"], ["convert"]],
    [["graph", "generate", "--pag"], ["--pages"]],
    [["rank", "--dangling", "u"], ["uniform"]],
    [["completion", "z"], ["zsh"]],
  ])("offers for %j: %j", async (words, offers) => {
    expect(await offered(...words)).toEqual(offers);
  });

  it("offers every command and the help", async () => {
    const commands = (await createWholeProgram()).commands.map((command) => command.name());
    expect(await offered("")).toEqual([...commands, "help"]);
  });
});

describe("zsh", () => {
  it("takes the script, and offers commands and options", async () => {
    const folder = await scriptFor("zsh");
    writeFileSync(folder.at("ask"), ZSH_QUESTION);
    const shows = async (line: string, expected: string) =>
      (await folder.shell(`zsh -f ask '${line}' '${expected}'`)).stdout.includes("it does");
    expect(await shows("tidemark sim", "simulate")).toBe(true);
    expect(await shows("tidemark crawl --coverag", "--coverage")).toBe(true);
    expect(await shows("tidemark graph generate --urls-ou", "--urls-out")).toBe(true);
  });
});

describe("fish", () => {
  it("takes the script, and offers commands, options and values", async () => {
    const folder = await scriptFor("fish");
    const ask = async (line: string) =>
      (await folder.shell(`fish --no-config -c 'source ./script; complete -C "${line}"'`)).stdout;
    expect(await ask("tidemark sim")).toMatch(/^simulate\tcompare crawl orders/);
    expect(await ask("tidemark crawl --cov")).toMatch(/^--coverage\t/);
    expect(await ask("tidemark crawl --scope ")).toMatch(/^any\t/);
    expect(await ask("tidemark graph generate --urls-o")).toMatch(/^--urls-out\t/);
  });
});

/** Has zsh complete a line in a terminal of its own, and waits until the terminal shows what is expected. */
const ZSH_QUESTION = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; source ./script; bindkey '^I' list-choices; echo ready"
zpty -r shell seen "*ready*"
zpty -n -w shell "$1"$'\\t'
zpty -r shell seen "*$2*" && echo it does
zpty -d shell
`;

it("the manual page has every command and option, and man has nothing to say against it", async () => {
  const warnings = execFileSync("sh", ["-c", `groff -man -ww -z ${MAN_PAGE} 2>&1`], { encoding: "utf8" });
  expect(warnings).toBe("");
  const text = execFileSync("sh", ["-c", `groff -man -Tascii -P-cbou ${MAN_PAGE}`], { encoding: "utf8" });
  for (const { name, options } of commandsOf(await createWholeProgram())) {
    expect(text).toContain(`tidemark ${name}`);
    for (const { names } of options) for (const option of names) expect(text).toContain(option);
  }
  expect(text).toContain("130");
});
