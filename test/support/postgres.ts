/**
 * PostgreSQL servers of our own, each in a folder of its own and on a port of its own of this machine. They can be
 * killed and started again. A test that finds no server fails (scripts/ensure-postgres.sh installs one).
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export const PASSWORD = "a secret: p@ss/word?";
const USER = "tidemark";
const DATABASE = "postgres";
const START_MS_MAX = 60_000;
const ROOM_BYTES = 2e9;
/** A server must not outlive a test that was killed. */
const DIES_WITH_US = process.platform === "linux" ? ["setpriv", "--pdeathsig", "KILL"] : [];

export interface PostgresServer {
  /** With the password. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Kills all its processes at once, without a word. */
  kill(): Promise<void>;
  /** Starts it again after `kill` or `stop`, on the same port; it recovers what it had. */
  start(): Promise<void>;
  /** Ends it in order, cutting all connections. */
  stop(): Promise<void>;
  /** `stop`, then `start`. */
  restart(): Promise<void>;
  /** Lines of its configuration, which are in force after `restart`. */
  configure(lines: string): void;
  /** Takes no more connections than these, from now on. */
  setMaxConnections(count: number): Promise<void>;
  /** Kills it and removes its folder. */
  dispose(): Promise<void>;
}

export interface PostgresOptions {
  /** Where its folder is made; default: in memory where there is room, so that it starts again within a second. */
  readonly parent?: string;
  readonly initdb?: readonly string[];
  /** Its write-ahead log is on another disk than `parent`. */
  readonly walElsewhere?: boolean;
  /** Lines of its configuration. */
  readonly config?: string;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { parent = quickFolder(), initdb = [], walElsewhere = false, config = "" } = options;
  const binDir = postgresPrograms();
  const owner = serverUser();
  const makeFolder = (place: string): string => {
    const folder = mkdtempSync(join(place, "tidemark-postgres-"));
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
    return folder;
  };
  const dir = makeFolder(parent);
  const walDir = walElsewhere ? makeFolder(quickFolder()) : undefined;
  const dataDir = join(dir, "data");
  const passwordFile = join(dir, "password");
  writeFileSync(passwordFile, PASSWORD);
  const access = ["--auth=scram-sha-256", `--username=${USER}`, `--pwfile=${passwordFile}`];
  const text = ["--encoding=UTF8", "--locale=C"];
  const programOptions = { cwd: dir, ...owner } as const;
  const wal = walDir === undefined ? [] : [`--waldir=${join(walDir, "wal")}`];
  execFileSync(join(binDir, "initdb"), ["-D", dataDir, ...access, ...text, "--no-sync", ...wal, ...initdb], {
    ...programOptions,
    stdio: ["ignore", "ignore", "pipe"],
  });
  rmSync(passwordFile);
  const port = await freePort();
  const url = `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${DATABASE}`;
  const settings = join(dataDir, "postgresql.conf");
  appendFileSync(
    settings,
    `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\nshared_buffers = '32MB'\n${config}\n`,
  );

  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const [program, ...given] = [...DIES_WITH_US, join(binDir, "postgres"), "-D", dataDir];
    const started = spawn(program, given, { ...programOptions, stdio: ["ignore", "ignore", "pipe"] });
    server = started;
    let said = "";
    started.stderr.on("data", (chunk) => {
      said = (said + String(chunk)).slice(-4000);
    });
    await untilReady(started, url, () => said);
  };
  const stop = async (): Promise<void> => {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    // Fast shutdown: clients are cut off.
    running.kill("SIGINT");
    await once(running, "exit");
  };
  const kill = async (): Promise<void> => {
    const running = server;
    server = undefined;
    if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exit = once(running, "exit");
    // Stopped first, so that it neither notices the end of its children nor makes more of them.
    running.kill("SIGSTOP");
    const children = childrenOf(running.pid);
    for (const pid of [...children, running.pid]) killIfThere(pid);
    await exit;
    // As long as one of them lives, its memory is in use and the server would not start.
    while (children.some(isRunning)) await sleep(5);
  };
  const restart = async (): Promise<void> => {
    await stop();
    await start();
  };
  const configure = (lines: string): void => appendFileSync(settings, `${lines}\n`);
  const dispose = async (): Promise<void> => {
    await kill();
    for (const folder of [dir, walDir ?? dir]) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    url,
    port,
    dataDir,
    kill,
    start,
    stop,
    restart,
    configure,
    setMaxConnections: async (count) => {
      configure(`max_connections = ${count}\nsuperuser_reserved_connections = 0\nmax_wal_senders = 0`);
      await restart();
    },
    dispose,
  };
}

/** The folder of the newest server that is installed. */
function postgresPrograms(): string {
  const given = process.env["TIDEMARK_POSTGRES_BIN"];
  if (given !== undefined) return given;
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
  if (found === undefined) throw new Error("PostgreSQL is missing: run sh scripts/ensure-postgres.sh");
  return found;
}

/** What a killed server has written is there for the next, wherever that is: only the machine itself could lose it. */
function quickFolder(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > ROOM_BYTES ? memory : tmpdir();
}

/** The server refuses to run as root: then it runs as the user that its package has made. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function untilReady(server: ChildProcess, url: string, said: () => string): Promise<void> {
  const endMs = performance.now() + START_MS_MAX;
  for (;;) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(`PostgreSQL has ended: ${said()}`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > endMs) throw new Error(`PostgreSQL does not start: ${said()}`, { cause: error });
      await sleep(20);
    }
  }
}

/** By the list of processes of Linux. */
function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => Number(statusOf(pid)?.[1]) === parent);
}

function isRunning(pid: number): boolean {
  const state = statusOf(pid)?.[0];
  return state !== undefined && state !== "Z";
}

/** State, parent, ...: what stands behind the name of the program, which may contain anything. */
function statusOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
  } catch {
    return undefined;
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
