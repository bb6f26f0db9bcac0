import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { createOrder, orderNames } from "../../src/order/index.ts";

const context = {
  links: new GrowingLinks(),
  pages: 1,
  damping: 0.85,
  hostOf: () => 0,
  trueRanks: Float64Array.of(1),
};

describe("orders by name", () => {
  it("are called by the name they were made by", () => {
    const names = [
      "rankmass",
      "rankmass:valued",
      "rankmass:literal",
      "windowed:2.5",
      "lneighbor",
      "fpr",
      "fpr@20",
      "opic",
    ];
    for (const name of [...names, "backlink", "pagerank", "random:7", "optimal"]) {
      expect(createOrder(name, context).name).toBe(name);
    }
  });

  it("take the greatest and the least parameters there are", () => {
    for (const name of ["windowed:100", "fpr@1000000000", "random:0", "random:4294967295"]) {
      expect(createOrder(name, context).name).toBe(name);
    }
  });

  it("have defaults where a parameter may be left out", () => {
    expect(createOrder("windowed", context).name).toBe("windowed:10");
    expect(createOrder("random", context).name).toBe("random:1");
  });

  it("are all listed with what they do", () => {
    expect(orderNames.map(({ usage }) => usage)).toEqual([
      "rankmass",
      "rankmass:valued",
      "rankmass:literal",
      "windowed:PERCENT",
      "lneighbor",
      "fpr",
      "fpr@M",
      "opic",
      "backlink",
      "pagerank",
      "random:SEED",
      "optimal",
    ]);
  });

  it.each([
    ["rankmas", /unknown order "rankmas".*Did you mean rankmass\?/],
    ["RankMass:literal", /unknown order/],
    ["", /unknown order ""/],
    ["windowed:0", /windowed got the parameter "0".*above 0 and at most 100/],
    ["windowed:101", /"101"/],
    ["random:4294967296", /"4294967296"/],
    ["windowed:", /""/],
    ["windowed:ten", /"ten"/],
    ["fpr@", /fpr@ got the parameter ""/],
    ["fpr@-1", /"-1"/],
    ["fpr@Infinity", /"Infinity"/],
    ["random:1.5", /"1.5".*a whole number/],
    ["random:-1", /"-1"/],
  ])("refuse %s with a message that says what was got and what is expected", (name, message) => {
    expect(() => createOrder(name, context)).toThrow(UsageError);
    expect(() => createOrder(name, context)).toThrow(message);
  });

  it("that need what was not given say so", () => {
    const bare = { links: new GrowingLinks(), pages: 1, damping: 0.85 };
    expect(() => createOrder("fpr@2", bare)).toThrow(/fpr@2 needs the host of every page/);
    expect(() => createOrder("optimal", bare)).toThrow(/needs the true rank of every page/);
  });
});
