/**
 * Runs a command inside the process of the test, from its words to its exit code, without the half second of work that
 * a process of its own takes to start. For commands that need nothing but arguments, files and the network. What
 * depends on a process (signals, memory, that it ends by itself) is tested with run.ts.
 */
import { Readable, Writable } from "node:stream";
import type { Outcome } from "./folder.ts";

export interface Surroundings {
  /** The working folder. */
  readonly path: string;
  /** The words after `tidemark`. */
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** On standard input. */
  readonly input?: string;
}

/** Commands have the working folder and the streams of the process for themselves: one at a time. */
let last: Promise<unknown> = Promise.resolve();

type Command = (args: readonly string[]) => Promise<number>;

export function runInProcess(surroundings: Surroundings, command: Command): Promise<Outcome> {
  const outcome = last.then(() => outcomeOf(surroundings, command));
  last = outcome.catch(() => {});
  return outcome;
}

async function outcomeOf(
  { path, args, environment = {}, input = "" }: Surroundings,
  command: Command,
): Promise<Outcome> {
  const texts = { stdout: new Text(), stderr: new Text() };
  const { argv, exitCode } = process;
  const folder = process.cwd();
  const restored = ["stdin", "stdout", "stderr"].map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
  );
  for (const [name, value] of Object.entries({ stdin: Readable.from([Buffer.from(input)]), ...texts })) {
    Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
  }
  const variables = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);
  process.chdir(path);
  process.argv = [argv[0], "tidemark", ...args];
  process.exitCode = undefined;
  try {
    const code = (await command(args)) || Number(process.exitCode ?? 0);
    return { code, stdout: texts.stdout.text, stderr: texts.stderr.text };
  } finally {
    process.exitCode = exitCode;
    process.argv = argv;
    process.chdir(folder);
    for (const [name, before] of variables) {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
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
