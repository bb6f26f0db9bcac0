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
        new UsageError(`a line is longer than ${LINE_LENGTH_MAX} characters; is it text?`),
      );
    }
    yield lines;
  }
  if (rest !== "") yield [rest.replace(/\r$/, "")];
}
