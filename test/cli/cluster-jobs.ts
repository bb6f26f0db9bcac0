/** Jobs in a PostgreSQL of a test, and commands that find them. */
import { setTimeout as sleep } from "node:timers/promises";
import { PASSWORD, type PostgresServer } from "../support/postgres.ts";
import { Folder, MAIN } from "./run.ts";
import { runHere } from "./run-here.ts";

let jobs = 0;

export interface Status {
  readonly stopped: string | null;
  readonly seconds: number;
  readonly coverage: number;
  readonly pages: number;
  readonly heldBy: string | null;
  readonly workers: readonly { readonly name: string; readonly shards: number }[];
  readonly shards: readonly { readonly worker: string | null }[];
}

/** A job of its own, and commands that find it. The password is in the environment only. */
export function newJob(server: PostgresServer) {
  const folder = new Folder();
  const log = `postgres://tidemark@127.0.0.1:${server.port}/postgres`;
  const where = ["--log", log, "--job", `job${++jobs}`];
  const secret = { PGPASSWORD: PASSWORD };
  return {
    folder,
    where,
    run: (command: string, ...args: string[]) => folder.runWith(secret, ["cluster", command, ...where, ...args]),
    start: (command: string, ...args: string[]) =>
      folder.start(process.execPath, [MAIN, "cluster", command, ...where, ...args], secret),
    /** The same in the process of the test, for what needs no process of its own. */
    here: (command: string, ...args: string[]) => runHere(folder.path, ["cluster", command, ...where, ...args], secret),
    async status(): Promise<Status> {
      return JSON.parse((await this.here("status", "--json")).stdout) as Status;
    },
    async until(isSo: (status: Status) => boolean): Promise<Status> {
      for (;;) {
        const status = await this.status();
        if (isSo(status)) return status;
        await sleep(200);
      }
    },
  };
}
