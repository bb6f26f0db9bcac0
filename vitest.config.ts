import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 60_000,
    pool: "forks",
    // On two processors one would be left idle otherwise, and many tests wait for processes of their own.
    maxWorkers: 2,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 10_000 } },
  },
});
