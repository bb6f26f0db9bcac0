/** Links and facts of pages that are written out here; test/web/html-scan.test.ts compares the two readers. */
import { describe, expect, it } from "vitest";
import { type HtmlPage, readHtml } from "../../src/web/index.ts";

const hrefs = (html: string): string[] => readHtml(html).links.map(({ tag, href }) => `${tag} ${href}`);

describe("links of a page", () => {
  it("are a, area and iframe in document order, frames of a frameset too", () => {
    const body = "<a href=/1>x</a><map><AREA HREF=\"/2\"></map><iframe src='/3'></iframe><a href=/1>x</a>";
    expect(hrefs(body)).toEqual(["a /1", "area /2", "iframe /3", "a /1"]);
    expect(hrefs("<frameset><frame src=/1><frame src=/2></frameset>")).toEqual(["frame /1", "frame /2"]);
    expect(hrefs("<frame src=/1>")).toEqual([]);
  });

  it("need an address: an empty one leads to the page itself, and a frame with none is an empty page", () => {
    expect(hrefs('<a>x</a><a name=y>x</a><a href>x</a><a href="">x</a>')).toEqual(["a ", "a "]);
    expect(hrefs("<iframe></iframe><iframe src></iframe><iframe src='  '></iframe>")).toEqual([]);
  });

  it("have their entities decoded as attributes have them", () => {
    const written = "/?a=1&amp;b=2&c=3&copy=4&copy;5&#38;d&#x26;e&eacute;&AMP;&lt&bogus;&";
    expect(hrefs(`<a href="${written}">x</a>`)).toEqual(["a /?a=1&b=2&c=3&copy=4©5&d&eé&<&bogus;&"]);
    expect(hrefs("<a href='/?a&#128;&#0;'>")).toEqual(["a /?a€\ufffd"]);
    expect(hrefs('<a href=/?q="&quot;>')).toEqual(['a /?q=""']);
  });

  it("lose the white space that a URL parser drops, and no other", () => {
    expect(hrefs('<a href=" \n/a\r\n/b\t c \u00a0">x</a>')).toEqual(["a /a/b c \u00a0"]);
  });

  it("take the first of two attributes of one name, and only whole tags", () => {
    expect(hrefs("<a href=/1 HREF=/2>x</a><a xhref=/3>x</a><a href=/4")).toEqual(["a /1"]);
  });

  it("are not read from comments, raw text, templates and foreign elements", () => {
    const hidden = [
      "<!-- <a href=/x> -->",
      "<!--><!-- --!>",
      "<title><a href=/x></title>",
      "<textarea><a href=/x></textarea >",
      "<style><a href=/x></STYLE>",
      '<script>"<a href=/x>"</scripting></script foo=">">',
      "<script><!-- <script> </script> <a href=/x> --></script>",
      "<xmp><a href=/x></xmp>",
      "<iframe><a href=/x></iframe>",
      "<noembed><a href=/x></noembed>",
      "<noframes><a href=/x></noframes>",
      "<template><a href=/x><template></template><a href=/x></template>",
      "<svg><a href=/x><path d='M0'/></a></svg>",
      "<select><option><a href=/x></select>",
      '<p title="<a href=/x>">',
      "<? <a href=/x ?>",
    ];
    for (const html of hidden) expect([html, hrefs(`${html}<a href=/y>`)]).toEqual([html, ["a /y"]]);
  });

  it("are read from noscript, as scripts are not run", () => {
    expect(hrefs("<noscript><a href=/1></noscript>")).toEqual(["a /1"]);
  });

  it("are nofollow by rel, whose words may be ugc and sponsored too", () => {
    const html = '<a href=1 rel="external NOFOLLOW"><a href=2 rel=ugc><a href=3 rel=sponsored><a href=4 rel=nofollows>';
    expect(readHtml(html).links.map((link) => link.nofollow)).toEqual([true, true, true, false]);
  });

  it("are bounded, and one past the bound is reported", () => {
    const html = "<a href=/1><a href=/2><a href=/3>";
    expect(readHtml(html, { linksMax: 3 })).toMatchObject({ truncation: null });
    const cut = readHtml(html, { linksMax: 2 });
    expect(cut.truncation).toBe("too-many-links");
    expect(cut.links.map(({ href }) => href)).toEqual(["/1", "/2"]);
    const many = "<a href=/>".repeat(1_000_001);
    expect(readHtml(many.slice(10)).truncation).toBeNull();
    expect(readHtml(many).truncation).toBe("too-many-links");
  });
});

describe("facts of a page", () => {
  it("have the first base that has an address", () => {
    expect(readHtml("<base target=_top><base href=' /b/ '><a href=x>").base).toBe("/b/");
    expect(readHtml("<template><base href=/b></template>").base).toBeNull();
  });

  it("have the language that the html element names, if it is a language tag", () => {
    const language = (html: string) => readHtml(html).language;
    expect(language("<!doctype html><html lang=' en-GB '><p lang=fr>")).toBe("en-GB");
    expect(language("<p>text<html lang=pt_BR>")).toBe("pt_BR");
    expect(language("<html><html lang=de><html lang=fr>")).toBe("de");
    expect(language("<html lang=''><html lang=fr>")).toBeNull();
    expect(language("<html lang='not a tag'>")).toBeNull();
    expect(language(`<html lang=${"x".repeat(36)}>`)).toBeNull();
    expect(language("<template><html lang=fr></template>")).toBeNull();
    expect(language("<p lang=fr>")).toBeNull();
  });

  it("have a title with white space collapsed, at most 300 characters of it", () => {
    expect(readHtml("<title>\n A &amp;  <b>\tB\u00e9&eacute; </title><title>C</title>").title).toBe("A & <b> Béé");
    expect(readHtml(`<title>${"x".repeat(300)}</title>`).title).toHaveLength(300);
    expect(readHtml(`<title>${"x".repeat(301)}</title>`).title).toHaveLength(300);
    expect(readHtml("<svg><title>icon</title></svg>").title).toBeNull();
  });

  it("have the canonical link of the head only", () => {
    const canonical = (html: string): string | null => readHtml(html).canonical;
    expect(canonical("<html><head><link rel=stylesheet href=/s><link rel='x CANONICAL' href=/c>")).toBe("/c");
    expect(canonical("<head></head>\n<link rel=canonical href=/c>")).toBe("/c");
    expect(canonical("<head><noscript><link rel=canonical href=/c></noscript>")).toBe("/c");
    expect(canonical("<head><template><p></template><link rel=canonical href=/c>")).toBe("/c");
    expect(canonical("<body><link rel=canonical href=/c>")).toBeNull();
    expect(canonical("words <link rel=canonical href=/c>")).toBeNull();
    expect(canonical("<p><link rel=canonical href=/c>")).toBeNull();
    expect(canonical("<link rel=canonical href=''>")).toBeNull();
  });

  it("include the directives for robots, under the general name and ours, the strictest of all", () => {
    const robots = (html: string): HtmlPage["robots"] => readHtml(html).robots;
    expect(robots("<meta name=ROBOTS content='NoIndex, follow'>")).toMatchObject({
      noindex: true,
      nofollow: false,
    });
    expect(robots("<meta name=robots content=none>")).toMatchObject({ noindex: true, nofollow: true });
    expect(robots("<meta name=robots content=noindex><meta name=tidemark content=nofollow>")).toMatchObject({
      noindex: true,
      nofollow: true,
    });
    const both = "<meta name=robots content=noarchive><meta name=tidemark content=noindex>";
    expect(robots(both)).toEqual({ noindex: true, nofollow: false, noarchive: true });
    expect(robots("<meta name=otherbot content=none>")).toMatchObject({ noindex: false, nofollow: false });
  });

  it.each([
    ["5; url=/next", "/next"],
    ["0;URL='/a b' rest", "/a b"],
    ['0 , url = "/next', "/next"],
    ["0;/next", "/next"],
    [".5 /next", "/next"],
    ["1.5.; url/next", "url/next"],
    ["5", null],
    ["5;", null],
    ["url=/next", null],
    ["5x; url=/next", null],
    ["", null],
  ])("have the refresh of %s", (content, expected) => {
    const html = `<meta http-equiv=Refresh content="${content.replaceAll('"', "&quot;")}">`;
    expect(readHtml(html).refresh).toBe(expected);
  });

  it("have the first refresh that is one", () => {
    const later = "<meta http-equiv=refresh content='1;/later'>";
    expect(readHtml(`<meta http-equiv=refresh content=soon>${later}`).refresh).toBe("/later");
    expect(readHtml(`<meta http-equiv=refresh content=1>${later}`).refresh).toBeNull();
  });
});

describe("a page that wants a tree out of all bounds", () => {
  // Every paragraph makes them all anew.
  const unclosed = Array.from({ length: 900 }, (_, each) => `<b id=${each}>`).join("");

  it.each([
    ["deep", `<a href=/1>${"<x>".repeat(1001)}<plaintext>`],
    ["wide", `<a href=/1></a><p>${unclosed}</p>${"<p>x</p>".repeat(1200)}<plaintext>`],
  ])("keeps the links that were found, and says that there are others: %s", (_what, html) => {
    const page = readHtml(html);
    expect(page.truncation).toBe("too-complex");
    expect(page.links.map(({ href }) => href)).toContain("/1");
  });

  it("is an ordinary page one element before", () => {
    // html, body, a and 997 others are open, and plaintext is the thousandth.
    expect(readHtml(`<a href=/1>${"<x>".repeat(996)}<plaintext>`)).toMatchObject({
      exact: true,
      truncation: null,
    });
    expect(readHtml(`<a href=/1>${"<x>".repeat(997)}<plaintext>`)).toMatchObject({ truncation: "too-complex" });
  });
});
