/** `tidemark crawl --help`: by groups, with every default, and a crawl as its first example. */
import { Command } from "commander";
import { expect, it } from "vitest";
import { declare } from "../../src/cli/commands/crawl.ts";
import { flagSettings, flagWords, settingsTable } from "../../src/crawl/settings/index.ts";

function helpText(): string {
  let text = "";
  const writeOut = (piece: string): void => void (text += piece);
  const command = new Command("crawl").configureOutput({ writeOut, getOutHelpWidth: () => 200 });
  declare(command);
  command.outputHelp();
  return text;
}

it("is grouped, in the order in which one thinks about a crawl", () => {
  const headings = helpText().match(/^[A-Z].*:$/gm);
  expect(headings).toEqual([
    "Arguments:",
    "What to crawl:",
    "Limits:",
    "Politeness:",
    "Output:",
    "Network and threads:",
    "Help:",
    "Examples:",
  ]);
});

it("has every flag of the table once, and says what is the default", () => {
  const help = helpText();
  const flags = flagSettings(settingsTable).map(([name, setting]) => flagWords(name, setting));
  expect(
    help
      .match(/^ {2}--[a-z-]+( <\S+>)?/gm)
      ?.map((flag) => flag.trim())
      .toSorted(),
  ).toEqual(flags.toSorted());
  expect(help).toMatch(/--delay <time> .* \(default: 1s\)$/m);
  expect(help).toMatch(/--scope <what> .* \(default: host\)$/m);
  expect(help).toMatch(/--max-pages <n> .* \(default: none\)$/m);
  expect(help).toMatch(/--dir <dir> .* \(default: crawl-HOST\)$/m);
  expect(help).toMatch(/--no-sitemaps +do not read the sitemaps/);
});

it("begins its examples with a crawl", () => {
  expect(/Examples:\n {2}\$ (.*)/.exec(helpText())?.[1]).toBe(
    "tidemark crawl https://www.example.com/ --coverage 0.95 --contact you@example.com",
  );
});
