import { configDefaults, defineConfig } from "vitest/config";

/** What starts processes or threads, which run the build, and what opens pages in a real browser. */
const PROCESS = "test/**/*.process.test.ts";
const BROWSER = "test/**/*.browser.test.ts";

export default defineConfig({
  test: {
    pool: "forks",
    // Vitest would leave one processor idle; on two that is half of them.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, PROCESS, BROWSER],
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: [PROCESS, BROWSER],
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
