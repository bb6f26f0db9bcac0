/** `npm ci` installs exactly what package-lock.json says, and rejects one that lacks packages of other platforms. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

describe("package-lock.json", () => {
  it("has the packages of all platforms (if not: node scripts/complete-lock.mjs)", () => {
    const wanted = Object.values(lock.packages).flatMap((each) => Object.keys(each.optionalDependencies ?? {}));
    expect(wanted).toContain("@biomejs/cli-darwin-arm64");
    expect(wanted.filter((name) => lock.packages[`node_modules/${name}`]?.version === undefined)).toEqual([]);
  });
});
