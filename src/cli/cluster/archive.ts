/** WARC files of the workers of a job: where they may be, how they are brought together, and which are missing. */
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { counted, formatCount, UsageError } from "../../base/index.ts";
import type { Gathering, WarcSource } from "../../cluster/index.ts";
import { SOFTWARE, type StoredSettings } from "../../crawl/index.ts";
import { type Collection, collectWarc, type MissingWarc, type SqliteStore } from "../../store/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ArchiveOptions {
  readonly dir: string;
  readonly warcFrom?: readonly string[];
}

/** As it is told to programs. */
export interface ArchiveSummary extends Omit<Collection, "missing"> {
  readonly missing: readonly (MissingWarc & Partial<WarcSource>)[];
}

/** Throws if the folders that were given cannot be what they are to be. Called before anything is done. */
export function checkWarcFrom({ dir, warcFrom = [] }: ArchiveOptions, { network }: StoredSettings): void {
  if (warcFrom.length > 0 && !network.warc) {
    throw new UsageError("the job stores no WARC files: leave out --warc-from, or start a job with --warc");
  }
  for (const folder of warcFrom) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new UsageError(`--warc-from ${folder} is no folder; expected one with WARC files of workers`);
    }
    const archive = join(dir, "warc");
    const isThere = statSync(archive, { throwIfNoEntry: false }) !== undefined;
    if (isThere && realpathSync(folder) === realpathSync(archive)) {
      throw new UsageError(`--warc-from ${folder} is the archive of ${dir} itself; expected a folder of workers`);
    }
  }
}

export async function collectArchive(
  { dir, warcFrom = [] }: ArchiveOptions,
  store: SqliteStore,
  { archived, archivedBy }: Pick<Gathering, "archived" | "archivedBy">,
  { signal, progress }: { readonly signal: AbortSignal } & Pick<Terminal, "progress">,
): Promise<ArchiveSummary> {
  const named = (name: string): readonly string[] => {
    const source = archivedBy.get(name);
    return source === undefined ? [] : [source.dir];
  };
  const { missing, ...there } = await collectWarc({
    dir,
    store,
    files: archived,
    foldersOf: (name) => [...warcFrom, ...named(name)],
    software: SOFTWARE,
    signal,
    onBytes: (done) => progress({ task: "copying WARC files", done, unit: "bytes" }),
  });
  return { ...there, missing: missing.map((file) => ({ ...file, ...archivedBy.get(file.name) })) };
}

/** So many missing files are listed; all of them with `--json`. */
const LISTED_MAX = 20;

export function archiveInWords(dir: string, summary: ArchiveSummary): string[] {
  const { files, responses, missing, isInterrupted } = summary;
  const archive = join(dir, "warc");
  const there = `${archive}: ${counted(files, "WARC file")} of workers with ${counted(responses, "response")}`;
  if (missing.length === 0) return [there];
  if (isInterrupted) return [there, `interrupted: ${counted(missing.length, "file")} to go; run this command again`];
  const lost = missing.reduce((sum, file) => sum + file.responses, 0);
  const more = missing.length - LISTED_MAX;
  return [
    there,
    `${counted(missing.length, "file")} ${missing.length === 1 ? "is" : "are"} missing or not whole, so ` +
      `${counted(lost, "response")} ${lost === 1 ? "has" : "have"} no body here. Pages, links and coverage are ` +
      "complete.",
    ...missing.slice(0, LISTED_MAX).map(missingInWords),
    ...(more > 0 ? [`  and ${formatCount(more)} more, which --json lists`] : []),
    "Copy them to a folder on this machine and run this command again with --warc-from FOLDER: it adds them. Until " +
      "then, delete nothing on the machines of the workers.",
  ];
}

function missingInWords({ name, worker, place, dir, problem }: ArchiveSummary["missing"][number]): string {
  return `  ${name}, by ${worker} (on ${place}, in ${dir}): ${problem}`;
}
