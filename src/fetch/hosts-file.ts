/**
 * The hosts file of the machine (hosts(5)): names that it knows without asking anybody.
 *
 * A crawl may run for days, so the file is read again when it has changed, which is checked at most every five seconds:
 * some people keep a hundred thousand names in it.
 */
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Clock } from "../base/index.ts";

const CHECK_MS = 5_000;
const NONE: readonly string[] = [];

/** Where the system has the file. */
export function systemHostsPath(): string {
  if (process.platform !== "win32") return "/etc/hosts";
  return join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "drivers", "etc", "hosts");
}

export class HostsFile {
  readonly #path: string;
  readonly #clock: Clock;
  #names: ReadonlyMap<string, readonly string[]> = new Map();
  /** Of the file that was read: its size and the time of its last change. */
  #version = "";
  #checkAgainMs = Number.NEGATIVE_INFINITY;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** The addresses of a name in lower case, in the order of the file; none for most names. */
  addressesOf(name: string): readonly string[] {
    if (this.#clock.nowMs() >= this.#checkAgainMs) this.#check();
    return this.#names.get(name) ?? NONE;
  }

  #check(): void {
    this.#checkAgainMs = this.#clock.nowMs() + CHECK_MS;
    try {
      const { size, mtimeMs } = statSync(this.#path);
      const version = `${size} ${mtimeMs}`;
      if (version === this.#version) return;
      this.#names = namesIn(readFileSync(this.#path, "utf8"));
      this.#version = version;
    } catch {
      // A machine without the file, or with one that we may not read, has no such names.
      this.#names = new Map();
      this.#version = "";
    }
  }
}

/** Each line: an address, then its names; `#` begins a comment. */
function namesIn(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...aliases] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      const known = names.get(name);
      if (known === undefined) names.set(name, [address]);
      else if (!known.includes(address)) known.push(address);
    }
  }
  return names;
}
