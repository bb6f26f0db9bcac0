/** One command line, from its words to its exit code. Modules that the help does not need are loaded later. */
import { CommanderError } from "commander";
import { commandWords, createProgram } from "./program.ts";
import { report } from "./terminal/terminal.ts";

/** Runs the command that the words name in this process; returns its exit code. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(words);
    await program.parseAsync(commandWords(words), { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** Prints what is wrong, unless the parser of arguments has done so. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { endingOf } = await import("./terminal/endings.ts");
  const { exitCode, message } = endingOf(error);
  if (message !== undefined) report(message);
  return exitCode;
}
