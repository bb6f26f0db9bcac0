/** A whole pack: its tokens are those of the file, within the budget, whatever is on the pages. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { loadTokenCounter, type Pack, packPages, type PackTask } from "../../src/content/index.ts";
import { isCountable } from "../../src/content/tokens.ts";
import { cases } from "../support/cases.ts";

const count = await loadTokenCounter();
const tokensOf = (text: string): number => count(text, Number.POSITIVE_INFINITY) ?? Number.NaN;

interface Page {
  readonly title?: string | null;
  readonly text: string | undefined;
}

const head: PackTask["head"] = ({ pages, tokens, coverage }) =>
  `# Pages\n\n${pages} pages, ${tokens.toLocaleString("en-US")} tokens, ${(100 * coverage).toFixed(2)}%.\n\n`;

/** Page k has the importance 1 / 2^(k+1). */
function pack(pages: readonly Page[], tokensMax: number, looked: number[] = []): Promise<Pack> {
  const importanceOf = (page: number): number => 0.5 ** (page + 1);
  return packPages(
    {
      name: "demo",
      pages: Uint32Array.from(pages.keys()),
      importanceOf,
      coverageOf: (chosen) => chosen.reduce((sum, page) => sum + importanceOf(page), 0),
      about: (page) => ({ url: `http://a.example/${page}`, title: pages[page].title ?? null }),
      markdown: (page) => {
        looked.push(page);
        return pages[page].text;
      },
    },
    { tokensMax, count, head, onStep: async () => {} },
  );
}

const words = (n: number): string => "tide ".repeat(n);

describe("a pack", () => {
  it("is a head, a table of contents and the pages, by importance", async () => {
    const { text, pages, tokens, coverage } = await pack([{ title: "One", text: "# A" }, { text: "b" }], 1000);
    expect({ pages, coverage }).toEqual({ pages: 2, coverage: 0.75 });
    expect(text).toBe(
      `# Pages\n\n2 pages, ${tokens} tokens, 75.00%.\n\n` +
        "1. [One](http://a.example/0)\n2. [http://a.example/1](http://a.example/1)\n---\n\n" +
        "## 1. One\n\nSource: http://a.example/0\n\n### A\n\n" +
        "## 2. http://a.example/1\n\nSource: http://a.example/1\n\nb\n\n",
    );
    expect(tokensOf(text)).toBe(tokens);
  });

  it("has as many tokens as it says, and at most as many as it may have", async () => {
    const sign = fc.constantFrom(
      ..." \n\n\n\r\t#-=`~.,;:!?/()[]<>|*_'\"éЖ漢😀a1",
      "<|endoftext|>",
      "\n/",
      "'s",
      "tide",
      "000",
    );
    const text = fc.array(sign, { maxLength: 60 }).map((signs) => signs.join(""));
    const page = fc.record({ title: fc.option(text), text });
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 60, max: 900 }),
        async (pages, max) => {
          const made = await pack(pages, max).catch((error: unknown) => {
            expect(error).toBeInstanceOf(UsageError);
            return undefined;
          });
          if (made === undefined) return;
          expect(tokensOf(made.text)).toBe(made.tokens);
          expect(made.tokens).toBeLessThanOrEqual(max);
        },
      ),
      { numRuns: cases(400) },
    );
  });

  it("says how many tokens it has where that number grows by itself", async () => {
    for (let n = 900; n < 960; n++) {
      const { text, tokens } = await pack([{ text: words(n) }], 2000);
      expect(tokensOf(text)).toBe(tokens);
      expect(text).toContain(` ${tokens.toLocaleString("en-US")} tokens`);
    }
  });

  it("leaves out what is too long, and says how many; cuts nothing", async () => {
    const pages = [
      { text: words(500) },
      { text: words(50) },
      { text: undefined },
      { text: " \n" },
      { text: words(600) },
    ];
    const { pages: packed, text, tooLong, withoutText } = await pack(pages, 300);
    expect({ packed, tooLong, withoutText }).toEqual({ packed: 1, tooLong: 2, withoutText: 2 });
    expect(text).toContain(words(50).trim());
    expect(text).not.toContain(words(51).trim());
  });

  it("fills what is left of the budget with pages that are worth less per token", async () => {
    // By value per token the third page is cut, and the others, which would fit, are not worth counting then.
    const pages = [{ text: words(100) }, { text: words(100) }, { text: words(300) }, { text: words(180) }];
    const { ids, tokens, text } = await pack(pages, 600);
    expect(ids).toEqual([0, 1, 3]);
    expect(tokensOf(text)).toBe(tokens);
  });

  it.each([1, 50, 100])("of %d tokens needs as many as the message says, and all of them", async (tokens) => {
    const pages = [{ text: words(500) }, { text: words(100) }, { text: undefined }, { text: words(90) }];
    const message = await pack(pages, tokens).then(String, String);
    const [, expected] = /--tokens \d+ is too small for even one page: expected at least (\d+)$/.exec(message) ?? [];
    const { ids, tokens: taken, tooLong, withoutText } = await pack(pages, Number(expected));
    expect({ ids, taken, tooLong, withoutText }).toEqual({
      ids: [3],
      taken: Number(expected),
      tooLong: 2,
      withoutText: 1,
    });
    await expect(pack(pages, Number(expected) - 1)).rejects.toThrow(UsageError);
  });

  it("of one page has the most important one that fits", async () => {
    const short = { text: words(90) };
    const { tokens } = await pack([short], 1000);
    expect((await pack([{ text: words(91) }, short], tokens)).ids).toEqual([1]);
    expect((await pack([{ text: words(91) }, short], tokens + 1)).ids).toEqual([0]);
  });

  it("of one page may have just as many tokens as it needs, with a head of any length", async () => {
    // A thousand tokens are written with a comma, which takes tokens itself.
    for (const length of [93, 900, 940, 941, 942, 943, 944, 945, 946, 947, 948, 949, 950]) {
      const message = String(await pack([{ text: words(length) }], 1).catch(String));
      const least = Number(/\d+$/.exec(message)?.[0]);
      const { text, tokens } = await pack([{ text: words(length) }, { text: words(length + 1) }], least);
      expect([tokens, tokensOf(text)]).toEqual([least, least]);
      await expect(pack([{ text: words(length) }], least - 1)).rejects.toThrow(UsageError);
    }
  });

  it("is refused where nothing was stored, with the option that stores it", async () => {
    await expect(pack([{ text: undefined }], 1000)).rejects.toThrow(
      new UsageError("demo has no text of any page: expected a crawl that ran with --store markdown, or with --warc"),
    );
  });

  it("looks at no more pages than may matter", async () => {
    const looked: number[] = [];
    const { tooLong } = await pack(
      Array.from({ length: 1000 }, () => ({ text: words(250) })),
      1000,
      looked,
    );
    expect(new Set(looked).size).toBeLessThan(120);
    // Those that are not worth their tokens are not too long.
    expect(tooLong).toBe(0);
  });

  it("leaves out what would take minutes to count", async () => {
    const { pages, withoutText } = await pack([{ text: "a".repeat(1e6) }, { text: words(10) }], 1000);
    expect({ pages, withoutText }).toEqual({ pages: 1, withoutText: 1 });
    for (const sign of ["a", " ", "-", "漢"]) {
      expect(isCountable(`x ${sign.repeat(1900)} x`)).toBe(true);
      expect(isCountable(`x ${sign.repeat(2500)} x`)).toBe(false);
    }
    expect(isCountable(words(100_000))).toBe(true);
  });
});

it("counts every group of up to three digits as one token, so that greater numbers never have fewer", () => {
  for (let n = 0; n < 1000; n++) {
    for (const digits of [`${n}`, `${n}`.padStart(3, "0")]) expect(tokensOf(digits)).toBe(1);
  }
});

it("stops counting at the limit", () => {
  expect(count("the the", 2)).toBe(2);
  expect(count("the the the", 2)).toBeUndefined();
});
