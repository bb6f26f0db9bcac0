/** Temporary folders for commands, and what a command leaves. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder with these files in it, gone when the test ends. */
export class TemporaryFolder {
  readonly path = mkdtempSync(join(tmpdir(), "tidemark-test-"));

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    onTestFinished(() => rmSync(this.path, { recursive: true }));
    for (const [name, contents] of Object.entries(files)) writeFileSync(this.at(name), contents);
  }

  at(name: string): string {
    return join(this.path, name);
  }

  names(): string[] {
    return readdirSync(this.path).sort();
  }
}
