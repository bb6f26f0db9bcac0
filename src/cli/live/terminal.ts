/** The display of a crawl on the terminal of this process, which is left as it was afterwards. */
import { systemTimers } from "../../base/index.ts";
import { CrawlDisplay } from "./display.ts";

/** What a terminal can show, from the environment. */
export interface TerminalFeatures {
  readonly rewrites: boolean;
  readonly color: boolean;
  readonly unicode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function featuresOf(
  environment: Environment,
  { isTerminal, platform }: { readonly isTerminal: boolean; readonly platform: NodeJS.Platform },
): TerminalFeatures {
  const rewrites = isTerminal && environment["TERM"] !== "dumb";
  // POSIX: the first that is set and not empty decides. Windows terminals know Unicode anyway.
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
  return {
    rewrites,
    color: rewrites && !environment["NO_COLOR"],
    unicode: platform === "win32" || /utf-?8/i.test(locale),
  };
}

export interface OpenDisplay {
  readonly display: CrawlDisplay;
  /** Removes the display and leaves the terminal as it was. */
  close(): void;
}

const TICK_MS = 1000;

/** With `json`, lines are printed meanwhile; a picture on the same terminal would garble them. */
export function openDisplay(
  { damping }: { readonly damping: number },
  { json }: { readonly json: boolean },
): OpenDisplay {
  const { stdout, stderr, env, platform } = process;
  const isTerminal = stderr.isTTY === true && !(json && stdout.isTTY === true);
  const features = featuresOf(env, { isTerminal, platform });
  const display = new CrawlDisplay({
    ...features,
    write: (text) => stderr.write(text),
    // A terminal that does not know its size says 0.
    size: () => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 }),
    clock: systemTimers,
    damping,
  });
  if (!features.rewrites) return { display, close: () => display.close() };
  const forget = watchTerminal(display);
  return {
    display,
    close: () => {
      forget();
      display.close();
    },
  };
}

/** Redraws as time passes and when the size changes. However the process ends or stops, the cursor comes back. */
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
