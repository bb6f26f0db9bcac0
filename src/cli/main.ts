#!/usr/bin/env node
/** The command `tidemark`. */
import { endingOf } from "./endings.ts";
import { createProgram } from "./program.ts";
import { report, watchStandardOutput } from "./terminal.ts";

watchStandardOutput();
try {
  const words = process.argv.slice(2);
  const program = await createProgram(words);
  await program.parseAsync(words, { from: "user" });
} catch (error) {
  const { exitCode, message } = endingOf(error);
  if (message !== undefined) report(message);
  process.exitCode = exitCode;
}
