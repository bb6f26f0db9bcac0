import { describe, expect, it } from "vitest";
import { ModifiedTrust } from "../../src/refresh/modified-trust.ts";

describe("Last-Modified dates of a host", () => {
  it("are believed until too many were wrong, and again when they are right", () => {
    const trust = new ModifiedTrust();
    expect(trust.isTrusted(1)).toBe(true);
    trust.note(1, { wrong: 1 });
    expect(trust.isTrusted(1)).toBe(false);
    expect(trust.isTrusted(2)).toBe(true);
    trust.note(1, { right: 2 });
    // 5 of 7, with 3 of 4 assumed.
    expect(trust.isTrusted(1)).toBe(true);
    trust.note(1, { wrong: 1 });
    expect(trust.isTrusted(1)).toBe(false);
    trust.note(1, { wrong: -1 });
    expect(trust.isTrusted(1)).toBe(true);
  });
});
