/**
 * Builds the package into a fresh folder, then updates `dist` file by file. Each file is replaced in one step, and only
 * files without a source are deleted. So a program that runs from `dist` meanwhile never misses a file.
 *
 *     node scripts/build.mjs                always builds
 *     node scripts/build.mjs --if-changed   builds unless `dist` was built from the same sources
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");
/** Holds the fingerprint of the sources of this build. */
const stamp = join(dist, ".sources");

const sources = fingerprint();
const isBuilt = existsSync(stamp) && readFileSync(stamp, "utf8") === sources;
if (isBuilt && process.argv.includes("--if-changed")) process.exit(0);

mkdirSync(join(root, "out"), { recursive: true });
const fresh = mkdtempSync(join(root, "out/build-"));
try {
  const project = ["-p", "tsconfig.build.json", "--incremental", "false", "--tsBuildInfoFile", "null"];
  run("typescript-7/bin/tsc", [...project, "--outDir", fresh]);
  const page = ["--config", "src/dashboard/page/vite.config.ts", "--outDir", join(fresh, "dashboard/page")];
  run("vite/bin/vite.js", ["build", ...page, "--logLevel", "warn"]);
  chmodSync(join(fresh, "cli/main.js"), 0o755);
  await writeManPage();
  bringUpToDate();
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

function run(tool, args) {
  // Standard output is left to the caller.
  execFileSync(process.execPath, [join(root, "node_modules", tool), ...args], { cwd: root, stdio: ["ignore", 2, 2] });
}

async function writeManPage() {
  const { createWholeProgram } = await import(join(fresh, "cli/program.js"));
  const { commandsOf } = await import(join(fresh, "cli/reference/command-tree.js"));
  const { manPage } = await import(join(fresh, "cli/reference/man-page.js"));
  const program = await createWholeProgram();
  mkdirSync(join(fresh, "man"));
  writeFileSync(join(fresh, "man/tidemark.1"), manPage(program.description(), commandsOf(program)));
}

function bringUpToDate() {
  rmSync(stamp, { force: true });
  const built = filesIn(fresh);
  for (const name of built) {
    const [from, to] = [join(fresh, name), join(dist, name)];
    if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) continue;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  const kept = new Set(built);
  for (const name of filesIn(dist)) if (!kept.has(name)) rmSync(join(dist, name), { force: true });
  chmodSync(join(dist, "cli/main.js"), 0o755);
  writeFileSync(stamp, sources);
}

function fingerprint() {
  const hash = createHash("sha256");
  const settings = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json", "scripts/build.mjs"];
  for (const name of [...settings, ...filesIn(join(root, "src")).map((name) => join("src", name))]) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}
