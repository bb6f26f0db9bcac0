/** Links of the documents of the repository. */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Text without what stands in code, where brackets are no links and # is no heading. */
export function proseOf(document: string): string {
  const text = readFileSync(join(root, document), "utf8");
  return text.replace(/^```.*?^```/gms, "").replace(/^ {4}.*$/gm, "");
}

export function linksOf(document: string): string[] {
  const prose = proseOf(document).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** What a link of a document leads to, and the heading that it names. */
export function targetOf(
  document: string,
  link: string,
): { readonly target: string; readonly anchor: string | undefined } {
  const [path, anchor] = link.split("#") as [string, string | undefined];
  return { target: path === "" ? document : normalize(join(dirname(document), path)), anchor };
}
