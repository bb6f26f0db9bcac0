/** Where a dashboard listens. */
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

/** For this machine alone. The port stands for nothing; where another program has it, any other is taken. */
const DEFAULT: ListenAddress = { host: "127.0.0.1", port: 7433 };
const ANY_PORT = 0;

export function servingOptions(command: Command): Command {
  return command
    .option(
      "--listen <address>",
      `where the dashboard listens: a port, or host:port (${DEFAULT.host}:${DEFAULT.port} unless given); 0 is any free port`,
      listenAddress,
    )
    .option(
      "--token <text>",
      "what those who look must know; made up where other machines can ask, none needed where only this one can",
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

/** Starts where the user wants; where nothing was said and the usual port is taken, at any other. */
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

/** Refuses an address that cannot be had, before anything is created for whoever wants to look there. */
export async function expectFree(listen: ListenAddress | undefined): Promise<void> {
  if (listen === undefined || listen.port === ANY_PORT) return;
  const server = createServer();
  try {
    server.listen({ ...listen, exclusive: true });
    await once(server, "listening");
  } catch (error) {
    throw new UsageError(
      `the dashboard cannot listen on port ${listen.port} of ${listen.host} (${messageOf(error)}): give another --listen, or 0 for any free port`,
      { cause: error },
    );
  }
  await new Promise((resolve) => server.close(resolve));
}
