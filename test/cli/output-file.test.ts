/** Files that commands write. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { writeTexts } from "../../src/cli/output/output-file.ts";
import { temporaryDirectory } from "../support/temporary.ts";

it.each(["", "one\n"])("a file whose name ends in .gz is a gzip file, whatever it holds: %j", async (text) => {
  const dir = temporaryDirectory();
  await writeTexts([
    { path: `${dir}/a.jsonl.gz`, text: [text] },
    { path: `${dir}/a.jsonl`, text: [text] },
  ]);
  expect(gunzipSync(readFileSync(`${dir}/a.jsonl.gz`)).toString()).toBe(text);
  expect(readFileSync(`${dir}/a.jsonl`, "utf8")).toBe(text);
});
