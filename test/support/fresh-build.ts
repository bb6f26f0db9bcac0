/** Tests that run the build run a build of the sources as they are now: made before the first of them, once. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export default function setup(): void {
  const build = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [build, "--if-changed"], { stdio: "inherit" });
}
