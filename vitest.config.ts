import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

/** What starts processes or threads, which run the build; what opens pages in a real browser; what takes long. */
const SLOW = ["test/**/*.process.test.ts", "test/**/*.browser.test.ts", "test/papers/**/*.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.ts"],
    pool: "forks",
    // Vitest would leave one processor idle; on two that is half of them. Fast tests wait now and then for a time to
    // pass: with one worker more than processors, none is idle meanwhile.
    maxWorkers: availableParallelism() + Number(process.env["TIDEMARK_MORE_WORKERS"] ?? 0),
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...SLOW],
          // Functions without a memory of their own: modules need not be loaded anew for every file.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: SLOW,
          globalSetup: "test/support/fresh-build.ts",
        },
      },
    ],
    setupFiles: ["test/support/seed.ts"],
    // What is waited for comes late on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
