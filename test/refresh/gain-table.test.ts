import { describe, expect, it } from "vitest";
import { GainTables } from "../../src/refresh/gain-table.ts";
import { GainTable, signalledGain, SILENT } from "../../src/refresh/index.ts";

describe("a table of gains", () => {
  it.each([SILENT, { recall: 0.5, falseShare: 0.2 }, { recall: 0.9, falseShare: 0.8 }])(
    "is the formula to a part in a thousand, with recall $recall",
    (quality) => {
      const table = new GainTable(quality);
      for (let doubt = 1e-6; doubt < 19; doubt *= 1.7) {
        expect(table.at(doubt) / signalledGain(doubt, quality)).toBeCloseTo(1, 2);
      }
      expect(table.at(0)).toBe(0);
      expect(table.at(Infinity)).toBe(1);
      expect(table.at(50)).toBe(1);
    },
  );

  it("never falls, and is shared by nearly equal qualities", () => {
    const tables = new GainTables();
    const table = tables.of({ recall: 0.5, falseShare: 0.2 });
    expect(tables.of({ recall: 0.505, falseShare: 0.195 })).toBe(table);
    expect(tables.of({ recall: 0.6, falseShare: 0.2 })).not.toBe(table);
    let before = 0;
    for (let doubt = 1e-7; doubt < 30; doubt *= 1.01) {
      expect(table.at(doubt)).toBeGreaterThanOrEqual(before);
      before = table.at(doubt);
    }
    // Extremes have tables too.
    expect(tables.of({ recall: 1, falseShare: 0 }).at(1)).toBeGreaterThan(0.5);
    expect(tables.of({ recall: 0.3, falseShare: 1 }).at(2)).toBeCloseTo(signalledGain(2, SILENT), 3);
  });
});
