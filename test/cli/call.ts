/** Runs the built command inside the process of the test: with its threads, which run the build only. */
import { nativeImport } from "./native-import.mjs";
import type { Outcome } from "./folder.ts";
import { runInProcess } from "./in-process.ts";
import { Folder } from "./run.ts";

const COMMAND_LINE = new URL("../../dist/cli/command-line.js", import.meta.url).href;

/** A folder whose commands run inside this process. */
export class CallFolder extends Folder {
  override async run(args: readonly string[], input = ""): Promise<Outcome> {
    const { runCommandLine } = await nativeImport(COMMAND_LINE);
    return runInProcess({ path: this.path, args, input }, runCommandLine);
  }
}
