/** What the package knows of itself. No file is read, so that pure modules stay free of I/O. */

/** The version of package.json; a test compares the two. */
export const VERSION = "0.1.0";

/**
 * The compiled form of a file such as "rank/worker.js": threads cannot run TypeScript, so `src` starts those in `dist`.
 */
export function compiledEntry(path: string): URL {
  const folder = import.meta.url.endsWith(".ts") ? "../../dist/" : "../";
  return new URL(folder + path, import.meta.url);
}
