/** Files of seeds: one URL per line. */
import { quoted, UsageError } from "../../base/index.ts";
import { fileName, forEachEntry, wrongLine } from "./files.ts";

/** The URLs, as written. */
export async function readSeedFile(path: string): Promise<string[]> {
  const urls: string[] = [];
  await forEachEntry(path, (name, rest, line) => {
    if (rest !== "") throw wrongLine(path, line, `${quoted(rest)} after the URL; expected one URL per line`);
    urls.push(name);
  });
  if (urls.length === 0) throw new UsageError(`${fileName(path)}: names no URL; expected one per line`);
  return urls;
}
