/** `--at`: a crawl as it was known at an earlier moment. Which visits count then is decided in store/moment.ts. */
import { type Command, InvalidArgumentError } from "commander";
import { UsageError } from "../../base/index.ts";
import { timeOf } from "../../crawl/settings/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface MomentOptions {
  /** Unix time in milliseconds. */
  readonly at?: number;
}

export function atOption(command: Command): Command {
  return command.option(
    "--at <time>",
    "of a crawl: what was known at this time, a date (its end) or date and time, in UTC unless it says otherwise",
    momentOf,
  );
}

/** A date without a time means all of that day. */
function momentOf(text: string): number {
  const ms = timeOf(text, "23:59:59.999");
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(
    "Expected a date or a time, as in 2026-11-18, 2026-11-18T14:30 or 2026-11-18T14:30+01:00.",
  );
}

/** Throws if the crawl at `path` was not there yet; notes if nothing has happened since. */
export async function checkMoment(
  path: string,
  { at }: MomentOptions,
  { note }: Pick<Terminal, "note">,
): Promise<void> {
  if (at === undefined) return;
  const { isCrawl, reading } = await import("../../store/index.ts");
  if (path === "-" || !isCrawl(path)) {
    throw new UsageError(`--at is about the visits of a crawl, and ${path} is no crawl directory: leave it out`);
  }
  await reading(
    path,
    ({ isNow, untilMs }) => {
      if (!isNow) return;
      note(
        `the last visit of the crawl ended at ${new Date(untilMs).toISOString()}, before the time of --at: ` +
          "this is the crawl as it is now.",
      );
    },
    { atMs: at },
  );
}
