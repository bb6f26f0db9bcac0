/** The package as users install it. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryDirectory } from "../support/temporary.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export async function packed(dir: string, ...flags: string[]): Promise<string> {
  const args = ["pack", "--silent", "--pack-destination", dir, ...flags];
  const { stdout } = await promisify(execFile)("npm", args, { cwd: root });
  return join(dir, stdout.trim());
}

/** The package as it is unpacked in a folder, with links to its dependencies only. */
export async function installed(dir: string = temporaryDirectory()): Promise<string> {
  const modules = join(dir, "node_modules");
  mkdirSync(modules);
  execFileSync("tar", ["-xzf", await packed(dir, "--ignore-scripts"), "-C", modules]);
  execFileSync("mv", [join(modules, "package"), join(modules, "tidemark")]);
  for (const name of dependenciesOf(join(modules, "tidemark"))) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  return join(modules, "tidemark");
}

/** Of the package itself: what these need in turn is found from where they are linked to. */
function dependenciesOf(dir: string): string[] {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as Record<
    "dependencies" | "optionalDependencies",
    Record<string, string>
  >;
  return Object.keys({ ...dependencies, ...optionalDependencies });
}
