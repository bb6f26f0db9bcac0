/**
 * Links between documents lead somewhere: to files that are there, also in the package that users install, and to
 * headings that these files have.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", ...markdownUnder("docs")];

function markdownUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

/** Text without what stands in code, where brackets are no links and # is no heading. */
function proseOf(document: string): string {
  const text = readFileSync(join(root, document), "utf8");
  return text.replace(/^```.*?^```/gms, "").replace(/^ {4}.*$/gm, "");
}

function linksOf(document: string): string[] {
  const prose = proseOf(document).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
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

/** What a link of a document leads to, and the heading that it names. */
function targetOf(document: string, link: string): { readonly target: string; readonly anchor: string | undefined } {
  const [path, anchor] = link.split("#") as [string, string | undefined];
  return { target: path === "" ? document : normalize(join(dirname(document), path)), anchor };
}

/** The files of the package, without what a build makes where there is none. */
function packedFiles(): string[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const json = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [{ files }] = JSON.parse(json) as [{ files: { path: string }[] }];
  return files.map(({ path }) => normalize(path));
}

function foldersOf(name: string): string[] {
  const folder = dirname(name);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
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

  it("of the package lead to files of the package", () => {
    const files = packedFiles();
    const shipped = files.filter((name) => name.endsWith(".md"));
    expect(shipped).toEqual(expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/README.md", "docs/mcp.md"]));
    const places = new Set(files.flatMap((name) => [name, ...foldersOf(name)]));
    const broken = shipped.flatMap((document) =>
      linksOf(document)
        .filter((link) => !places.has(targetOf(document, link).target.replace(/\/$/, "")))
        .map((link) => `${document} -> ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("lead from the index to every document, so that none is lost", () => {
    const indexed = new Set(linksOf("docs/README.md").map((link) => join("docs", link.split("#")[0])));
    const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "README.md");
    for (const guide of guides) expect(indexed).toContain(join("docs", guide));
  });
});
