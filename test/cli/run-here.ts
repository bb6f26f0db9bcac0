/**
 * Runs a command in the process of the test: for the many command lines that are refused before they start anything,
 * and for those that are run again and again until something is so. What depends on a process (signals, standard input,
 * threads, how it ends) is tested with run.ts.
 */
import { vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { type Outcome, TemporaryFolder } from "./folder.ts";

/** `tidemark ARGS` with this working folder and these variables of the environment. */
export async function runHere(
  path: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const texts = { stdout: "", stderr: "" };
  const mocks = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      texts[name] += text.toString();
      return true;
    }),
  );
  const before = process.cwd();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  process.chdir(path);
  try {
    const code = await runCommandLine(args);
    return { code, ...texts };
  } finally {
    process.chdir(before);
    vi.unstubAllEnvs();
    for (const mock of mocks) mock.mockRestore();
  }
}

export class FolderHere extends TemporaryFolder {
  run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return runHere(this.path, args, environment);
  }

  /** The document that `tidemark ARGS --json` prints. */
  async json(args: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.run([...args, "--json"]);
    if (code !== 0) throw new Error(`tidemark ${args.join(" ")} returned ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }
}
