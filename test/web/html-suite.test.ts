/** Links of broken pages against recorded trees of two other parsers. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readHtml } from "../../src/web/index.ts";
import { sharedPath } from "../support/shared.ts";

interface LiveLinks {
  readonly cases: readonly { html: string; links: readonly [tag: string, url: string][] }[];
}

const path = sharedPath("suites/live-links.json");

describe.skipIf(path === undefined)("the suite of live links", () => {
  it("has the same set of links in every case", () => {
    const { cases } = JSON.parse(readFileSync(path!, "utf8")) as LiveLinks;
    expect(cases.length).toBeGreaterThan(800);
    const wrong = cases.filter(({ html, links }) => {
      const found = new Set(readHtml(html).links.map(({ tag, href }) => `${tag} ${href}`));
      const expected = new Set(links.map(([tag, url]) => `${tag} ${url}`));
      return found.size !== expected.size || [...found].some((link) => !expected.has(link));
    });
    expect(wrong.map(({ html }) => html)).toEqual([]);
  });
});
