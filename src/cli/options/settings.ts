/** Flags of the table of settings, for the commands that have some of them, and the address of a dashboard. */
import { once } from "node:events";
import { createServer } from "node:net";
import { type Command, Option } from "commander";
import { messageOf, UsageError } from "../../base/index.ts";
import type { CommandOptions, CrawlOptions } from "../../crawl/index.ts";
import {
  defaultInWords,
  flagHelp,
  flagOf,
  flagSettings,
  flagWords,
  groupHeadings,
  type Setting,
  type SettingsTable,
  settingsTable,
} from "../../crawl/settings/index.ts";
import { argument, isGiven } from "./command.ts";

/** Its help names the choices in its own words; a shell completes them. */
export class SettingOption extends Option {
  readonly choicesOfSetting: readonly string[];

  constructor(name: string, setting: Setting) {
    super(flagWords(name, setting), helpOf(setting));
    this.choicesOfSetting = setting.kind.choices ?? [];
  }
}

/** `isGrouped`: help shows the flags of each group below its heading. */
export function declareSettings(
  command: Command,
  table: SettingsTable,
  { isGrouped = false }: { readonly isGrouped?: boolean } = {},
): void {
  for (const [name, setting] of flagSettings(table)) {
    const option = new SettingOption(name, setting);
    if (setting.kind.type !== "boolean") option.argParser(readerOf(setting));
    if (isGrouped) option.helpGroup(`${groupHeadings[setting.group]}:`);
    command.addOption(option);
  }
}

/** The settings on the command line, without any default. Throws if one has a secret. */
export function givenSettings(command: Command, table: SettingsTable = settingsTable): CommandOptions {
  const names = flagSettings(table).filter(([name]) => isGiven(command, name));
  const given: CommandOptions = Object.fromEntries(names.map(([name]) => [name, command.getOptionValue(name)]));
  expectNoSecret(given);
  return given;
}

/** A config file may have it, and the library. Headers are checked wherever they are given. */
function expectNoSecret({ proxy }: CommandOptions): void {
  if (proxy?.includes("@") !== true) return;
  throw new UsageError(
    "--proxy: others could read a user name and password here; put http://USER:PASSWORD@HOST:PORT into a file for " +
      "--proxy-file, or into the variables https_proxy and http_proxy",
  );
}

/** The options that are settings of the crawl, not of the command alone. */
export function settingsFor(options: CommandOptions): CrawlOptions {
  const table: SettingsTable = settingsTable;
  return Object.fromEntries(Object.entries(options).filter(([name]) => table[name]?.givenBy !== "command"));
}

const { header, cookieFile, authFile } = settingsTable;
const SESSION: SettingsTable = { header, cookieFile, authFile };

/** For commands that fetch pages of a crawl, if they are told so: `when` says how. */
export function sessionOptions(command: Command, when: string): void {
  const told = Object.entries(SESSION).map(([name, row]) => [name, { ...row, help: `${when}: ${row.help}` }] as const);
  declareSettings(command, Object.fromEntries(told));
}

/** An option that would be ignored is a mistake. */
export function expectNoSession(options: object, advice: string): void {
  const given = Object.keys(SESSION).find((name) => name in options);
  if (given !== undefined) throw new UsageError(`${flagOf(given, SESSION[given])} is about fetching; ${advice}`);
}

function helpOf(setting: Setting): string {
  const usual = defaultInWords(setting);
  return usual === undefined ? flagHelp(setting) : `${flagHelp(setting)} (default: ${usual})`;
}

function readerOf({ kind }: Setting): (text: string, previous: unknown) => unknown {
  const read = argument(kind);
  if (kind.type !== "list") return read;
  return (text, previous) => read([...(Array.isArray(previous) ? previous : []), text]);
}

export type ServingOptions = Pick<CommandOptions, "listen" | "token">;
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

/** The port and the token that a dashboard has got, by its URL. */
export function placeOf(url: string, { listen = DEFAULT }: ServingOptions): ServingOptions {
  const { port, searchParams } = new URL(url);
  const token = searchParams.get("token");
  return { listen: { host: listen.host, port: Number(port || 80) }, ...(token === null ? {} : { token }) };
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

/** An option that would be ignored is a mistake. */
export function expectServed({
  serve = false,
  listen,
  token,
}: Pick<CommandOptions, "serve" | "listen" | "token">): void {
  if (serve || (listen === undefined && token === undefined)) return;
  const option = listen === undefined ? "--token" : "--listen";
  throw new UsageError(`${option} is about the dashboard: give --serve as well, or leave it out`);
}

export function expectOneVolume({ quiet = false, verbose = false }: Pick<CommandOptions, "quiet" | "verbose">): void {
  if (quiet && verbose) throw new UsageError("--quiet and --verbose contradict each other: leave one out");
}
