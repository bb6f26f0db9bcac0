/** Documents as users of the package get them: not all files of the repository are there. */
import { execFileSync } from "node:child_process";
import { dirname, normalize } from "node:path";
import { expect, it } from "vitest";
import { linksOf, root, targetOf } from "./support/document-links.ts";

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

it("links of the documents of the package lead to files of the package", () => {
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
