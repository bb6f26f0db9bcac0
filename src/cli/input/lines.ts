/** Lines of text files, and the files that people write by hand: one entry per line, `#` starts a comment. */
import { type Progress, UsageError } from "../../base/index.ts";
import { aboutFile } from "../terminal/endings.ts";
import { readBytes } from "./bytes.ts";

/** A longer line means that this is no text file. */
const LINE_LENGTH_MAX = 1 << 20;

/** The lines of a text file, some at a time, without their endings: LF, CRLF or CR. */
export async function* readLines(path: string, progress?: Progress): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readBytes(path, progress)) {
    const text = rest + decoder.decode(chunk, { stream: true });
    // A CR at the very end may be the first half of a CRLF.
    const lines = text.replace(/\r$/, "").split(text.includes("\r") ? /\r\n|\n|\r/ : "\n");
    rest = lines.pop()! + (text.endsWith("\r") ? "\r" : "");
    if (rest.length > LINE_LENGTH_MAX) {
      throw aboutFile(
        path,
        new UsageError(`a line is longer than ${LINE_LENGTH_MAX} characters; expected a text file`),
      );
    }
    yield lines;
  }
  if (rest !== "") yield [rest.replace(/\r$/, "")];
}

/** `rest` is what follows the first word of the line. */
export type EntryVisitor = (name: string, rest: string, line: number) => void;

/** Visits every line that is neither empty nor a comment. `#` starts a comment at the start of a word. */
export async function forEachEntry(path: string, visit: EntryVisitor, progress?: Progress): Promise<void> {
  let line = 0;
  for await (const lines of readLines(path, progress)) {
    for (const text of lines) {
      line++;
      // A shortcut for nearly all lines of long lists.
      if (/^\d+$/.test(text)) {
        visit(text, "", line);
        continue;
      }
      const [, name, rest = ""] = /^(\S+)\s*(.*)$/s.exec(text.replace(/(^|\s)#.*/s, "").trim()) ?? [];
      if (name !== undefined) visit(name, rest, line);
    }
  }
}

/** A mistake in a line of a file. */
export function wrongLine(path: string, line: number, problem: string): UsageError {
  return new UsageError(`${fileName(path)}: line ${line}: ${problem}`);
}

/** `-` is standard input. */
export function fileName(path: string): string {
  return path === "-" ? "standard input" : path;
}
