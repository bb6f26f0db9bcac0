/** Runs the built command as a user does, in a folder of its own that goes when the test ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Outcome, TemporaryFolder } from "./folder.ts";

export const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run npm run build first`);

export type { Outcome };

/** Commands run in it as processes of their own. */
export class Folder extends TemporaryFolder {
  /** `tidemark ARGS` with this as its working folder. */
  run(args: readonly string[], input = ""): Promise<Outcome> {
    return outcomeOf(this.start(process.execPath, [MAIN, ...args]), input);
  }

  /** With these variables of the environment. */
  runWith(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<Outcome> {
    return outcomeOf(this.start(process.execPath, [MAIN, ...args], environment));
  }

  /** The document that `tidemark ARGS --json` prints; fails unless that is all it prints. */
  async json(args: readonly string[], input = ""): Promise<unknown> {
    const { code, stdout, stderr } = await this.run([...args, "--json"], input);
    if (code !== 0) throw new Error(`tidemark ${args.join(" ")} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  shell(line: string, environment: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return outcomeOfShell(this.start("bash", ["-c", line], environment));
  }

  /** Ends with the test at the latest, whatever became of it. */
  start(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(command, args, { cwd: this.path, env: { ...process.env, ...environment } });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }
}

export function outcomeOf(child: ChildProcess, input = ""): Promise<Outcome> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  // A command that refuses its arguments does not wait for its input.
  child.stdin?.on("error", () => {}).end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, ...texts }));
  });
}

/** Said by a command that ends when it is interrupted. */
const LASTING = "Ctrl-C stops it";

/** The outcome of a shell. A command in it that goes on until Ctrl-C gets one as soon as it says so. */
export function outcomeOfShell(shell: ChildProcess): Promise<Outcome> {
  const ended = outcomeOf(shell);
  let told = "";
  shell.stderr?.on("data", (text: string) => {
    const wasTold = told.includes(LASTING);
    told += text;
    if (!wasTold && told.includes(LASTING)) process.kill(commandOf(shell.pid ?? 0), "SIGINT");
  });
  return ended;
}

/** The command that a shell has started; the shell itself if it has become the command. */
function commandOf(shell: number): number {
  const children = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8");
  return Number.parseInt(children) || shell;
}
