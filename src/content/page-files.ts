/**
 * Names of files for pages, by host and path: `example.com/docs/a.md` for `https://example.com/docs/a?x=1`. They are
 * valid on every system: no reserved character or name, no `..`, of bounded length, and no two of them are the same
 * where case does not count. A name that says less than its URL ends with a short hash of the URL.
 */
import { createHash } from "node:crypto";
import { decodedSegment } from "./path-segment.ts";

/** Bytes in UTF-8. Windows takes 260 characters for a whole path, with the folder that it is in. */
const SEGMENT_BYTES_MAX = 60;
const FOLDERS_BYTES_MAX = 100;
const HASH_DIGITS = 8;
const EXTENSION = ".md";

const UNSAFE = /[^\p{L}\p{M}\p{N}._~+=,@-]+/gu;
/** Devices of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;

interface Segment {
  readonly name: string;
  /** Whether the name says all that the URL does. */
  readonly isExact: boolean;
}

export class PageFiles {
  /** Of the names that are taken, without case. Two names with one hash cost nothing but a longer name. */
  readonly #taken = new Set<number>();

  /** The path of the file of a page, with `/` between folders; another one for every call. */
  pathOf(url: string): string {
    const { host, pathname, search } = new URL(url);
    const parts = [host, ...pathname.split("/").slice(1)];
    const file = segment(parts.pop() || "index");
    const folders: string[] = [];
    let isExact = file.isExact && search === "";
    let bytes = 0;
    for (const part of parts) {
      const folder = folderOf(part);
      bytes += Buffer.byteLength(folder.name) + 1;
      isExact &&= folder.isExact && bytes <= FOLDERS_BYTES_MAX;
      if (bytes <= FOLDERS_BYTES_MAX) folders.push(folder.name);
    }
    const hash = createHash("sha256").update(url).digest("hex");
    for (let digits = isExact ? 0 : HASH_DIGITS; ; digits += HASH_DIGITS) {
      const suffix = digits === 0 ? "" : `-${hash.slice(0, digits)}`;
      const path = [...folders, `${file.name}${suffix}${EXTENSION}`].join("/");
      if (this.#take(path)) return path;
      // The same URL once more: its hash is used up.
      if (digits >= hash.length) return this.#numbered(path);
    }
  }

  #numbered(path: string): string {
    for (let number = 2; ; number++) {
      const other = `${path.slice(0, -EXTENSION.length)}-${number}${EXTENSION}`;
      if (this.#take(other)) return other;
    }
  }

  #take(path: string): boolean {
    // Upper case first: it makes "ß" and "ss" one name, as some file systems do.
    const folded = path.toUpperCase().toLowerCase().normalize("NFC");
    const key = createHash("sha256").update(folded).digest().readUIntBE(0, 6);
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }
}

function folderOf(part: string): Segment {
  const { name, isExact } = segment(part);
  // A file may have that name.
  return name.toLowerCase().endsWith(EXTENSION) ? { name: `${name}_`, isExact: false } : { name, isExact };
}

function segment(part: string): Segment {
  const text = decodedSegment(part);
  const safe = text.normalize("NFC").replace(UNSAFE, "_");
  const cut = shortened(DEVICE.test(safe) ? `_${safe}` : safe);
  // Two dots lead elsewhere; one in front hides a file, and one at the end is lost on Windows.
  const name = cut.replace(/\.{2,}|^\.|\.$/g, "_") || "_";
  return { name, isExact: name === text && (text === part || encodeURIComponent(text) === part) };
}

function shortened(name: string): string {
  let bytes = 0;
  let end = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > SEGMENT_BYTES_MAX) break;
    end += character.length;
  }
  return name.slice(0, end);
}
