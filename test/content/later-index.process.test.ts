/** An index that goes forward while its process is killed, or while the disk is full. */
import { spawn } from "node:child_process";
import { cpSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { searchExpression, SearchIndex } from "../../src/content/index.ts";
import { MAIN } from "../cli/run.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { changePages, type TextChange, writeTexts } from "../support/text-crawl.ts";
import { enlarge, tinyDisk } from "../support/tiny-disk.ts";

const CONTENT = pathToFileURL(join(dirname(MAIN), "../content/index.js")).href;
/** Says each step that it has made. */
const UPDATE = `
  import { SearchIndex } from ${JSON.stringify(CONTENT)};
  for (const { done } of new SearchIndex(process.argv[1]).update()) process.stdout.write(done + "\\n");`;

type Matches = ReturnType<SearchIndex["matches"]>[];

const filler = "filler word ".repeat(200);
const pages = Array.from({ length: 3000 }, (_, k) => ({ text: `tide number${k} ${filler}` }));
const changes = (word: string): TextChange[] =>
  Array.from({ length: 1400 }, (_, k) => ({ id: 2 * k, page: { text: `${word} number${k} ${filler}` } }));

function update(dir: string): void {
  const index = new SearchIndex(dir);
  try {
    for (const _ of index.update());
  } finally {
    index.close();
  }
}

function matchesOf(dir: string): Matches {
  update(dir);
  const index = new SearchIndex(dir);
  const found = ["tide", "moon", "sea", "number7"].map((word) => index.matches(searchExpression(word)));
  index.close();
  return found.map((matches) => matches.sort((a, b) => a.id - b.id));
}

function matchesAnew(dir: string): Matches {
  const copy = join(temporaryDirectory(), "crawl");
  cpSync(dir, copy, { recursive: true });
  rmSync(join(copy, "search.sqlite"));
  return matchesOf(copy);
}

/** Kills the process right after a step, in the middle of the next. Returns what it has said. */
async function killedAfter(dir: string, steps: number): Promise<readonly number[]> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", UPDATE, dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.split("\n").length > steps) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.on("close", resolve));
  return said.split("\n").slice(0, -1).map(Number);
}

it("is as one that is made anew, wherever its process was killed", async () => {
  const dir = join(temporaryDirectory(), "crawl");
  writeTexts(dir, pages);
  update(dir);
  changePages(dir, changes("moon"));
  let reached = 3000;
  for (const steps of [1, 2, 1]) {
    const said = await killedAfter(dir, steps);
    // It goes on where the one before was killed, and does not begin anew.
    for (const done of said) expect(done).toBeGreaterThan(reached);
    reached = said.at(-1) ?? reached;
  }
  expect(reached).toBeGreaterThan(3000);
  expect(matchesOf(dir)).toEqual(matchesAnew(dir));
});

it("stays as it was where the disk is full, and goes on when there is room", ({ skip }) => {
  const disk = tinyDisk(2 ** 26);
  if (disk === undefined) return skip("no permission to mount a disk of 64 MB");
  const dir = join(disk, "crawl");
  writeTexts(dir, pages);
  update(dir);
  changePages(dir, changes("moon"));
  fill(disk);
  expect(() => update(dir)).toThrow("the disk is full");
  enlarge(disk, 2 ** 27);
  expect(matchesOf(dir)).toEqual(matchesAnew(dir));
});

/** Leaves a few pages of the disk, not enough for a step. */
function fill(disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - 2 ** 16)));
}
