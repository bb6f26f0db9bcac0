/** A few small sites, to check that the benchmark of crawlers still works without Debian's documentation. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DocumentationSite } from "./documentation.ts";

const SITES = 4;
const PAGES = 25;
const LINKS = 10;

export function generatedSites(dir: string): DocumentationSite[] {
  return Array.from({ length: SITES }, (_, number) => {
    const root = join(dir, `site${number}`);
    mkdirSync(root, { recursive: true });
    const pages = Array.from({ length: PAGES }, (__, page) => `page${page}.html`);
    for (const [k, page] of pages.entries()) {
      const links = Array.from({ length: LINKS }, (__, link) => pages[(7 * k + link) % PAGES]);
      const items = links.map((link) => `<li><a href="${link}">${link}</a></li>`).join("\n");
      writeFileSync(join(root, page), `<!doctype html><title>${page} of ${number}</title><ul>${items}</ul>`);
    }
    return { name: `site${number}`, root, pages };
  });
}
