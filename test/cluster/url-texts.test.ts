/** Texts of URLs in a scratch file. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { TextsInFile } from "../../src/cluster/index.ts";
import { cases } from "../support/cases.ts";

/** From a few bytes to more than is kept in memory. */
const text = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 8 }), fc.constantFrom(0, 1, 9_000, 400_000, 1_100_000))
  .map(([word, times]) => word + "/é".repeat(times / 2));

it("come back as they were, in whatever order they are asked for, also between additions", () => {
  const folder = mkdtempSync(join(tmpdir(), "tidemark-texts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.array(fc.nat(), { maxLength: 4 })), { maxLength: 24 }), (steps) => {
      const path = join(folder, "texts");
      const texts = new TextsInFile(path);
      expect(existsSync(path)).toBe(false);
      const known: string[] = [];
      for (const [added, asked] of steps) {
        texts.add(added);
        known.push(added);
        for (const number of asked) {
          // `toBe` would print megabytes.
          if (texts.get(number % known.length) !== known[number % known.length]) throw new Error("another text");
        }
      }
      expect(known.every((each, number) => texts.get(number) === each)).toBe(true);
      texts.close();
    }),
    { numRuns: cases(15) },
  );
});
