/**
 * Adds packages of other platforms to package-lock.json that npm has left out: it does so where the registry lacks them,
 * and then `npm ci` rejects the file everywhere. Run it if test/package-lock.test.ts fails after an upgrade. What is
 * added has no checksum, so npm takes that of the registry when it installs the package.
 */
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const PLATFORM = /-(android|darwin|freebsd|linux|openharmony|wasm32|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)?/;

for (const { dev, optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    if (path in lock.packages) continue;
    const [, os, cpu] = PLATFORM.exec(name) ?? [];
    if (os === undefined) throw new Error(`${name} is not in package-lock.json, and its name has no platform`);
    const where = os === "wasm32" ? { cpu: [os] } : { cpu: [cpu], os: [os] };
    lock.packages[path] = { version, ...where, ...(dev === true ? { dev } : {}), optional: true };
  }
}
const packages = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
