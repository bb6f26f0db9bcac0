/**
 * Runs the built command inside this process: all of it, from its arguments to its exit code, without the half second of
 * work that a process of its own takes to start. For commands that need nothing but arguments, files and the network.
 * One that is sent signals, measured, or must end by itself runs as a process (run.ts).
 */
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { nativeImport } from "./native-import.mjs";
import { Folder, MAIN, type Outcome } from "./run.ts";

let calls = 0;
/** Commands have the working folder and the output of the process for themselves: one at a time. */
let last: Promise<unknown> = Promise.resolve();

/** A folder whose commands run inside this process. */
export class CallFolder extends Folder {
  override run(args: readonly string[], input = ""): Promise<Outcome> {
    const outcome = last.then(() => called(this.path, args, input));
    last = outcome.catch(() => {});
    return outcome;
  }
}

async function called(path: string, args: readonly string[], input: string): Promise<Outcome> {
  const texts = { stdout: new Text(), stderr: new Text() };
  const { argv, exitCode } = process;
  const folder = process.cwd();
  const restored = ["stdin", "stdout", "stderr"].map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
  );
  for (const [name, value] of Object.entries({ stdin: Readable.from([Buffer.from(input)]), ...texts })) {
    Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
  }
  process.chdir(path);
  process.argv = [...argv.slice(0, 1), MAIN, ...args];
  process.exitCode = undefined;
  try {
    // A new name runs the module again; the modules that it imports stay loaded.
    await nativeImport(`${pathToFileURL(MAIN).href}?${++calls}`);
    return { code: Number(process.exitCode ?? 0), stdout: texts.stdout.text, stderr: texts.stderr.text };
  } finally {
    process.exitCode = exitCode;
    process.argv = argv;
    process.chdir(folder);
    for (const [name, descriptor] of restored) Object.defineProperty(process, name, descriptor);
  }
}

/** What was written, as text. */
class Text extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}
