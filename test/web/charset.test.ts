/** Encodings: hand-made bodies whose bytes are known, and the recorded suite. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBody } from "../../src/web/index.ts";
import { sharedPath } from "../support/shared.ts";

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...ascii(part)] : part)));

describe("the encoding of a body", () => {
  it("is that of its byte order mark, whatever header and page say", () => {
    const body = bytes([0xef, 0xbb, 0xbf], '<meta charset="koi8-r">', [0xc3, 0xa9]);
    const { text, encoding } = decodeBody(body, "text/html; charset=iso-8859-1");
    expect(encoding).toBe("utf-8");
    expect(text).toBe('<meta charset="koi8-r">é');
    expect(decodeBody(bytes([0xff, 0xfe, 0x41, 0]), null)).toEqual({ text: "A", encoding: "utf-16le" });
    expect(decodeBody(bytes([0xfe, 0xff, 0, 0x41]), null)).toEqual({ text: "A", encoding: "utf-16be" });
  });

  it("is that of the header before that of the page", () => {
    const body = bytes('<meta charset="utf-8">', [0xe9]);
    expect(decodeBody(body, "text/html; charset=ISO-8859-1")).toEqual({
      text: '<meta charset="utf-8">é',
      encoding: "windows-1252",
    });
    expect(decodeBody(body, 'text/html;charset="latin1"').encoding).toBe("windows-1252");
    expect(decodeBody(body, 'text/html;charset="latin1').encoding).toBe("windows-1252");
    expect(decodeBody(body, "text/html;charset='latin1").encoding).toBe("windows-1252");
  });

  it("is that of the page when the header names none, or one that nobody knows", () => {
    const body = bytes("<meta http-equiv=content-type content='text/html; charset=shift_jis'>", [0x82, 0xa0]);
    for (const header of [null, "text/html", "text/html; charset=", "text/html; charset=klingon"]) {
      expect(decodeBody(body, header)).toEqual({
        text: "<meta http-equiv=content-type content='text/html; charset=shift_jis'>あ",
        encoding: "shift_jis",
      });
    }
  });

  it("is that of a meta element which comes later than the first 1,024 bytes, but not later than 64 KiB", () => {
    const late = (before: number): Uint8Array => bytes(`<!--${"x".repeat(before)}--><meta charset=koi8-r>`, [0xc1]);
    expect(decodeBody(late(2000), null)).toMatchObject({ encoding: "koi8-r" });
    expect(decodeBody(late(2000), null).text.endsWith("а")).toBe(true);
    expect(decodeBody(late(65_536), null).encoding).toBe("windows-1252");
    expect(decodeBody(bytes("<!--", "<meta charset=koi8-r>-->", [0xc1]), null).encoding).toBe("windows-1252");
  });

  it("is UTF-8 where a page or a file says UTF-16 in letters that can be read as ASCII", () => {
    const early = bytes("<meta charset=utf-16>", [0xc3, 0xa9]);
    const late = bytes(`<!--${"x".repeat(2000)}--><meta charset=utf-16le>`, [0xc3, 0xa9]);
    const xml = bytes("<?xml version='1.0' encoding='UTF-16'?><a/>", [0xc3, 0xa9]);
    for (const [body, type] of [
      [early, null],
      [late, null],
      [xml, "text/xml"],
    ] as const) {
      expect(decodeBody(body, type).encoding).toBe("utf-8");
      expect(decodeBody(body, type).text.endsWith("é")).toBe(true);
    }
  });

  it("survives a meta element that ends at the word charset", () => {
    const body = bytes("<meta http-equiv=content-type content='text/html; charset'><meta charset=koi8-r>");
    expect(decodeBody(body, null).encoding).toBe("koi8-r");
  });

  it("is windows-1252 when nobody says, with the euro sign at 0x80", () => {
    expect(decodeBody(bytes([0x80, 0x93, 0xe9]), null)).toEqual({ text: "€“é", encoding: "windows-1252" });
  });

  it("is UTF-8 for XML that does not say, else that of its declaration", () => {
    expect(decodeBody(bytes("<a/>", [0xc3, 0xa9]), "application/xhtml+xml").text).toBe("<a/>é");
    const declared = bytes("<?xml version='1.0' encoding='iso-8859-2'?><a/>", [0xb1]);
    expect(decodeBody(declared, "text/xml")).toEqual({
      text: "<?xml version='1.0' encoding='iso-8859-2'?><a/>ą",
      encoding: "iso-8859-2",
    });
  });

  it("gives a replacement character for what is malformed, and never throws", () => {
    expect(decodeBody(bytes("a", [0xff], "b"), "text/html; charset=utf-8").text).toBe("a\ufffdb");
    const labels = ["utf-8", "utf-16", "gb18030", "iso-2022-jp", "replacement", "x-user-defined", "hz-gb-2312", "😀"];
    const header = fc.oneof(
      fc.constant(null),
      fc.string(),
      fc.constantFrom(...labels).map((label) => `text/html; charset=${label}`),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), header, (body, contentType) => {
        const { text, encoding } = decodeBody(body, contentType);
        expect(text).toBeTypeOf("string");
        expect(encoding).toMatch(/^[a-z0-9_-]+$/);
      }),
    );
  });
});

const path = sharedPath("suites/encodings.json");

describe.skipIf(path === undefined)("the suite of encodings", () => {
  it("has the same encoding in every case", () => {
    const { cases } = JSON.parse(readFileSync(path!, "utf8")) as {
      cases: readonly { body_b64: string; expected: string }[];
    };
    expect(cases.length).toBeGreaterThan(40);
    const found = cases.map(({ body_b64 }) => decodeBody(Buffer.from(body_b64, "base64"), null).encoding);
    expect(found).toEqual(cases.map(({ expected }) => expected.toLowerCase().replace(" (default)", "")));
  });
});
