/** Links between documents lead somewhere: to files that are there, and to headings that these files have. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linksOf, proseOf, root, targetOf } from "./support/document-links.ts";

const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", ...markdownUnder("docs")];

function markdownUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

/** Anchors as GitHub makes them: small letters, punctuation dropped, blanks to hyphens, numbers for repeated ones. */
function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of proseOf(document).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let k = 1; anchors.has(anchor); k++) anchor = `${slug}-${k}`;
    anchors.add(anchor);
  }
  return anchors;
}

describe("links between documents", () => {
  it("are found", () => {
    expect(linksOf("docs/README.md")).toContain("tutorial.md");
    expect(anchorsOf("docs/benchmarks.md")).toContain("ten-million-known-urls-crawl-scale");
  });

  it.each(documents)("%s: each leads to a file, and to a heading of it where it names one", (document) => {
    for (const link of linksOf(document)) {
      const { target, anchor } = targetOf(document, link);
      expect(existsSync(join(root, target)), `${document} -> ${link}: there is such a file`).toBe(true);
      if (anchor === undefined || statSync(join(root, target)).isDirectory()) continue;
      expect([...anchorsOf(target)], `${document} -> ${link}: there is such a heading`).toContain(anchor);
    }
  });

  it("lead from the index to every document, so that none is lost", () => {
    const indexed = new Set(linksOf("docs/README.md").map((link) => join("docs", link.split("#")[0])));
    const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "README.md");
    for (const guide of guides) expect(indexed).toContain(join("docs", guide));
  });
});
