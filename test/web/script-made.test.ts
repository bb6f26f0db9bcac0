/** Pages that show nothing until their scripts have run. */
import { describe, expect, it } from "vitest";
import { looksScriptMade } from "../../src/web/index.ts";

const WORDS = "There is something to read here. ".repeat(10);

describe("a page that looks script-made", () => {
  it("has scripts and hardly any text", () => {
    expect(looksScriptMade('<!doctype html><title>App</title><div id=app></div><script src="/app.js"></script>')).toBe(
      true,
    );
    expect(looksScriptMade("<p>Please enable JavaScript.</p><SCRIPT>go()</SCRIPT>")).toBe(true);
  });

  it("has its text nowhere but where it is not shown", () => {
    for (const name of ["script", "style", "noscript", "template", "title", "svg", "textarea"]) {
      expect(looksScriptMade(`<script></script><${name}>${WORDS}</${name}><p>a</p>`)).toBe(true);
    }
    expect(looksScriptMade(`<script></script><!-- <p>${WORDS}</p> --><p title="${WORDS}">a</p>`)).toBe(true);
    expect(looksScriptMade(`<script>${WORDS}`)).toBe(true);
  });

  it("is none with text or without scripts", () => {
    expect(looksScriptMade(`<script></script><p>${WORDS}</p>`)).toBe(false);
    expect(looksScriptMade(`<p>${WORDS}</p><script></script>`)).toBe(false);
    expect(looksScriptMade("<p>Moved.</p>")).toBe(false);
    expect(looksScriptMade("")).toBe(false);
  });

  it("has at most 200 characters, spaces and entities not counted", () => {
    const page = (text: string): string => `<script></script><p>${text}</p>`;
    expect(looksScriptMade(page("ab &nbsp; ".repeat(100)))).toBe(true);
    expect(looksScriptMade(page(`${"ab ".repeat(100)}c`))).toBe(false);
  });
});
