/**
 * Runs a command in the process of the test: for the many command lines that are refused before they start anything.
 * What depends on a process (signals, standard input, threads, how it ends) is tested with run.ts.
 */
import { vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { type Outcome, TemporaryFolder } from "./folder.ts";

export class FolderHere extends TemporaryFolder {
  /** `tidemark ARGS` with this as its working folder. */
  async run(args: readonly string[]): Promise<Outcome> {
    const texts = { stdout: "", stderr: "" };
    const mocks = (["stdout", "stderr"] as const).map((name) =>
      vi.spyOn(process[name], "write").mockImplementation((text) => {
        texts[name] += text.toString();
        return true;
      }),
    );
    const before = process.cwd();
    process.chdir(this.path);
    try {
      const code = await runCommandLine(args);
      return { code, ...texts };
    } finally {
      process.chdir(before);
      for (const mock of mocks) mock.mockRestore();
    }
  }
}
