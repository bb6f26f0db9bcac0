/** Starts workers as processes of this machine. */
import { fork } from "node:child_process";
import { compiledEntry } from "../../base/index.ts";
import type { WorkerFailure, WorkerHandle } from "../../cluster/index.ts";
import type { CrawlEvent } from "../../crawl/index.ts";
import type { FromWorker, ToWorker, WorkerTask } from "./worker-process.ts";

export function startWorkerProcess(task: Omit<WorkerTask, "kind">, onEvent: (event: CrawlEvent) => void): WorkerHandle {
  const child = fork(compiledEntry("cli/crawl/worker-process.js"), {
    serialization: "advanced",
    // What it prints belongs to no one who reads the output of the command.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const tell = (message: ToWorker): void => {
    if (child.connected) child.send(message);
  };
  const ended = new Promise<WorkerFailure | undefined>((resolve) => {
    child.on("message", (message: FromWorker) => {
      if (message.kind === "event") onEvent(message.event);
      else resolve(message.failure);
    });
    // After it has said how it ended, this changes nothing.
    child.on("exit", (code, signal) => {
      resolve({ kind: "died", message: `${task.name} ended unexpectedly (${signal ?? `exit code ${code}`})` });
    });
    // A process that ends while it is told something gives an error, too, and its end follows.
    child.on("error", (error) => {
      if (child.pid === undefined) resolve({ kind: "failed", message: `${task.name}: ${error.message}` });
    });
  });
  tell({ kind: "work", ...task });
  return { ended, control: tell };
}
