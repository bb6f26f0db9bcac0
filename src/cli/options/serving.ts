/** Options of a dashboard, and the address it listens on. */
import { once } from "node:events";
import { createServer } from "node:net";
import { type Command, InvalidArgumentError } from "commander";
import { messageOf, UsageError } from "../../base/index.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface ServingOptions {
  readonly listen?: ListenAddress;
  readonly token?: string;
}

/** Reachable from this machine only. If another program uses the port, any free one is taken. */
const DEFAULT: ListenAddress = { host: "127.0.0.1", port: 7433 };
const ANY_PORT = 0;

export function servingOptions(command: Command): Command {
  return command
    .option(
      "--listen <address>",
      `address of the dashboard: port or host:port, 0 is any free port (default: ${DEFAULT.host}:${DEFAULT.port})`,
      listenAddress,
    )
    .option(
      "--token <text>",
      "access token of the dashboard (default: generated if other machines can reach it, else none)",
    );
}

/** "8080", "0.0.0.0:8080", "[::1]:8080". */
export function listenAddress(text: string): ListenAddress {
  const match = /^(?:(?:\[([0-9a-f:.%]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new InvalidArgumentError("Expected a port from 0 to 65535, or host:port such as 0.0.0.0:8080.");
  }
  return { host: match[1] ?? match[2] ?? DEFAULT.host, port };
}

/** Starts at the given address; by default at the usual one, or at any free port if that is taken. */
export async function listening<T>(
  listen: ListenAddress | undefined,
  start: (address: ListenAddress) => Promise<T>,
): Promise<T> {
  try {
    return await start(listen ?? DEFAULT);
  } catch (error) {
    if (listen !== undefined || !(error instanceof UsageError)) throw error;
    return start({ ...DEFAULT, port: ANY_PORT });
  }
}

/** Throws if the address is in use, before anything is created. */
export async function expectFree(listen: ListenAddress | undefined): Promise<void> {
  if (listen === undefined || listen.port === ANY_PORT) return;
  const server = createServer();
  try {
    server.listen({ ...listen, exclusive: true });
    await once(server, "listening");
  } catch (error) {
    throw new UsageError(
      `the dashboard cannot listen on port ${listen.port} of ${listen.host} (${messageOf(error)}): ` +
        "give another --listen, or 0 for any free port",
      { cause: error },
    );
  }
  await new Promise((resolve) => server.close(resolve));
}
