/** A new setting is a row of the table: everything that shows, reads or keeps settings has it then. */
import { Command } from "commander";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/cli/input/config-file.ts";
import { declareSettings, givenSettings } from "../../../src/cli/options/settings.ts";
import {
  configSchema,
  crawlSettings,
  parseSettings,
  settingsMarkdown,
  typedSettings,
} from "../../../src/crawl/index.ts";
import { type SettingsTable, settingsTable, wholeNumber } from "../../../src/crawl/settings/index.ts";

import { temporaryDirectory } from "../../support/temporary.ts";
import { COMMAND_010 } from "./version-010.ts";

const table: SettingsTable = {
  ...settingsTable,
  maxBubbles: {
    group: "politeness",
    kind: wholeNumber(1, 9),
    help: "bubbles per host",
    default: 3,
    stored: "web.bubblesMax",
  },
};
const SEEDS = [{ url: "http://www.demo.test/", weight: 1 }];

describe("a row that is added to the table", () => {
  it("is a flag, with its help and its default", () => {
    const command = declared();
    expect(command.helpInformation()).toMatch(/--max-bubbles <n> +bubbles per host \(default: 3\)/);
    command.parse(["--max-bubbles", "4"], { from: "user" });
    expect(givenSettings(command, table)).toEqual({ maxBubbles: 4 });
    expect(givenSettings(declared(), table)).toEqual({});
    expect(() => declared().parse(["--max-bubbles", "10"], { from: "user" })).toThrow(
      "Expected a whole number from 1 to 9.",
    );
  });

  it("is a key of a config file", () => {
    expect(configured("max-bubbles: 5\n")).toEqual({ maxBubbles: 5 });
    expect(configured('{"maxBubbles": 5}')).toEqual({ maxBubbles: 5 });
    expect(() => configured("\nmax-bubbles: 0\n")).toThrow(
      'line 2: max-bubbles: got "0". Expected a whole number from 1 to 9.',
    );
  });

  it("stands in the JSON schema of a config file, and in the docs", () => {
    expect(configSchema(table)).toMatchObject({
      properties: {
        "max-bubbles": {
          description: "bubbles per host",
          type: "integer",
          minimum: 1,
          maximum: 9,
          default: 3,
        },
        maxBubbles: { $ref: "#/properties/max-bubbles" },
      },
    });
    expect(settingsMarkdown(table)).toContain("| `--max-bubbles <n>` | 3 | bubbles per host");
  });

  it("is an option of the library, kept with the crawl and shown as it would be typed", () => {
    const options = { maxBubbles: 6 } as object;
    const settings = crawlSettings(options, { seeds: SEEDS }, table);
    expect(settings.web).toMatchObject({ bubblesMax: 6 });
    const read = parseSettings(JSON.stringify(settings), table);
    expect(typedSettings(read, table)).toContainEqual({
      group: "politeness",
      flag: "--max-bubbles",
      value: "6",
      isDefault: false,
    });
  });

  it("has its default in a directory of an older version, and cannot change there if it is fixed", () => {
    const before = parseSettings(COMMAND_010, table);
    expect(before.web).toMatchObject({ bubblesMax: 3 });
    expect(crawlSettings({}, { seeds: SEEDS, before }, table)).toEqual(before);
    const options = { maxBubbles: 4 } as object;
    expect(() => crawlSettings(options, { seeds: SEEDS, before }, table)).toThrow(
      "this crawl started with --max-bubbles 3, which cannot be changed to 4",
    );
  });

  it("is damaged where it is of another type", () => {
    const stored = parseSettings(COMMAND_010);
    const json = JSON.stringify({ ...stored, web: { ...stored.web, bubblesMax: "x" } });
    expect(() => parseSettings(json, table)).toThrow('web.bubblesMax is ""x"", expected a number');
  });
});

function declared(): Command {
  const command = new Command("crawl").exitOverride().configureOutput({ writeErr: () => {} });
  declareSettings(command, table);
  return command;
}

function configured(text: string): object {
  const path = join(temporaryDirectory(), "c.yaml");
  writeFileSync(path, text);
  return readConfig(path, table);
}
