/** What a page needs to be shown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REQUISITES_MAX, requisitesOfPage, requisitesOfStylesheet } from "../../src/web/index.ts";

const url = "http://site.example/dir/page.html";
const page = (html: string, contentType = "text/html; charset=utf-8"): string[] =>
  requisitesOfPage({ url, body: Buffer.from(html), contentType }).map(short);
const css = (text: string): string[] =>
  requisitesOfStylesheet({ url, body: Buffer.from(text), contentType: "text/css" }).map(short);
const short = (each: string): string => each.replace("http://site.example", "");

describe("a page needs", () => {
  it.each<[what: string, html: string, needed: readonly string[]]>([
    [
      "its stylesheets",
      '<link rel="Stylesheet alternate" href=a.css><link rel=stylesheet href=/b.css>',
      ["/dir/a.css", "/b.css"],
    ],
    [
      "its icons",
      '<link rel="shortcut icon" href=/f.ico><link rel=apple-touch-icon href=t.png>',
      ["/f.ico", "/dir/t.png"],
    ],
    [
      "what it preloads",
      "<link rel=preload as=font href=a.woff2><link rel=preload as=fetch href=b><link rel=modulepreload href=m.js>",
      ["/dir/a.woff2", "/dir/m.js"],
    ],
    ["its scripts", "<script src=a.js></script><script>'<img src=no.png>'</script>", ["/dir/a.js"]],
    [
      "its images",
      '<img src="a.png" srcset="b.png 1x, c,d.png 2x,e.png"><input type=IMAGE src=i.png>',
      ["/dir/a.png", "/dir/b.png", "/dir/c,d.png", "/dir/e.png", "/dir/i.png"],
    ],
    [
      "pictures and posters, no films",
      "<picture><source srcset='a.webp 300w, b.webp 600w'></picture><video poster=p.png src=film.mp4><source src=film.webm></video>",
      ["/dir/a.webp", "/dir/b.webp", "/dir/p.png"],
    ],
    [
      "images in SVG",
      "<svg><image href=a.svg /><use xlink:href='sprite.svg#x'/></svg>",
      ["/dir/a.svg", "/dir/sprite.svg"],
    ],
    [
      "what its styles name",
      "<style>@import 'a.css'; p { background: url(b.png) }</style><p style=\"background:url('c.png')\">",
      ["/dir/a.css", "/dir/b.png", "/dir/c.png"],
    ],
    ["backgrounds", "<body background=a.png><table><td background=b.png>", ["/dir/a.png", "/dir/b.png"]],
    ["all of it below its base", "<base href=/x/><base href=/y/><img src=a.png>", ["/x/a.png"]],
    ["each file once", "<img src=a.png><img src='a.png#top'>", ["/dir/a.png"]],
    [
      "nothing else",
      "<a href=p.html>x</a><iframe src=f.html></iframe><link rel=next href=n><img src=data:image/png;base64,x><img src=''>",
      [],
    ],
    ["nothing of what is a comment", "<!-- <img src=a.png> --><style>/* url(b.png) */</style>", []],
  ])("%s", (_, html, needed) => expect(page(html)).toEqual(needed));

  it("queries in its own encoding", () => {
    const body = Buffer.from('<img src="/a?\xe9">', "latin1");
    expect(requisitesOfPage({ url, body, contentType: "text/html; charset=windows-1252" })).toEqual([
      "http://site.example/a?%E9",
    ]);
  });

  it("what stands before elements that are nested more than 1,000 deep", () => {
    // The parser would take many seconds for all of these.
    expect(page(`<img src=a.png>${"<b>".repeat(998)}<img src=b.png>${"<b>".repeat(400_000)}<img src=c.png>`)).toEqual([
      "/dir/a.png",
      "/dir/b.png",
    ]);
    expect(page(`${"<b><p></p><br></b>".repeat(2000)}<img src=a.png>`)).toEqual(["/dir/a.png"]);
  });

  it("a bounded number of files", () => {
    const images = Array.from({ length: REQUISITES_MAX + 10 }, (_, k) => `<img src=${k}.png>`);
    expect(page(images.join(""))).toHaveLength(REQUISITES_MAX);
  });
});

describe("a stylesheet needs", () => {
  it.each<[string, readonly string[]]>([
    ["@import url(a.css); @import \"b.css\" screen; @IMPORT 'c.css';", ["/dir/a.css", "/dir/b.css", "/dir/c.css"]],
    ["p { background: URL( 'a b.png' ), url(\"c(1).png\") }", ["/dir/a%20b.png", "/dir/c(1).png"]],
    ["@font-face { src: url(a.woff2) format('woff2'), url(a.woff) }", ["/dir/a.woff2", "/dir/a.woff"]],
    ['p { background: url(a\\26 b.png) } q { background: url("a\\)b") }', ["/dir/a&b.png", "/dir/a)b"]],
    ["/* url(no.png) */ p { background: url(data:image/png;base64,x) } q { color: red; background: url() }", []],
  ])("what %j names", (text, needed) => expect(css(text)).toEqual(needed));

  it("never long to be read", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("url(", "'", '"', "\\", "/*", "*/", "@import ", "(", "\n", "a"), { maxLength: 400 }),
        (parts) => {
          expect(css(parts.join("")).length).toBeLessThanOrEqual(REQUISITES_MAX);
        },
      ),
    );
    const started = performance.now();
    css("url(".repeat(200_000) + "/*".repeat(100_000) + '@import "'.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
