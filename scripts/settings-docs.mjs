/**
 * Writes the documentation of settings from their table: the tables in docs/crawling.md and the JSON schema of the
 * config file. Run it after a build if test/docs-settings.test.ts says that they differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { configSchema, settingsMarkdown } from "../dist/crawl/index.js";

const guide = new URL("../docs/crawling.md", import.meta.url);
const tables = /(?<=<!-- settings: written by npm run docs:settings -->\n).*(?=\n<!-- end of settings -->)/s;
writeFileSync(
  guide,
  readFileSync(guide, "utf8").replace(tables, () => `\n${settingsMarkdown()}\n`),
);
const schema = new URL("../docs/crawl-config.schema.json", import.meta.url);
writeFileSync(schema, `${JSON.stringify(configSchema(), null, 2)}\n`);
