/** The programs of docs/crawlee.md and examples/ run as printed, with the real packages, on a small site. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "./user-program.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

let guide: string[];

beforeAll(() => {
  const text = readFileSync(join(root, "docs/crawlee.md"), "utf8");
  guide = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, program]) => program);
});

describe("the guide to Crawlee", () => {
  it.each([0, 1])("has program %i, which runs until its coverage is proved", async (number) => {
    const output = await runProgram(guide[number]);
    expect(output).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a Page \/a$/m);
    expect(output).toMatch(/^4 pages hold at least 1 of all importance$/m);
  });
});
