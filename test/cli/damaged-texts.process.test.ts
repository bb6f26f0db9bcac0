/** What a crawl has stored of its pages may be lost or damaged afterwards. */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { CallFolder } from "./call.ts";
import { demoWeb, SEED } from "./demo-web.ts";

const COMMANDS = [
  ["export", "c", "--format", "markdown", "--out", "pages.md"],
  ["search", "c", "harbour"],
  ["pack", "c", "--tokens", "5000", "--out", "pack.md"],
];

/** A copy of a crawl after each of these, and what each command says of it. */
async function expectSaid(
  crawl: readonly string[],
  damages: readonly (readonly [damage: (dir: string) => void, said: RegExp])[],
): Promise<void> {
  const folder = new CallFolder();
  const args = ["crawl", SEED, ...(await demoWeb()), "--max-pages", "20", "--dir", "whole", ...crawl];
  expect(await folder.run(args)).toMatchObject({ code: 0 });
  for (const [damage, said] of damages) {
    for (const command of COMMANDS) {
      rmSync(folder.at("c"), { recursive: true, force: true });
      cpSync(folder.at("whole"), folder.at("c"), { recursive: true });
      damage(folder.at("c"));
      const { code, stderr } = await folder.run(command);
      expect({ command, code, stderr }).toEqual({ command, code: 1, stderr: expect.stringMatching(said) });
      expect(stderr).not.toContain("bug in tidemark");
    }
  }
}

const archive = (dir: string): string =>
  `${dir}/warc/${readdirSync(`${dir}/warc`).find((name) => name.endsWith(".gz"))}`;

/** Other bytes in every member. */
function damageMembers(path: string): void {
  const bytes = readFileSync(path);
  for (let at = 100; at < bytes.length; at += 100) bytes[at] ^= 0xff;
  writeFileSync(path, bytes);
}

function damageTexts(dir: string): void {
  const Database = createRequire(import.meta.url)("better-sqlite3") as typeof import("better-sqlite3");
  const database = new Database(`${dir}/crawl.sqlite`);
  database.exec("UPDATE texts SET markdown = x'ff00ff'");
  database.close();
}

describe("a crawl whose archive", () => {
  it("is missing, cut or damaged names the file, and what to do", () =>
    expectSaid(
      ["--warc"],
      [
        [
          (dir) => rmSync(archive(dir)),
          /warc\.gz does not have http:.* where .*index\.cdxj says .*restore it from a copy/,
        ],
        [(dir) => truncateSync(archive(dir), 2000), /got \d+ of \d+ bytes.*restore it from a copy/],
        [(dir) => damageMembers(archive(dir)), /does not have http:.*restore it from a copy/],
        [
          (dir) => writeFileSync(`${dir}/warc/index.cdxj`, "no index\n"),
          /index\.cdxj is damaged .*delete it and resume/,
        ],
      ],
    ));
});

describe("a crawl whose stored texts", () => {
  it("are damaged names the page, and what to do", () =>
    expectSaid(
      ["--store", "markdown"],
      [[damageTexts, /the stored text of http:\S+ is damaged .*restore crawl\.sqlite from a copy/]],
    ));
});
