/** Disks that are soon full. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./temporary.ts";

const MOUNT = "/bin/mount";

/**
 * A file system in memory of this size; undefined where it may not be mounted. In CI a machine without the program to
 * mount it with is set up wrongly, and fails.
 */
export function tinyDisk(bytes: number): string | undefined {
  const disk = join(temporaryDirectory(), "disk");
  mkdirSync(disk);
  try {
    execFileSync(MOUNT, ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", disk], { stdio: "ignore" });
  } catch (error) {
    if (process.env["CI"] !== undefined && (error as NodeJS.ErrnoException).code === "ENOENT") throw error;
    return undefined;
  }
  onTestFinished(() => void execFileSync("/bin/umount", ["-l", disk]));
  return disk;
}

export function enlarge(disk: string, bytes: number): void {
  execFileSync(MOUNT, ["-o", `remount,size=${bytes}`, disk]);
}
