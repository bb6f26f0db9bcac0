/** Runs the command from its sources inside the process of the test: it needs no build. */
import { runCommandLine } from "../../src/cli/command-line.ts";
import { type Outcome, TemporaryFolder } from "./folder.ts";
import { runInProcess } from "./in-process.ts";

/** `tidemark ARGS` with this working folder and these variables of the environment. */
export function runHere(
  path: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return runInProcess({ path, args, environment }, runCommandLine);
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
