import { closeSync, fsyncSync, openSync } from "node:fs";

/** What was renamed or made in a directory survives a power cut once the directory is synced; some systems cannot do it. */
export function syncDirectory(dir: string): void {
  try {
    const handle = openSync(dir, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "EISDIR" && code !== "EPERM" && code !== "EACCES" && code !== "EINVAL") throw error;
  }
}
