/** Bugs in exports of content: files that overwrite each other or are written elsewhere, pages lost, memory that grows. */
import type { Mutant } from "../mutant.ts";

const files = "test/content/page-files.test.ts";
const documents = "test/content/markdown-documents.test.ts";
const llms = "test/content/llms-txt.test.ts";
const folder = "test/cli/page-folder.test.ts";
const parquet = "test/cli/parquet.test.ts";
const tables = "test/store/exports.test.ts";

export const exports: readonly Mutant[] = [
  {
    file: "src/content/page-files.ts",
    find: 'path.toUpperCase().toLowerCase().normalize("NFC")',
    replace: "path",
    plants: "Two pages whose names differ only in case get one file on some systems.",
    killedBy: [files],
  },
  {
    file: "src/content/page-files.ts",
    find: "if (this.#taken.has(key)) return false;",
    replace: "",
    plants: "A page of http overwrites that of https.",
    killedBy: [files],
  },
  {
    file: "src/content/page-files.ts",
    find: 'replace(/\\.{2,}|^\\.|\\.$/g, "_")',
    replace: 'replace(/^\\.|\\.$/g, "_")',
    plants: "A segment of encoded dots is part of the name of a file.",
    killedBy: [files],
  },
  {
    file: "src/content/page-files.ts",
    find: "DEVICE.test(safe) ? `_${safe}` : safe",
    replace: "safe",
    plants: "A page has the name of a device of Windows.",
    killedBy: [files],
  },
  {
    file: "src/content/page-files.ts",
    find: "name.toLowerCase().endsWith(EXTENSION) ? ",
    replace: "name === EXTENSION ? ",
    plants: "A folder has the name of the file of another page.",
    killedBy: [files],
  },
  {
    file: "src/content/page-files.ts",
    find: 'let isExact = file.isExact && search === "";',
    replace: "let isExact = file.isExact;",
    plants: "The name of a page with a query depends on which page came first.",
    killedBy: [files],
  },
  {
    file: "src/content/page-files.ts",
    find: "if (bytes <= FOLDERS_BYTES_MAX) folders.push",
    replace: "folders.push",
    plants: "A URL with many folders has a path that is too long to be written.",
    killedBy: [files],
  },
  {
    file: "src/content/page-files.ts",
    find: "bytes += Buffer.byteLength(character);",
    replace: "bytes++;",
    plants: "A long name in another script has more bytes than file systems take.",
    killedBy: [files],
  },
  {
    file: "src/content/markdown-documents.ts",
    find: '?.trim() ?? ""',
    replace: '?? ""',
    plants: "A page of blanks counts as one with text.",
    killedBy: [documents],
  },
  {
    file: "src/content/markdown-documents.ts",
    find: "`${key}: ${JSON.stringify(value)}\\n`",
    replace: "`${key}: ${value}\\n`",
    plants: "A title with a colon makes front matter that cannot be read.",
    killedBy: [documents],
  },
  {
    file: "src/content/llms-txt.ts",
    find: "place.isFolder ||= below.length > 0;",
    replace: "place.isFolder = true;",
    plants: "Each page in no folder is a section of its own.",
    killedBy: [llms],
  },
  {
    file: "src/content/llms-txt.ts",
    find: "for (const section of joined) section.sort(",
    replace: "for (const section of []) (section as number[]).sort(",
    plants: "Pages of a section that comes from several places are not in the order of importance.",
    killedBy: [llms],
  },
  {
    file: "src/content/llms-txt.ts",
    find: '.replaceAll("]", ")") ||',
    replace: "||",
    plants: "A title with a bracket breaks the link of its page.",
    killedBy: [llms],
  },
  {
    file: "src/content/llms-txt.ts",
    find: 'replace(/[\\s\\p{Cc}]+/gu, " ")',
    replace: 'replace(/ +/gu, " ")',
    plants: "A title with a line break adds a heading to the list.",
    killedBy: [llms],
  },
  {
    file: "src/content/first-sentence.ts",
    find: "if (NO_PROSE.test(line)) continue;",
    replace: "",
    plants: "The heading of a page is taken for its first sentence.",
    killedBy: [llms],
  },
  {
    file: "src/cli/output/page-folder.ts",
    find: 'writeFileSync(target, bytes, { flag: "wx" });',
    replace: "writeFileSync(target, bytes);",
    plants: "A file of a folder overwrites another one without a word.",
    killedBy: [folder],
  },
  {
    file: "src/cli/output/page-folder.ts",
    find: "rmSync(this.#hidden, { recursive: true, force: true });",
    replace: "",
    plants: "A folder that could not be completed keeps what was written so far.",
    killedBy: [folder],
  },
  {
    file: "src/cli/output/page-folder.ts",
    find: "if (folder === place && readdirSync(place).length > 0) {",
    replace: "if (false) {",
    plants: "Files are added to a folder that holds others.",
    killedBy: [folder],
  },
  {
    file: "src/cli/output/parquet.ts",
    find: "|| characters >= GROUP_CHARACTERS_MAX",
    replace: "",
    plants: "The memory of an export as Parquet grows with the texts.",
    killedBy: [parquet],
  },
  {
    file: "src/cli/output/parquet.ts",
    find: "writer.index = 0;",
    replace: "",
    plants: "A group of rows is written again with each that follows.",
    killedBy: [parquet],
  },
  {
    file: "src/cli/output/parquet.ts",
    find: "return Number.isNaN(ms) ? null : new Date(ms);",
    replace: "return new Date(ms);",
    plants: "A time that is none ends an export as Parquet.",
    killedBy: [parquet],
  },
  {
    file: "src/store/export-pages.ts",
    find: "if (content !== undefined) columns.push([content.name, content.name]);",
    replace: "",
    plants: "CSV has no column for the text of pages.",
    killedBy: [tables],
  },
];
