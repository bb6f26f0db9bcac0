/** What headers say of a body: its media type, and the directives for robots. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHtml, mediaType, xRobotsTag } from "../../src/web/index.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the media type", () => {
  it.each([
    ["text/html", "text/html"],
    [" Text/HTML ;charset=x", "text/html"],
    ['application/xhtml+xml; profile="a,b/c"', "application/xhtml+xml"],
    ["text/plain, text/html", "text/html"],
    ["text/html, ", "text/html"],
    ["html", ""],
    ["text/", ""],
    ["", ""],
    [null, ""],
  ])("of %j is %j", (header, expected) => {
    expect(mediaType(header)).toBe(expected);
  });
});

describe("a body has links to read", () => {
  it("when its type is HTML, whatever its bytes are", () => {
    expect(isHtml("text/html; charset=utf-8", bytes("plain"))).toBe(true);
    expect(isHtml("application/xhtml+xml", bytes(""))).toBe(true);
  });

  it("not when its type is another, whatever its bytes are", () => {
    for (const type of ["text/plain", "application/json", "image/png", "application/pdf", "text/xml"])
      expect(isHtml(type, bytes("<!doctype html><html>"))).toBe(false);
  });

  it.each([
    "<!DOCTYPE HTML><p>",
    "<!doctype\n html>",
    "\ufeff \n <html lang=en>",
    "<HEAD>",
    "<?xml version='1.0'?><!DOCTYPE html>",
    "<!-- words --> <body>",
    "<!-- a comment without end",
    "<title>x</title>",
    "<a href=/>",
    "<script>x</script>",
  ])("when it has no type and begins like HTML: %j", (text) => {
    expect(isHtml(null, bytes(text))).toBe(true);
    expect(isHtml("application/octet-stream", bytes(text))).toBe(true);
    expect(isHtml("unknown/unknown", bytes(text))).toBe(true);
  });

  it.each(["", "words <html>", "<htmlx>", "<svg>", "<?xml version='1.0'?><urlset>", "%PDF-1.7 <html>", "{}", "<"])(
    "not when it has no type and begins otherwise: %j",
    (text) => {
      expect(isHtml(null, bytes(text))).toBe(false);
    },
  );

  it("in UTF-16 too", () => {
    expect(isHtml(null, Buffer.from("\ufeff<html>", "utf16le"))).toBe(true);
  });
});

describe("X-Robots-Tag", () => {
  it.each([
    [null, false, false],
    ["", false, false],
    ["noindex", true, false],
    ["NoFollow , NOINDEX", true, true],
    ["none", true, true],
    ["all, max-snippet:-1, unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT, nofollow", false, true],
    ["unavailable_after: 25 Jun 2025 15:00:00 PST", false, false],
    ["otherbot: noindex, nofollow", false, false],
    ["otherbot: noindex, Tidemark: nofollow", false, true],
    ["nofollow, otherbot: noindex", false, true],
    ["otherbot: none, *: noindex", true, false],
    ["tidemark-images: none", false, false],
  ])("%j", (header, noindex, nofollow) => {
    expect(xRobotsTag(header, "Tidemark")).toMatchObject({ noindex, nofollow });
  });

  it("never throws, nor does the media type", () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array({ maxLength: 50 }), (header, body) => {
        expect(xRobotsTag(header, "tidemark")).toBeTypeOf("object");
        expect(isHtml(header, body)).toBeTypeOf("boolean");
      }),
    );
  });
});
