#!/usr/bin/env node
/** The command `tidemark`. Modules that the help does not need are loaded later. */
import { CommanderError } from "commander";
import { commandWords, createProgram } from "./program.ts";
import { hideArguments, report, watchStandardOutput } from "./terminal/terminal.ts";

watchStandardOutput();
try {
  const words = process.argv.slice(2);
  hideArguments(words);
  const program = await createProgram(words);
  await program.parseAsync(commandWords(words), { from: "user" });
} catch (error) {
  process.exitCode = await exitCodeOf(error);
}

/** Prints what is wrong, unless the parser of arguments has done so. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { endingOf } = await import("./terminal/endings.ts");
  const { exitCode, message } = endingOf(error);
  if (message !== undefined) report(message);
  return exitCode;
}
