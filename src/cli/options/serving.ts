/** Options of a dashboard, and the address it listens on. */
import { once } from "node:events";
import { createServer } from "node:net";
import type { Command } from "commander";
import { messageOf, UsageError } from "../../base/index.ts";
import type { CrawlOptions } from "../../crawl/index.ts";
import { settingsTable } from "../../crawl/settings/index.ts";
import { declareSettings } from "./settings.ts";

export type ServingOptions = Pick<CrawlOptions, "listen" | "token">;
type ListenAddress = NonNullable<ServingOptions["listen"]>;

/** Reachable from this machine only. If another program uses the port, any free one is taken. */
const DEFAULT: ListenAddress = settingsTable.listen.default;
const ANY_PORT = 0;

export function servingOptions(command: Command): void {
  const { listen, token } = settingsTable;
  declareSettings(command, { listen, token });
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
