/** A reporter for Vitest that ends the run with its count alone on a line: "412 passed, 0 failed". */
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      // A file that could not even be loaded has no tests to fail.
      if (!module.ok() && module.errors().length > 0) count.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") count[state]++;
      }
    }
    if (count.skipped > 0) console.log(`${count.skipped} skipped: what they need is not here`);
    console.log(`${count.passed} passed, ${count.failed} failed`);
  }
}
