/**
 * A reporter for Vitest. It ends the run with the tests that did not run and why, and with the counts on a line alone:
 * "412 passed, 0 failed".
 */
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    const skips: string[] = [];
    for (const module of modules) {
      // A file that could not be loaded has no tests that could fail.
      if (!module.ok() && module.errors().length > 0) count.failed++;
      const notes = new Set<string>();
      let skipped = 0;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state !== "pending") count[result.state]++;
        if (result.state !== "skipped") continue;
        skipped++;
        notes.add(result.note ?? "data that is not here");
      }
      if (skipped > 0) skips.push(`  ${skipped} in ${module.relativeModuleId}: ${[...notes].join("; ")}`);
    }
    if (count.skipped > 0) console.log(`${count.skipped} tests did not run:\n${skips.join("\n")}`);
    console.log(`${count.passed} passed, ${count.failed} failed`);
  }
}
