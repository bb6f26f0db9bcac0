import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHtmlBody, simhash } from "../../src/web/index.ts";
import { Random } from "../../src/base/index.ts";
import { cases } from "../support/cases.ts";

const MASK = 0xffffffffn;

const MARKUP = new RegExp(
  [
    "<!--(?:-?>|[^]*?(?:-->|$))",
    // To be followed by the end tag, which is markup too.
    "<(script|style|iframe|noembed|noframes)(?=[\\0-\\x20/>]|$)[^>]*(?:>|$)[^]*?(?:(?=</\\1(?:[\\0-\\x20/>]|$))|$)",
    "<[a-z/!?][^>]*(?:>|$)",
  ].join("|"),
  "gi",
);
const IDEOGRAPH = "[\\xe3-\\xed][\\x80-\\xbf]{2}";
const WORD = new RegExp(`${IDEOGRAPH}|(?:(?!${IDEOGRAPH})[A-Za-z0-9\\x80-\\xff])+`, "g");

function wordsOf(body: Uint8Array): string[] {
  const text = Buffer.from(body).toString("latin1").replaceAll(MARKUP, " ");
  return (text.match(WORD) ?? []).map((word) => word.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

function hashOfWord(word: string): bigint {
  const codes = [...word].map((letter) => BigInt(letter.charCodeAt(0)));
  if (new RegExp(`^${IDEOGRAPH}$`).test(word)) return (codes[0] << 16n) | (codes[1] << 8n) | codes[2];
  return codes.reduce((hash, code) => ((hash ^ code) * 0x01000193n) & MASK, 0n);
}

/** The finaliser of MurmurHash3. */
function scrambled(value: bigint): bigint {
  let z = ((value ^ (value >> 16n)) * 0x85ebca6bn) & MASK;
  z = ((z ^ (z >> 13n)) * 0xc2b2ae35n) & MASK;
  return z ^ (z >> 16n);
}

/** By regular expressions, big integers and one counter per bit. */
function plainSimhash(body: Uint8Array): string | null {
  const words = wordsOf(body).slice(0, 16_384);
  if (words.length < 20) return null;
  const hashes = words.map(hashOfWord);
  const counts = Array.from({ length: 64 }, () => 0);
  for (let k = 2; k < hashes.length; k++) {
    const pair = (hashes[k - 2] * 0x9e3779b1n + hashes[k - 1]) & MASK;
    const shingle = (pair * 0x85ebca77n + hashes[k]) & MASK;
    const hash = (scrambled(shingle) << 32n) | scrambled(shingle ^ 0x5bd1e995n);
    for (let bit = 0; bit < 64; bit++) counts[bit] += (hash >> BigInt(bit)) & 1n ? 1 : -1;
  }
  const bits = counts.reduce((sum, count, bit) => (count > 0 ? sum | (1n << BigInt(bit)) : sum), 0n);
  return bits.toString(16).padStart(16, "0");
}

const hexOf = (hash: Uint8Array | null) => hash && Buffer.from(hash).toString("hex");
const ofText = (text: string) => hexOf(simhash(Buffer.from(text)));

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[A-Za-z0-9]{1,9} $/) },
  fc.constantFrom("<", ">", "</", "<!", "<?", "&amp;", "a<b", "< p>", "<=", "\0"),
  fc.constantFrom("<p>", "</p>", '<a href="x y">', "<IMG alt='a > b'>", "<br/>", "<!doctype html>", "<?xml?>", "</ p>"),
  fc.constantFrom("<!-- hidden words -->", "<!-->", "<!--->", "<!-- open", "--!>", "-->"),
  fc.constantFrom("<script>", "</script>", "<SCRIPT src=x>var words = 1;</Script >", "<scripted>", "<style\n>"),
  fc.constantFrom(
    "</style",
    "<style>a b</styles> c</style/>",
    "<iframe>",
    "</iframe>",
    "<noframes>no</noframes>",
    "<s>",
  ),
  fc.constantFrom("漢字かな", "한국어 말", "naïve", "ÀÉÎ", "\u3000", "😀", "слово", "x漢y"),
);
const page = fc.oneof(
  fc.array(piece, { minLength: 10, maxLength: 120 }).map((pieces) => Buffer.from(pieces.join(""))),
  fc.array(piece, { minLength: 10, maxLength: 120 }).map((pieces) => Buffer.from(pieces.join(""), "latin1")),
  fc.uint8Array({ minLength: 60, maxLength: 400 }),
);

describe("the SimHash of a page", () => {
  it("is that of a plain version, which counts each bit for itself", () => {
    fc.assert(
      fc.property(page, (body) => {
        expect(hexOf(simhash(body))).toBe(plainSimhash(body));
      }),
      { numRuns: cases(3000) },
    );
  });

  it("has no seed: it is the same for ever", () => {
    const text = Array.from({ length: 30 }, (_, k) => `word${k}`).join(" ");
    expect(ofText(`<p>${text}</p>`)).toBe(plainSimhash(Buffer.from(text)));
    expect(ofText(text)).toBe("cd1cad4386b84506");
  });

  it("takes 20 words, one fewer is too little", () => {
    const text = (count: number) => `<title>${Array.from({ length: count }, (_, k) => `w${k}`).join("</title> ")}`;
    expect(ofText(text(19))).toBeNull();
    expect(ofText(text(20))).not.toBeNull();
    expect(simhash(new Uint8Array(0))).toBeNull();
  });

  it("is that of the first 16,384 words", () => {
    const random = new Random(1);
    const words = Array.from({ length: 16_500 }, () => random.uint32().toString(36));
    const first = ofText(words.slice(0, 16_384).join(" "));
    expect(ofText(words.join(" "))).toBe(first);
    expect(ofText(words.join("<b>"))).toBe(first);
    expect(first).toBe(plainSimhash(Buffer.from(words.join(" "))));
    const ideographs = Buffer.from(String.fromCharCode(...words.slice(0, 16_500).map((_, k) => 0x4e00 + (k % 9000))));
    expect(hexOf(simhash(ideographs))).toBe(plainSimhash(ideographs));
  });

  it("does not depend on tags, attributes, scripts and comments, nor on the case of letters", () => {
    const random = new Random(2);
    const words = Array.from({ length: 200 }, () => random.uint32().toString(36));
    const dressed = words.map(
      (word, k) => `<p class="c${k}">${word.toUpperCase()}</p><!-- ${k} --><script>${k}</script>`,
    );
    expect(ofText(dressed.join("\n"))).toBe(ofText(words.join(" ")));
  });

  it("is the same for a page whose links only the exact parser can read", () => {
    const text = "<p>one two three</p>".repeat(20);
    const exact = Buffer.from(`<select><p></select>${text}`);
    expect(readHtmlBody(exact, "text/html").links).toEqual([]);
    expect(hexOf(simhash(exact))).toBe(ofText(text));
  });
});

describe("texts of 2,000 words", () => {
  const text = (seed: number, length = 2000) => {
    const random = new Random(seed);
    // A vocabulary with frequent and rare words, as in languages.
    return Array.from({ length }, () => `w${Math.floor(5000 ** (random.uint32() / 2 ** 32))}`);
  };
  const distance = (a: readonly string[], b: readonly string[]) => {
    const [x, y] = [a, b].map((words) => BigInt(`0x${ofText(words.join(" "))}`));
    return [...(x ^ y).toString(2)].filter((bit) => bit === "1").length;
  };

  // A changed word changes three of 2,000 shingles, which is 1.1 bits on average: one in forty is beyond three.
  it("are near each other after most small edits, and far otherwise", () => {
    let near = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const words = text(seed);
      const edits = [
        words.with(seed * 40, "edited"),
        words.toSpliced(seed * 30, 1),
        words.toSpliced(seed * 20, 0, "one", "more"),
        [...words, "the", "end"],
      ];
      for (const edited of edits) {
        const bits = distance(words, edited);
        expect(bits).toBeLessThanOrEqual(6);
        if (bits <= 3) near++;
      }
      expect(distance(words, text(seed + 1000))).toBeGreaterThan(10);
    }
    expect(near / 160).toBeGreaterThan(0.95);
  });
});

it("reads a script that ends with its start tag by the rules of XML, where the page is XML", () => {
  const words = Array.from({ length: 60 }, (_, k) => `word${k}`).join(" ");
  const page = Buffer.from(`<html><head><script src="a.js"/></head><body>${words}</body></html>`);
  expect(hexOf(simhash(page, true))).toBe(ofText(words));
  expect(simhash(page)).toBeNull();
});
