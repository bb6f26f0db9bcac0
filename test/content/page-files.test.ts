/** Names of files for pages: valid on every system, different for different pages, and never elsewhere. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { PageFiles } from "../../src/content/index.ts";
import { anyText } from "../support/any-text.ts";
import { cases } from "../support/cases.ts";

const pathOf = (url: string): string => new PageFiles().pathOf(url);

it.each([
  ["https://example.com/", "example.com/index.md"],
  ["https://example.com/docs/a", "example.com/docs/a.md"],
  ["https://example.com/docs/a.html", "example.com/docs/a.html.md"],
  ["https://example.com/docs/", "example.com/docs/index.md"],
  ["https://example.com/Caf%C3%A9/%E6%BD%AE", "example.com/Café/潮.md"],
])("%s has the name %s", (url, path) => {
  expect(pathOf(url)).toBe(path);
});

it.each([
  ["a query", "https://example.com/a?page=2", /^example\.com\/a-[0-9a-f]{8}\.md$/],
  ["a port", "https://example.com:8080/a", /^example\.com_8080\/a-[0-9a-f]{8}\.md$/],
  ["reserved characters", "https://example.com/a:b*c%3F%22%3C%3E%7C%5C", /^example\.com\/a_b_c_-[0-9a-f]{8}\.md$/],
  ["a slash in a segment", "https://example.com/a%2Fb", /^example\.com\/a_b-[0-9a-f]{8}\.md$/],
  ["dots that lead up", "https://example.com/%2E%2E%2F..%5C/x", /^example\.com\/_+\/x-[0-9a-f]{8}\.md$/],
  ["a hidden file", "https://example.com/.htaccess", /^example\.com\/_htaccess-[0-9a-f]{8}\.md$/],
  ["a device of Windows", "https://example.com/aux/nul.txt", /^example\.com\/_aux\/_nul\.txt-[0-9a-f]{8}\.md$/],
  ["no UTF-8", "https://example.com/%ff", /^example\.com\/_ff-[0-9a-f]{8}\.md$/],
  ["an accent apart from its letter", "https://example.com/e%CC%81", /^example\.com\/é-[0-9a-f]{8}\.md$/],
  ["a folder with the name of a file", "https://example.com/a.md/b", /^example\.com\/a\.md_\/b-[0-9a-f]{8}\.md$/],
  [
    "a long segment of another script",
    `https://example.com/${"潮".repeat(99)}`,
    /^example\.com\/潮{20}-[0-9a-f]{8}\.md$/,
  ],
  ["a long segment", `https://example.com/${"x".repeat(200)}`, /^example\.com\/x{60}-[0-9a-f]{8}\.md$/],
  [
    "many folders",
    `https://example.com/${"abcdefghi/".repeat(50)}x`,
    /^example\.com(?:\/abcdefghi){8}\/x-[0-9a-f]{8}\.md$/,
  ],
])("%s is not lost, but for a hash of the URL", (_, url, path) => {
  expect(pathOf(url)).toMatch(path);
});

it("keeps apart what differs only in case, in its protocol or as a folder, and the same page twice", () => {
  const files = new PageFiles();
  const urls = ["https://a.example/Tide", "https://a.example/tide", "http://a.example/tide", "https://a.example/TIDE"];
  const paths = [...urls, ...urls, "https://a.example/x/", "https://a.example/x/index"].map((url) => files.pathOf(url));
  expect(paths[0]).toBe("a.example/Tide.md");
  expect(paths[1]).toMatch(/^a\.example\/tide-[0-9a-f]{8}\.md$/);
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(10);
});

it("is valid on every system for every URL, and two pages never share one", () => {
  const piece = fc.oneof(
    anyText({ maxLength: 20 }),
    fc.constantFrom(
      "..",
      ".",
      "con",
      "LPT1.x",
      "a.md",
      "A",
      "a",
      "ß",
      "ss",
      "%2e%2e",
      "%00",
      "%",
      "\\",
      "C:",
      "index",
      "",
    ),
    fc.string({ unit: fc.constantFrom("é", "x", "潮", "😀", "."), minLength: 40, maxLength: 90 }),
  );
  const url = fc
    .tuple(
      fc.constantFrom("http", "https"),
      fc.constantFrom("a.example", "b.example:81", "[::1]"),
      fc.array(piece),
      piece,
    )
    .map(([protocol, host, path, query]) => new URL(`${protocol}://${host}/${path.join("/")}?${query}`).href);
  fc.assert(
    fc.property(fc.uniqueArray(url, { maxLength: 12 }), (urls) => {
      const files = new PageFiles();
      const paths = urls.map((each) => files.pathOf(each));
      expect(new Set(paths.map((path) => path.toUpperCase().toLowerCase())).size).toBe(urls.length);
      const folders = new Set(paths.flatMap((path) => parents(path.toLowerCase())));
      for (const path of paths) expect({ path, wrong: wrongWith(path, folders) }).toEqual({ path, wrong: [] });
    }),
    { numRuns: cases(500) },
  );
});

function parents(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, k) => parts.slice(0, k + 1).join("/"));
}

const RESERVED_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function wrongWith(path: string, folders: ReadonlySet<string>): string[] {
  const wrong = path
    .split("/")
    .flatMap((name) => [
      ...(/^[\p{L}\p{M}\p{N}._~+=,@-]+$/u.test(name) ? [] : [`${name} has a character that is not safe`]),
      ...(/^\.|\.\.|\.$/.test(name) ? [`${name} has dots where they mean something`] : []),
      ...(RESERVED_NAME.test(name) ? [`${name} is a device`] : []),
      ...(Buffer.byteLength(name) > 143 ? [`${name} is too long`] : []),
    ]);
  if (folders.has(path.toLowerCase())) wrong.push("it is a folder, too");
  if (Buffer.byteLength(path) > 240) wrong.push("the whole is too long");
  return wrong;
}
