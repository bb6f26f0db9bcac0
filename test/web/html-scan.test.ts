/**
 * The scan of tags against the tree: whatever pages are drawn, a page that the scan does not give up has the same set
 * of links and the same facts as the tree that parse5 builds.
 */
import fc from "fast-check";
import { parseFragment } from "parse5";
import { describe, expect, it } from "vitest";
import { attributeValue, titleText } from "../../src/web/html-attributes.ts";
import { readHtmlTree } from "../../src/web/html-tree.ts";
import { decodeBody, type HtmlPage, readHtml, readHtmlBody } from "../../src/web/index.ts";
import { cases } from "../support/cases.ts";

const options = { linksMax: 1000, productToken: "tidemark", anchors: false };

const NAMES =
  `a area iframe frame base link meta title script style noframes textarea xmp noembed noscript template select svg math col
  colgroup frameset plaintext html head basefont bgsound body br option optgroup hr div p b i font table tr td th tbody
  caption ul li form button input img mi mo mtext desc foreignObject annotation-xml path g nobr applet object marquee h1 pre
  ruby rp image`.split(/\s+/);

const tag = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom("", "/", "/ "),
    fc.constantFrom("", "", "", " x='>'", ' y=">"', " z=q/", "/", " Q = ", " ='>'"),
    fc.boolean(),
  )
  .map(([name, slash, rest, upper]) => `<${slash === "/" ? "/" : ""}${upper ? name.toUpperCase() : name}${rest}>`);
const address = fc.integer({ min: 0, max: 30 });
const link = fc.oneof(
  { weight: 4, arbitrary: address.map((n) => `<a href=/${n}>`) },
  address.map((n) => `<area rel="x NoFollow" href="/${n}?a=1&b=2&amp;c&copy=1&copy;&nbsp">`),
  address.map((n) => `<iframe src='/${n}'>`),
  address.map((n) => `<link rel=canonical href=/${n}>`),
  address.map((n) => `<base href=/${n % 2}>`),
  address.map((n) => `<title>${n}&lt;</title>`),
  address.map((n) => `<html lang=l${n}>`),
  fc.constantFrom("<meta name=robots content=none>", "<meta http-equiv=refresh content='1; url=/r'>"),
);
const odd = fc.constantFrom(
  ..."word|\n|<!--|-->|--!>|<!-->|<!--->|<!|>|<?x>|</>|</ x>|<![CDATA[|]]>|<|&amp;|<!doctype html>|\"|'|=|<a href".split(
    "|",
  ),
  "\0",
  "<script><!--<script>",
  "<svg><title>",
  "<svg><path d=1 /></svg>",
  "<select><option>",
);
const page = fc
  .array(fc.oneof({ weight: 4, arbitrary: link }, { weight: 4, arbitrary: tag }, { weight: 2, arbitrary: odd }), {
    maxLength: 25,
  })
  .map((pieces) => pieces.join(""));

/** What must be the same. Where the two readers may differ is the order of links that a table throws out. */
function compared({ links, base, title, language, canonical, robots, refresh }: Omit<HtmlPage, "encoding">): unknown {
  const set = new Set(links.map(({ tag, href, nofollow }) => `${tag} ${href} ${nofollow}`));
  return { links: [...set].sort(), base, title, language, canonical, robots, refresh };
}

describe("the scan of tags", () => {
  it("finds what the tree has, whatever the page", () => {
    let [drawn, scanned] = [0, 0];
    fc.assert(
      fc.property(page, (html) => {
        const found = readHtml(html, options);
        drawn++;
        if (found.exact) return;
        scanned++;
        const tree = readHtmlTree(html, options);
        expect(tree).not.toBeNull();
        expect(compared(found)).toEqual(compared(tree!));
      }),
      { numRuns: cases(4000) },
    );
    expect(scanned).toBeGreaterThan(drawn / 2);
  });

  it("finds the same in the bytes of a page as in its text, whatever its encoding and however malformed", () => {
    const pieces = fc.constantFrom(
      ..."<a href='/|<a href=/x|<title>|</title>|'>|>|<meta charset=koi8-r>|é|€😀|<svg><p>|&eacute;|\ufeff".split("|"),
    );
    const part = fc.oneof(
      pieces.map((text) => new TextEncoder().encode(text)),
      fc.constantFrom([0xff], [0xe2, 0x82], [0xc3], [0xa9], [0xef, 0xbb, 0xbf]).map((codes) => Uint8Array.from(codes)),
    );
    const header = fc.constantFrom(null, "text/html", "text/html; charset=utf-8", "text/html; charset=latin1");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), header, (parts, contentType) => {
        const body = Buffer.concat(parts);
        const { text, encoding } = decodeBody(body, contentType);
        expect(readHtmlBody(body, contentType)).toEqual({ ...readHtml(text), encoding });
      }),
      { numRuns: cases(2000) },
    );
  });

  it.each([
    ["frames", "<frameset><frame src=/x></frameset>"],
    ["text that never ends", "<plaintext>"],
    ["HTML inside of SVG", "<svg><foreignObject><a href=/x></a></foreignObject></svg>"],
    ["tags that break out of SVG", "<svg><p><a href=/x></a></svg>"],
    ["an end tag that matches nothing in SVG", "<svg></g></svg>"],
    ["CDATA of SVG", "<svg><![CDATA[<a href=/x>]]></svg>"],
    ["markup inside of select", "<select><b></select>"],
    ["a script inside of a script", "<script><!--<script></script>--></script>"],
    ["a column in a template", "<template><col><textarea></template>"],
    ["a link that escapes from a template", "<template><a href=/x><object></template>"],
    ["two bases", "<base href=/1><base href=/2>"],
    ["two titles of the body", "<p><title>1</title><title>2</title>"],
  ])("leaves to the exact parser: %s", (_what, html) => {
    expect(readHtml(html).exact).toBe(true);
    expect(compared(readHtml(html))).toEqual(compared(readHtmlTree(html, options)!));
  });

  it.each([
    ["drawings", "<svg viewBox='0 0 1 1'><title>icon</title><g><path d='M0 0'/></g><use href=#x></use></svg>"],
    ["formulas", "<math><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow></math>"],
    ["lists to choose from", "<select><optgroup><option>1<option>2</option></optgroup></select>"],
    ["templates", "<template><div><a href=/x></a></div></template>"],
    ["misnested links and tables", "<table><a href=/1><tr><td><a href=/2><b></a></b></table>"],
    ["a script with a comment", "<script><!-- if (1<2) --></script>"],
    ["a tag of 128 attributes", `<a ${attributes(127)} href=/1>`],
  ])("reads by itself: %s", (_what, html) => {
    const found = readHtml(`${html}<a href=/y>`);
    expect(found.exact).toBe(false);
    expect(compared(found)).toEqual(compared(readHtmlTree(`${html}<a href=/y>`, options)!));
  });

  it("leaves a link of more than 128 attributes to the exact parser", () => {
    const found = readHtml(`<a ${attributes(128)} href=/1>`);
    expect(found.exact).toBe(true);
    expect(found.links).toHaveLength(1);
  });

  it("takes a time that grows with the page and no faster", () => {
    // Each of these would take minutes if every piece looked through the rest of the page.
    const pieces = [
      "<script></script>",
      "<!-",
      "<a",
      "<a href='",
      "</",
      "<title>",
      "<svg>",
      "<!---",
      "<select>",
      "<a href=&x ",
    ];
    for (const piece of pieces) readHtml(piece.repeat(200_000));
  });
});

describe("character references", () => {
  const reference = fc.constantFrom(
    ..."&|&amp;|&amp|&lt;|&copy|&copy;|&notit;|&#38;|&#x26;|&#128;|&#xD800;|&#1114112;|&#|&#x|&bogus;|=|;|a|1| |/|&AMP|&quot;|'".split(
      "|",
    ),
  );
  const written = fc.array(reference, { maxLength: 8 }).map((pieces) => pieces.join(""));

  it("of attributes are decoded as parse5 decodes them", () => {
    fc.assert(
      fc.property(written, (raw) => {
        const [element] = parseFragment(`<a x="${raw}">`).childNodes;
        const expected = element !== undefined && "attrs" in element ? element.attrs[0]?.value : undefined;
        expect(attributeValue(raw)).toBe(expected);
      }),
    );
  });

  it("of titles are decoded as parse5 decodes them", () => {
    fc.assert(
      fc.property(written, (raw) => {
        const [element] = parseFragment(`<title>${raw}</title>`).childNodes;
        const text = element !== undefined && "childNodes" in element ? element.childNodes[0] : undefined;
        expect(titleText(raw)).toBe(text !== undefined && "value" in text ? text.value : "");
      }),
    );
  });
});

function attributes(count: number): string {
  return Array.from({ length: count }, (_, each) => `x${each}`).join(" ");
}
