/** What users type, as expressions of FTS5, which must never find an error of syntax in them. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { searchExpression } from "../../src/content/index.ts";
import { openDatabase } from "../../src/store/index.ts";
import { anyText } from "../support/any-text.ts";
import { cases } from "../support/cases.ts";

describe("a search", () => {
  it.each([
    ["tide", '"tide"'],
    ["  high \t tide ", '"high" AND "tide"'],
    ['"high tide" moon', '"high tide" AND "moon"'],
    ["tid* moon", '"tid" * AND "moon"'],
    ['"high tid"*', '"high tid" *'],
    ["tide -moon", '("tide") NOT ("moon")'],
    ['a b -c -"d e" -f*', '("a" AND "b") NOT ("c" OR "d e" OR "f" *)'],
    ["AND OR NEAR(x)", '"AND" AND "OR" AND "NEAR(x)"'],
    ["title:x {y} ^z", '"title:x" AND "{y}" AND "^z"'],
    ['c++ - * + "" \'', '"c++"'],
    ['an "open phrase', '"an" AND "open phrase"'],
    ['a"b c"d', '"a" AND "b c" AND "d"'],
    ["a\0b", '"a" AND "b"'],
    ["a*b*", '"a*b" *'],
    ["-a b", '("b") NOT ("a")'],
    ["well-known", '"well-known"'],
  ])("for %j means %s", (query, expression) => {
    expect(searchExpression(query)).toBe(expression);
  });

  it.each([
    ["", "has no word"],
    ["  ", "has no word"],
    ["+ - * ( \" '", "has no word"],
    ["-a", "only excludes words"],
    ['-a -"b c"', "only excludes words"],
    ["x".repeat(1001), "has 1,001 characters: expected at most 1,000"],
    ["x ".repeat(51), "has 51 words: expected at most 50"],
  ])("for %j is refused", (query, problem) => {
    expect(() => searchExpression(query)).toThrow(UsageError);
    expect(() => searchExpression(query)).toThrow(problem);
  });
});

describe("any text", () => {
  const database = openDatabase(":memory:", { access: "write", fullText: true });
  afterAll(() => database.close());
  database.exec("CREATE VIRTUAL TABLE pages USING fts5 (title, text, tokenize = 'unicode61 remove_diacritics 2')");
  database.exec("INSERT INTO pages VALUES ('Tide', 'and moon')");
  const match = database.prepare("SELECT rowid FROM pages WHERE pages MATCH ?");

  const syntax = fc.constantFrom('"', "-", "*", " ", "(", ")", "+", ":", "^", "{", "}", "'", "\\", "\0", "\ud800");
  const words = fc.constantFrom(
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "NEAR(",
    "tide",
    "moon",
    "title",
    "é",
    "e\u0301",
    "\u{1e900}",
  );
  const typed = fc.array(fc.oneof(syntax, words, anyText({ maxLength: 4 })), { maxLength: 60 });

  it("is searched for, or refused as a mistake of the user", () => {
    fc.assert(
      fc.property(typed, (pieces) => {
        let expression: string;
        try {
          expression = searchExpression(pieces.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          return;
        }
        expect(match.all(expression).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: cases(2000) },
    );
  });

  it("finds the page that has all of its words, however many", () => {
    expect(match.all(searchExpression("moon TIDE ".repeat(25)))).toEqual([[1]]);
    expect(match.all(searchExpression(`tide ${"-x ".repeat(49)}`))).toEqual([[1]]);
  });
});
