#!/usr/bin/env node
/** The command `tidemark`. */
import { runCommandLine } from "./command-line.ts";
import { hideArguments, watchStandardOutput } from "./terminal/terminal.ts";

watchStandardOutput();
const words = process.argv.slice(2);
hideArguments(words);
const code = await runCommandLine(words);
if (code !== 0) process.exitCode = code;
