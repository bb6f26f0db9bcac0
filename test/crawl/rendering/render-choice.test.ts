/** Which pages are rendered, by the comparison of samples. */
import { describe, expect, it } from "vitest";
import { RenderChoice } from "../../../src/crawl/rendering/render-choice.ts";
import { LinkKind, type PageContent, unreadablePage } from "../../../src/crawl/reader/contract.ts";

const HOST = "a.example";

/** A page with links of these fingerprints. */
function page(links: readonly number[], { isShell = false, kind = LinkKind.Follow as number } = {}): PageContent {
  const fingerprints = Uint32Array.from(links.flatMap((link) => [0, link]));
  const kinds = Uint8Array.from(links, () => kind);
  const { links: none, ...rest } = unreadablePage();
  return { ...rest, links: { ...none, kinds, fingerprints }, linksUnknown: null, looksScriptMade: isShell };
}

const whole = (content: PageContent): { content: PageContent; isIncomplete: boolean } => ({
  content,
  isIncomplete: false,
});

/** A choice for which so many samples were alike. */
function judged(samples: number): RenderChoice {
  const choice = new RenderChoice("auto");
  for (let k = 0; k < samples; k++) {
    expect(choice.of(HOST, page([1]))).toBe("render");
    choice.compared(HOST, page([1]), whole(page([1])));
  }
  return choice;
}

describe("which pages are rendered", () => {
  it("is none with never and all with always, without reading them plain", () => {
    const never = new RenderChoice("never");
    expect(never.rendersAtOnce(HOST)).toBe(false);
    expect(never.of(HOST, page([], { isShell: true }))).toBe("keep");
    expect(new RenderChoice("always").rendersAtOnce(HOST)).toBe(true);
  });

  it("is three samples of a host first; other pages wait until they are compared", () => {
    const choice = new RenderChoice("auto");
    expect([1, 2, 3, 4].map(() => choice.of(HOST, page([1])))).toEqual(["render", "render", "render", "wait"]);
    expect(choice.compared(HOST, page([1]), whole(page([1])))).toBe(false);
    expect(choice.compared(HOST, page([1]), whole(page([1])))).toBe(false);
    expect(choice.isRendered(HOST)).toBeUndefined();
    expect(choice.compared(HOST, page([1]), whole(page([1])))).toBe(true);
    expect(choice.isRendered(HOST)).toBe(false);
    expect(choice.isRendered("b.example")).toBeUndefined();
  });

  it("is all pages of a host as soon as one sample has a link that its HTML lacks", () => {
    const choice = new RenderChoice("auto");
    choice.of(HOST, page([1]));
    expect(choice.compared(HOST, page([1]), whole(page([1, 2])))).toBe(true);
    expect(choice.rendersAtOnce(HOST)).toBe(true);
    expect(choice.compared(HOST, page([1]), whole(page([1])))).toBe(false);
    expect(choice.rendersAtOnce(HOST)).toBe(true);
    expect(choice.rendersAtOnce("b.example")).toBe(false);
  });

  it("is all pages of a host if a sample has content where its HTML has none", () => {
    const choice = new RenderChoice("auto");
    choice.of(HOST, page([], { isShell: true }));
    expect(choice.compared(HOST, page([], { isShell: true }), whole(page([])))).toBe(true);
    expect(choice.isRendered(HOST)).toBe(true);
  });

  it("does not depend on links that are lost or not followed", () => {
    const choice = new RenderChoice("auto");
    for (let k = 0; k < 3; k++) choice.of(HOST, page([1, 2]));
    choice.compared(HOST, page([1, 2]), whole(page([1])));
    choice.compared(HOST, page([1]), whole(page([3], { kind: LinkKind.Nofollow })));
    choice.compared(HOST, page([1]), whole(page([1])));
    expect(choice.isRendered(HOST)).toBe(false);
  });

  it("is one page in forty of a plain host, and each page without content", () => {
    const choice = judged(3);
    const chosen = Array.from({ length: 1000 }, () => choice.of(HOST, page([1])));
    // With the three samples, 28 of 1,003: less than 5%.
    expect(chosen.filter((each) => each === "render")).toHaveLength(25);
    expect(chosen.filter((each) => each === "wait")).toHaveLength(0);
    expect(choice.of(HOST, page([], { isShell: true }))).toBe("render");
  });

  it("changes for a plain host whenever a later sample differs", () => {
    const choice = judged(3);
    expect(choice.compared(HOST, page([1]), whole(page([9])))).toBe(true);
    expect(choice.rendersAtOnce(HOST)).toBe(true);
  });

  it("is all pages of a host of which no sample could be rendered to its end", () => {
    const choice = new RenderChoice("auto");
    for (let k = 0; k < 3; k++) choice.of(HOST, page([1]));
    choice.compared(HOST, page([1]), null);
    choice.compared(HOST, page([1]), { content: page([1]), isIncomplete: true });
    expect(choice.compared(HOST, page([1]), null)).toBe(true);
    expect(choice.isRendered(HOST)).toBe(true);
  });
});
