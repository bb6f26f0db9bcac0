/**
 * A folder in which the built command runs, several times at once where a test wants it: what each process has said can
 * be waited for, never for longer than a bound, and `close` ends all of them and takes the folder away, whatever became
 * of the tests.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Line } from "../../cli/demo-web.ts";
import { MAIN, type Outcome } from "../../cli/run.ts";

const WAIT_MS = 100_000;
const LOOK_MS = 20;

export class Workshop {
  readonly path = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  readonly #running: Running[] = [];

  at(name: string): string {
    return join(this.path, name);
  }

  start(args: readonly string[]): Running {
    const running = new Running(
      args,
      spawn(process.execPath, [MAIN, ...args], { cwd: this.path, stdio: ["ignore", "pipe", "pipe"] }),
    );
    this.#running.push(running);
    return running;
  }

  run(args: readonly string[]): Promise<Outcome> {
    return this.start(args).ended();
  }

  /** The last of the JSON lines that it prints. */
  async json<T>(args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, "--json"]);
    if (code !== 0) throw new Error(`tidemark ${args.join(" ")} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as T;
  }

  /** `tidemark serve`, once it listens. */
  async serve(
    dir: string,
    listen = "0",
    more: readonly string[] = [],
  ): Promise<{ readonly url: string; readonly server: Running }> {
    const server = this.start(["serve", dir, "--listen", listen, "--json", ...more]);
    const { url } = await server.line((line) => line["dir"] === dir);
    return { url: String(url), server };
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.kill()));
    rmSync(this.path, { recursive: true, force: true });
  }
}

export class Running {
  stdout = "";
  stderr = "";
  readonly #args: readonly string[];
  readonly #child: ChildProcess;
  #code: number | null | undefined;

  constructor(args: readonly string[], child: ChildProcess) {
    this.#args = args;
    this.#child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    child.on("close", (code) => {
      this.#code = code;
    });
  }

  /** What was printed so far, as JSON lines; the last may be half of one. */
  get lines(): Line[] {
    return this.stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  }

  signal(name: "SIGINT" | "SIGTERM"): void {
    this.#child.kill(name);
  }

  line(isWanted: (line: Line) => boolean): Promise<Line> {
    return this.#until("a certain line", () => this.lines.find(isWanted));
  }

  async ended(): Promise<Outcome> {
    const { code } = await this.#until("its end", () => (this.#code === undefined ? undefined : { code: this.#code }));
    return { code, stdout: this.stdout, stderr: this.stderr };
  }

  async kill(): Promise<void> {
    if (this.#code !== undefined) return;
    this.#child.kill("SIGKILL");
    await this.ended();
  }

  async #until<T>(what: string, look: () => T | undefined): Promise<T> {
    const endMs = performance.now() + WAIT_MS;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (performance.now() > endMs || (this.#code !== undefined && look() === undefined)) {
        throw new Error(
          `tidemark ${this.#args.join(" ")}: waited in vain for ${what}; exit code ${this.#code}, it said: ${this.stdout.slice(-2000)} ${this.stderr.slice(-2000)}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
