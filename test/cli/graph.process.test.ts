import { readFileSync, statSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Folder, MAIN } from "./run.ts";

/** 0 <-> 1, which lead to 2 (a self link) and 3 (no link). */
const ARCS = "# a comment\n0 1\n1 0\n1 2\n2 2\n0 3\n";
const URLS = "http://a.example/\nhttp://a.example/x\nhttp://b.example/\nhttp://www.b.example/\n";

describe("graph info", () => {
  it("counts what can be counted by hand", async () => {
    const folder = new Folder({ "web.arcs": ARCS });
    expect(await folder.json(["graph", "info", "web.arcs"])).toEqual({
      pages: 4,
      arcs: 5,
      hosts: null,
      interHostArcs: null,
      dangling: 1,
      selfLinks: 1,
      largestScc: 2,
    });
  });

  it("distinguishes hosts from domains", async () => {
    const folder = new Folder({ "web.arcs": ARCS, "web.urls": URLS });
    const info = ["graph", "info", "web.arcs", "--urls", "web.urls"];
    expect(await folder.json(info)).toMatchObject({ hosts: 3, interHostArcs: 2 });
    expect(await folder.json([...info, "--by", "domain"])).toMatchObject({ hosts: 2, interHostArcs: 2 });
  });

  it("counts pages that have a URL and no link", async () => {
    const folder = new Folder({ "web.arcs": "0 1\n", "web.urls": URLS });
    const info = await folder.json(["graph", "info", "web.arcs", "--urls", "web.urls"]);
    expect(info).toMatchObject({ pages: 4, dangling: 3 });
  });

  it("reads standard input, gzipped or not, and gzipped files whatever their name", async () => {
    const folder = new Folder({ "web.tsv": gzipSync("0\t1\n1\t2\n") });
    expect(await folder.json(["graph", "info", "-"], "0,1\r\n1,2\r\n")).toMatchObject({ pages: 3, arcs: 2 });
    expect(await folder.json(["graph", "info", "web.tsv"])).toMatchObject({ pages: 3, arcs: 2 });
  });

  it("speaks to people without --json", async () => {
    const folder = new Folder({ "web.arcs": ARCS });
    const { stdout, stderr } = await folder.run(["graph", "info", "web.arcs", "--quiet"]);
    expect(stdout).toMatch(/^pages without links +1 \(25%\)$/m);
    expect(stderr).toBe("");
  });
});

describe("graph convert", () => {
  it("keeps every arc, self links too, from text to BV and back", async () => {
    const folder = new Folder({ "web.arcs": ARCS });
    await folder.json(["graph", "convert", "web.arcs", "web.graph"]);
    expect(folder.names()).toEqual(["web.arcs", "web.graph", "web.offsets", "web.properties"]);
    const answer = await folder.json(["graph", "convert", "web", "back.csv"]);
    const text = "# pages 4 arcs 5\n0,1\n0,3\n1,0\n1,2\n2,2\n";
    expect(readFileSync(folder.at("back.csv"), "utf8")).toBe(text);
    expect(answer).toEqual({ pages: 4, arcs: 5, files: ["back.csv"], bytes: text.length });
  });

  it("turns arcs round", async () => {
    const folder = new Folder({ "web.arcs": ARCS });
    await folder.json(["graph", "convert", "web.arcs", "turned.tsv.gz", "--transpose"]);
    const text = gunzipSync(readFileSync(folder.at("turned.tsv.gz"))).toString();
    expect(text).toBe("# pages 4 arcs 5\n0\t1\n1\t0\n2\t1\n2\t2\n3\t0\n");
  });

  it("replaces a file and keeps its permissions", async () => {
    const folder = new Folder({ "web.arcs": ARCS });
    await folder.shell("touch out.txt && chmod 640 out.txt");
    await folder.json(["graph", "convert", "web.arcs", "out.txt"]);
    expect(readFileSync(folder.at("out.txt"), "utf8")).toContain("1 2\n");
    expect(statSync(folder.at("out.txt")).mode & 0o777).toBe(0o640);
  });

  it("writes to a device under its own name", async () => {
    const folder = new Folder({ "web.arcs": ARCS });
    const { stdout } = await folder.shell(`"${MAIN}" graph convert web.arcs /dev/stdout | cat`);
    expect(stdout).toContain("0 1\n0 3\n1 0\n1 2\n2 2\n");
  });
});

describe("graph generate", () => {
  it("writes the same web in every format, with a URL for every page", async () => {
    const folder = new Folder();
    const generate = ["graph", "generate", "--pages", "3000", "--seed", "5"];
    const text = await folder.json([...generate, "--out", "web.arcs", "--urls-out", "web.urls.gz"]);
    const bv = await folder.json([...generate, "--out", "web.graph"]);
    expect(text).toMatchObject({ pages: 3000, hosts: 60, seed: 5, files: ["web.arcs", "web.urls.gz"] });
    expect(bv).toMatchObject({ arcs: (text as { arcs: number }).arcs });
    await folder.json(["graph", "convert", "web.graph", "again.arcs"]);
    const arcs = (name: string): string => readFileSync(folder.at(name), "utf8").replace(/^#.*\n/gm, "");
    expect(arcs("again.arcs")).toBe(arcs("web.arcs"));
    expect(await folder.json(["graph", "info", "web", "--urls", "web.urls.gz"])).toMatchObject({ hosts: 60 });
  });

  it("gives another web for another seed", async () => {
    const folder = new Folder();
    const text = async (seed: string): Promise<string> => {
      await folder.json(["graph", "generate", "--pages", "500", "--seed", seed, "--out", "web.arcs"]);
      return readFileSync(folder.at("web.arcs"), "utf8");
    };
    expect(await text("1")).toBe(await text("1"));
    expect(await text("2")).not.toBe(await text("1"));
  });
});
