/** The display of a crawl on the terminal of this process: how it looks there, and what it owes to whoever comes after. */
import { systemTimers } from "../../base/index.ts";
import { CrawlDisplay } from "./display.ts";

/** What a terminal can show, from the environment. */
export interface TerminalManners {
  readonly rewrites: boolean;
  readonly color: boolean;
  readonly unicode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function mannersOf(
  environment: Environment,
  { isTerminal, platform }: { readonly isTerminal: boolean; readonly platform: NodeJS.Platform },
): TerminalManners {
  const rewrites = isTerminal && environment["TERM"] !== "dumb";
  // The first that is set and not empty decides, as POSIX has it; terminals of Windows do not ask.
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
  return {
    rewrites,
    color: rewrites && !environment["NO_COLOR"],
    unicode: platform === "win32" || /utf-?8/i.test(locale),
  };
}

export interface OpenDisplay {
  readonly display: CrawlDisplay;
  /** Takes it away and leaves the terminal as it was. */
  close(): void;
}

const TICK_MS = 1000;

/** `json`: lines are printed meanwhile, which a picture on the same terminal would spoil. */
export function openDisplay(
  { damping }: { readonly damping: number },
  { json }: { readonly json: boolean },
): OpenDisplay {
  const { stdout, stderr, env, platform } = process;
  const isTerminal = stderr.isTTY === true && !(json && stdout.isTTY === true);
  const manners = mannersOf(env, { isTerminal, platform });
  const display = new CrawlDisplay({
    ...manners,
    write: (text) => stderr.write(text),
    // A terminal that does not know its size says 0.
    size: () => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 }),
    clock: systemTimers,
    damping,
  });
  if (!manners.rewrites) return { display, close: () => display.close() };
  const forget = watchTerminal(display);
  return {
    display,
    close: () => {
      forget();
      display.close();
    },
  };
}

/** Redraws as time passes and when the size changes; whatever ends or stops the process, it gets its cursor back. */
function watchTerminal(display: CrawlDisplay): () => void {
  let cancel = (): void => {};
  const tick = (): void => {
    display.tick();
    cancel = systemTimers.after(TICK_MS, tick);
  };
  tick();
  const resized = (): void => display.resized();
  const clear = (): void => display.clear();
  const suspend = (): void => {
    display.clear();
    process.kill(process.pid, "SIGSTOP");
  };
  process.stderr.on("resize", resized);
  process.on("exit", clear);
  process.on("SIGTSTP", suspend);
  return () => {
    cancel();
    process.stderr.off("resize", resized);
    process.off("exit", clear);
    process.off("SIGTSTP", suspend);
  };
}
