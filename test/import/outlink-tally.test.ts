/** Tables of Screaming Frog whose pages have more links, by their own rows, than the table of links has of them. */
import { describe, expect, it } from "vitest";
import { importFiles } from "./importing.ts";

const A = "https://a.example/";
const HEADER = "Address,Content,Status Code";

/** What is known of the links of a page whose row has these cells, with these links. */
async function linksOf(
  counts: Readonly<Record<string, string>>,
  links: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const { outcomes, result } = await importFiles(
    {
      "internal_all.csv": [
        [HEADER, ...Object.keys(counts)].join(","),
        [A, "text/html", "200", ...Object.values(counts).map((cell) => `"${cell}"`)].join(","),
      ].join("\n"),
      "all_outlinks.csv": table(links),
      ...more,
    },
    { linksComplete: true, seeds: [A] },
  );
  return { outcome: outcomes[A], lacking: result.lackingLinks };
}

function table(links: readonly string[]): string {
  return ["Type,Source,Destination", ...links.map((link) => link.replace(" ", `,${A},`))].join("\n");
}

const WHOLE = { outcome: "downloaded", lacking: 0 };
const LACKING = { outcome: "links-unknown", lacking: 1 };
const to = (target: string): string => `Hyperlink ${target.startsWith("http") ? target : A + target}`;

describe("the links of a page of Screaming Frog are unknown", () => {
  it("if there are fewer targets than its row counts, on its own site or on others", async () => {
    const counts = { "Unique Outlinks": "2", "Unique External Outlinks": "1" };
    expect(await linksOf(counts, [to("b"), to("c"), to("https://b.example/")])).toEqual(WHOLE);
    expect(await linksOf(counts, [to("b"), to("https://b.example/")])).toEqual(LACKING);
    expect(await linksOf(counts, [to("b"), to("c")])).toEqual(LACKING);
  });

  it("if a target that is repeated stands in for another", async () => {
    const counts = { Outlinks: "3", "Unique Outlinks": "2", "External Outlinks": "0", "Unique External Outlinks": "0" };
    expect(await linksOf(counts, [to("b"), to("b"), to("b#part")])).toEqual(LACKING);
    // Which of the links are there twice says nothing about where they lead.
    expect(await linksOf(counts, [to("b"), to("c")])).toEqual(WHOLE);
  });

  it("if there are fewer rows than its row counts, where nobody has counted targets", async () => {
    const counts = { Outlinks: "2", "External Outlinks": "1" };
    expect(await linksOf(counts, [to("b"), to("b"), to("https://b.example/")])).toEqual(WHOLE);
    expect(await linksOf(counts, [to("b"), to("https://b.example/")])).toEqual(LACKING);
  });

  it("if a second file with the same rows stands in for others, but not if the rows are in two files", async () => {
    const rows = [to("b"), to("b"), to("c")];
    const counts = { Outlinks: "4", "External Outlinks": "0" };
    expect(await linksOf(counts, rows, { "again.csv": table(rows) })).toEqual(LACKING);
    const unique = { "Unique Outlinks": "3", "Unique External Outlinks": "0" };
    expect(await linksOf(unique, rows, { "again.csv": table(rows) })).toEqual(LACKING);
    expect(await linksOf(unique, rows, { "more.csv": table([to("d")]) })).toEqual(WHOLE);
  });

  it("if links to other hosts stand in for its own, where only those were counted", async () => {
    for (const column of ["Outlinks", "Unique Outlinks"]) {
      expect(await linksOf({ [column]: "2" }, [to("b"), to("https://b.example/")])).toEqual(LACKING);
      expect(await linksOf({ [column]: "2" }, [to("b"), to("http://a.example/c")])).toEqual(WHOLE);
    }
  });

  it("if what is no hyperlink stands in for one", async () => {
    const counts = { "Unique Outlinks": "2", "Unique External Outlinks": "0" };
    for (const other of [
      "IFrame https://a.example/frame",
      "Image https://a.example/i.png",
      "Hyperlink mailto:a@b.example",
    ]) {
      expect(await linksOf(counts, [to("b"), other])).toEqual(LACKING);
    }
  });

  it("if its count cannot be read, but not if there is none", async () => {
    for (const cell of ["1,234", "many", "-1", "1.5"]) {
      expect(await linksOf({ "Unique Outlinks": cell, "Unique External Outlinks": "0" }, [to("b")])).toEqual(LACKING);
    }
    for (const cell of ["", " ", "0", "1.0"]) expect(await linksOf({ Outlinks: cell }, [to("b")])).toEqual(WHOLE);
  });
});

describe("pages with fewer links than promised", () => {
  const pages = [
    `${HEADER},Unique Outlinks`,
    `${A},text/html,200,1`,
    `${A}b,text/html,200,7`,
    `${A}c,application/pdf,200,2`,
    `${A}gone,text/html,404,3`,
  ].join("\n");
  const links = table([to("b")]);

  it("are counted once each; what is no page is not", async () => {
    const files = { "internal_all.csv": pages, "internal_html.csv": pages, "all_outlinks.csv": links };
    const { outcomes, result } = await importFiles(files, { linksComplete: true });
    expect(result.lackingLinks).toBe(2);
    expect(outcomes).toEqual({
      [A]: "downloaded",
      [`${A}b`]: "links-unknown",
      [`${A}c`]: "links-unknown",
      [`${A}gone`]: "dead",
    });
  });

  it("lack them too if the same rows stand in two files, one of which is damaged", async () => {
    const two = table([to("b"), to("b")]);
    const { outcomes, result } = await importFiles({
      "internal_all.csv": `${HEADER},Outlinks\n${A},application/pdf,200,4`,
      "cut_outlinks.csv": `${two}\nHyperlink,"${A}`,
      "all_outlinks.csv": two,
    });
    expect(result.damages).toHaveLength(1);
    expect(outcomes[A]).toBe("links-unknown");
  });

  it("are not counted where nothing was promised", async () => {
    const { result } = await importFiles({ "internal_all.csv": pages, "all_outlinks.csv": links });
    expect(result.lackingLinks).toBe(0);
  });
});
