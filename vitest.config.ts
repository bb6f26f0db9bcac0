import { statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

/** What starts processes or threads, which run the build; what opens pages in a real browser; what takes long. */
const SLOW = ["test/**/*.process.test.ts", "test/**/*.browser.test.ts", "test/papers/**/*.test.ts"];

/** A file system in memory, as Linux has it: there nothing waits for a disk. */
const IN_MEMORY = "/dev/shm";
const BYTES_LEAST = 1 << 28;

/** Where the directories of fast tests are made. */
function placeOfDirectories(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= BYTES_LEAST ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.ts"],
    pool: "forks",
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          sequence: { groupOrder: 0 },
          // Vitest would leave one processor idle; on two that is half of them.
          maxWorkers: availableParallelism(),
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...SLOW],
          // Functions without a memory of their own: modules need not be loaded anew for every file.
          isolate: false,
          // Hundreds of crawls are stored. Syncing them to a disk takes four times the work of writing them.
          env: { TMPDIR: placeOfDirectories() },
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          sequence: { groupOrder: 1 },
          // These wait most of their time: for leases, pauses of hosts, and other processes.
          maxWorkers: availableParallelism() + 2,
          include: SLOW,
          globalSetup: "test/support/fresh-build.ts",
        },
      },
    ],
    setupFiles: ["test/support/seed.ts"],
    // What is waited for comes late on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
