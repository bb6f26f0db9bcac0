/** `tidemark import` as people use it: answers, notes, exit codes, and views of what was imported. */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { warcRecord } from "../import/importing.ts";
import { CallFolder } from "./call.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";

const A = "https://a.example/";
const archive = Buffer.concat(
  [
    warcRecord({
      url: A,
      body: '<html lang=en><title>Front</title><a href="b">b</a> <a href="c">c</a> <p>harbour lights',
    }),
    warcRecord({ url: `${A}b`, body: `<title>B</title><a href="/">home</a> <p>${"the tide comes in. ".repeat(20)}` }),
  ].map((record) => gzipSync(record)),
);

describe("tidemark import", () => {
  it("makes a directory on which every view works", async () => {
    const folder = new CallFolder({ "crawl.warc.gz": archive });
    const { code, stdout, stderr } = await folder.run(["import", "crawl.warc.gz", "--out", "dir"]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`importance is measured from ${A}; name others with --seed`),
    ]);
    expect(stdout).toContain("dir: 2 pages, 3 links, 1 host, 1 more known.\nThe pages hold at least ");
    expect(stdout).toContain("is waiting to be fetched (a.example");
    expect(stdout).toContain("\n  tidemark export dir --format markdown --out best.md   # 2 pages as Markdown\n");
    const { coverage } = (await folder.json(["coverage", "dir"])) as { coverage: number };
    expect(coverage).toBeGreaterThan(0.1);
    const views = [
      ["rank", "dir"],
      ["report", "dir", "--out", "report.html"],
      ["export", "dir", "--format", "csv", "--out", "pages.csv"],
      ["export", "dir", "--format", "markdown", "--out", "pages.md"],
      ["search", "dir", "tide"],
      ["pack", "dir", "--tokens", "1000", "--out", "pack.md"],
      ["import", "crawl.warc.gz", "--out", "again", "--store", "none"],
      ["compare", "dir", "again"],
    ];
    for (const view of views) expect([view[0], (await folder.run(view)).code]).toEqual([view[0], 0]);
    expect((await folder.run(["search", "dir", "tide"])).stdout).toContain(`${A}b`);
    expect((await folder.run(["report", "dir", "--out", "-"])).stdout).toContain("was imported");
  });

  it("is named by commands that get the files instead of a crawl, and only by these", async () => {
    const files = {
      "a.warc.gz": archive,
      "items.jl": `{"url":"${A}","links":[]}\n`,
      "internal_all.csv": `Address,Status Code\n${A},200\n`,
      "web.arcs": "0\t1\n1\t0\n",
      "some.json": '{"runs":5}\n',
    };
    const folder = new CallFolder(files);
    const refusal = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await folder.run(args);
      expect([code, stdout]).toEqual([2, ""]);
      return stderr;
    };
    for (const [command, ...more] of [
      ["coverage"],
      ["rank"],
      ["report"],
      ["export", "--format", "markdown"],
      ["pack", "--tokens", "500"],
      ["serve"],
    ]) {
      const said = await refusal(command, "a.warc.gz", ...more);
      expect(said).toContain(
        "another crawler (warc); to make a crawl directory of it: tidemark import a.warc.gz --out DIR",
      );
    }
    expect(await refusal("search", "items.jl", "tide")).toContain("(scrapy); to make");
    expect(await refusal("compare", "items.jl", "a.warc.gz")).toContain("tidemark import items.jl --out DIR");
    expect(await refusal("coverage", "internal_all.csv")).toContain("(screaming-frog); to make");
    expect(await refusal("coverage", "web.arcs")).not.toContain("import");
    expect(await refusal("report", "some.json")).not.toContain("import");
    expect(await refusal("pack", "none.warc", "--tokens", "5")).not.toContain("import");
  });

  it("says what it leaves out, and which seeds the files do not have", async () => {
    const folder = new Folder({ "items.jl": `{"url":5,"links":[]}\n{"url":"${A}","links":[]}\n` });
    const args = ["import", "items.jl", "--out", "dir", "--seed", "https://b.example/", "--scope", "any"];
    const { code, stderr } = await folder.run(args);
    expect(code).toBe(0);
    expect(stderr).toContain("1 item left out: no web address\n");
    expect(stderr).toContain("this seed is not among the pages of the files: https://b.example/\n");
  });

  it("counts links, also where hundreds of URLs that were discovered last have none", async () => {
    const links = Array.from({ length: 400 }, (_, k) => `${A}${k}`);
    const folder = new CallFolder({ "items.jl": `${JSON.stringify({ url: A, links })}\n` });
    const args = ["import", "items.jl", "--out", "dir", "--seed", A];
    expect(await folder.json(args)).toMatchObject({ pages: 1, links: 400 });
  });

  it("answers in JSON, and ends with 1 where a file is damaged, after what came before", async () => {
    const folder = new CallFolder({ "crawl.warc.gz": archive.subarray(0, archive.length - 30), "seeds.txt": `${A}\n` });
    const args = ["import", "crawl.warc.gz", "--out", "dir", "--seed-file", "seeds.txt", "--json"];
    const { code, stdout, stderr } = await folder.run(args);
    expect(code).toBe(1);
    expect(stderr).toContain("the file ends in the middle of gzipped data");
    expect(JSON.parse(stdout)).toMatchObject({
      dir: "dir",
      format: "warc",
      pages: 1,
      seeds: 1,
      responses: { taken: 1 },
    });
    expect(folder.names()).toEqual(["crawl.warc.gz", "dir", "seeds.txt"]);
  });

  it("ends with 2 for what makes no sense, and makes nothing", async () => {
    const folder = new CallFolder({
      "a.csv": "Name,Price\n1,2\n",
      "crawl.warc.gz": archive,
      "none.txt": "# nothing\n",
    });
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [["a.csv"], 'begins with "Name,Price"'],
      [["a.csv", "--from", "screaming-frog"], 'columns "Address", "Status Code"'],
      [["missing.warc"], "missing.warc: no such file"],
      [["crawl.warc.gz", "--links-complete"], "leave out --links-complete"],
      [["crawl.warc.gz", "--seed", "nowhere"], "is not the URL of a web page"],
      [["crawl.warc.gz", "--seed-file", "none.txt"], "names no URL"],
      [["crawl.warc.gz", "--from", "parquet"], "warc, wat, scrapy"],
      [["crawl.warc.gz", "--scope", "page", "--exclude", "example"], "is outside the scope"],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await folder.run(["import", ...args, "--out", "dir"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(folder.names()).toEqual(["a.csv", "crawl.warc.gz", "none.txt"]);
  });

  it("says how many pages have more links than it was promised", async () => {
    const folder = new CallFolder({
      "internal_all.csv": `Address,Content,Status Code,Unique Outlinks\n${A},text/html,200,1\n${A}b,text/html,200,7\n`,
      "all_outlinks.csv": `Type,Source,Destination\nHyperlink,${A},${A}b\n`,
    });
    const args = ["import", "internal_all.csv", "all_outlinks.csv", "--links-complete", "--out"];
    const { code, stderr } = await folder.run([...args, "dir"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 page has more outlinks than the files name")]);
    expect(await folder.json([...args, "again"])).toMatchObject({ pages: 2, lackingLinks: 1 });
  });

  it("that is interrupted says so and leaves nothing", async () => {
    const folder = new Folder({ "crawl.warc": Buffer.concat(Array.from({ length: 3000 }, (_, n) => page(n))) });
    const child = folder.start(process.execPath, [MAIN, "import", "crawl.warc", "--out", "dir"]);
    const ended = outcomeOf(child);
    while (folder.names().length < 2) await setTimeout(5);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout, files: folder.names() }).toEqual({ code: 130, stdout: "", files: ["crawl.warc"] });
    expect(stderr).toContain("interrupted: dir was not made");
  });

  it("gives ranks of hosts in the columns of Common Crawl", async () => {
    const folder = new CallFolder({ v: "0\tcom.a\n1\tcom.b.www\n2\tcom.c\n", e: "0\t1\n1\t0\n2\t1\n" });
    await folder.json(["import", "v", "e", "--out", "dir", "--links-complete", "--seed", "https://a.com/"]);
    await folder.json(["rank", "dir", "--uniform", "--out", "ranks.txt", "--format", "cc"]);
    const ranks = readRanks(folder);
    expect(ranks.map(({ position, host }) => [position, host])).toEqual([
      ["1", "com.b.www"],
      ["2", "com.a"],
      ["3", "com.c"],
    ]);
    // By hand: c has 0.05; b = 0.05 + 0.85 (a + c), a = 0.05 + 0.85 b.
    const b = (0.05 + 0.85 * 0.1) / (1 - 0.85 ** 2);
    const expected = [b, 0.05 + 0.85 * b, 0.05];
    for (const [k, { value }] of ranks.entries()) expect(value).toBeCloseTo(expected[k], 8);
    const { code, stderr } = await folder.run(["rank", "dir", "--format", "cc"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("give it as well")]);
  });
});

function page(n: number): Buffer {
  return warcRecord({ url: `${A}${n}`, body: `<a href="${n + 1}">next</a> ${"text ".repeat(2000)}` });
}

function readRanks(folder: Folder) {
  const [header, ...lines] = readFileSync(folder.at("ranks.txt"), "utf8").trim().split("\n");
  expect(header).toBe("#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev");
  return lines.map((line) => {
    const [, , position, value, host] = line.split("\t");
    return { position, value: Number(value), host };
  });
}
