/**
 * What `tidemark serve` and `--serve` say where nothing can be served: one sentence, the right exit code, nothing left
 * behind.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCrawl } from "../../src/store/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { makeLargeCrawl } from "../support/large-crawl.ts";
import { eventually, Visitor } from "./support/visitor.ts";
import { Workshop } from "./support/workshop.ts";

let workshop: Workshop;
let taken: Server;
let takenPort: string;

beforeAll(async () => {
  workshop = new Workshop();
  for (const name of ["good", "newer", "damaged", "torn", "spoilt"]) makeLargeCrawl(workshop.at(name), 300);
  createCrawl(workshop.at("unset"), "{}").close();
  const database = openDatabase(workshop.at("newer/crawl.sqlite"), { access: "write" });
  database.exec("PRAGMA user_version = 99");
  database.close();
  writeFileSync(workshop.at("damaged/crawl.sqlite"), "SQLite format 3\0 and then nothing that makes sense");
  const torn = readFileSync(workshop.at("torn/crawl.sqlite"));
  writeFileSync(workshop.at("torn/crawl.sqlite"), torn.fill(0xa5, torn.readUInt16BE(16)));
  mkdirSync(workshop.at("empty"));
  writeFileSync(workshop.at("file"), "text");
  taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  takenPort = String((taken.address() as AddressInfo).port);
});

afterAll(async () => {
  taken?.close();
  await workshop?.close();
});

describe("serve refuses, in one sentence,", () => {
  it.each([
    ["what is not there", ["nowhere"], 2, /nowhere/],
    ["a folder that is empty", ["empty"], 2, /empty/],
    ["a file", ["file"], 2, /file/],
    ["a crawl of a newer version", ["newer"], 2, /version/],
    ["one that is damaged", ["damaged"], 2, /damaged/],
    ["one that is torn after its first page", ["torn"], 1, /restore it from a copy/],
    ["one whose settings make no sense", ["unset"], 2, /settings of this crawl are damaged/],
    ["no directory at all", [], 2, /dir/],
    ["an address that is none", ["good", "--listen", "here"], 2, /Expected a port/],
    ["a port beyond the last", ["good", "--listen", "65536"], 2, /Expected a port/],
    ["a token that could be guessed", ["good", "--listen", "0", "--token", "short"], 2, /token/],
  ] as const)("%s", async (_what, args, code, words) => {
    const outcome = await workshop.run(["serve", ...args]);
    expect(outcome).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(words) });
    expect(outcome.stderr).toMatch(/^(tidemark|error): [^\n]+\n(\n?[^\n]*--help[^\n]*\n)?$/);
    expect(outcome.stderr).not.toMatch(/\bat .*:\d+|ENOENT|SQLITE_/);
    expect(existsSync(workshop.at("nowhere"))).toBe(false);
  });

  it("a port that another program has", async () => {
    const { code, stdout, stderr } = await workshop.run(["serve", "good", "--listen", takenPort]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(takenPort);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("crawl refuses before it creates anything", () => {
  it.each([
    ["--listen without --serve", ["--listen", "1"], /--serve/],
    ["--token without --serve", ["--token", "0123456789abcdef0123456789abcdef"], /--serve/],
    ["a token that could be guessed", ["--serve", "--token", "short"], /token/],
    ["an address that is none", ["--serve", "--listen", "a:b"], /Expected a port/],
  ] as const)("%s", async (_what, args, words) => {
    const outcome = await workshop.run(["crawl", "http://127.0.0.1:9/", "--allow-private", "--dir", "new", ...args]);
    expect(outcome).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(words) });
    expect(existsSync(workshop.at("new"))).toBe(false);
  });

  it("a port that another program has", async () => {
    const args = ["http://127.0.0.1:9/", "--allow-private", "--dir", "new", "--serve", "--listen", takenPort];
    expect(await workshop.run(["crawl", ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(takenPort),
    });
    expect(existsSync(workshop.at("new"))).toBe(false);
  });
});

describe("serve", () => {
  it("of a file in which links are spoilt says so in the views that need them", async () => {
    spoil(workshop.at("spoilt/crawl.sqlite"), "links");
    const { url, server } = await workshop.serve("spoilt");
    const visitor = await Visitor.arrive();
    try {
      const allowed = /50[03]/;
      await visitor.visit(
        url,
        "#/missing",
        async (page) => {
          await page.getByText("spoilt/crawl.sqlite is damaged: restore it from a copy").waitFor();
        },
        { allowed },
      );
    } finally {
      await visitor.leave();
    }
    expect(server.stderr).not.toMatch(/\bat .*:\d+/);
    server.signal("SIGINT");
    expect(await server.ended()).toMatchObject({ code: 0 });
  });

  it("says where it is, answers there, and ends with Ctrl-C while somebody listens", async () => {
    const serving = workshop.start(["serve", "good", "--listen", "0"]);
    await eventually(() => serving.stdout).toMatch(/^The dashboard of good is at http:\/\/127\.0\.0\.1:\d+\/\n$/);
    const url = serving.stdout.trim().split(" ").at(-1)!;
    // One who listens for news holds a connection open, which must not hold up the end.
    const listening = await fetch(`${url}api/events`);
    expect(listening.status).toBe(200);
    serving.signal("SIGINT");
    expect(await serving.ended()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Ctrl-C stops it"),
    });
    await listening.text().catch(() => "cut off");
    await expect(fetch(url)).rejects.toThrow();
  });
});

/** Spoils the pages of one table alone: whatever opens the file finds nothing wrong with it. */
function spoil(path: string, table: string): void {
  const database = openDatabase(path, { access: "read" });
  const sql = `SELECT rootpage FROM sqlite_master WHERE name = '${table}'`;
  const page = Number(database.prepare(sql).all()[0]?.[0]);
  database.close();
  const bytes = readFileSync(path);
  const pageBytes = bytes.readUInt16BE(16);
  writeFileSync(path, bytes.fill(0xa5, (page - 1) * pageBytes, page * pageBytes));
}
