/** `tidemark serve` */
import type { Command } from "commander";
import { messageOf } from "../../base/index.ts";
import { atOption, checkMoment, type MomentOptions } from "../input/moment.ts";
import { type CommonOptions, commonOptions, examples, notes } from "../options/command.ts";
import { orImport } from "../options/foreign-file.ts";
import { listening, type ServingOptions, servingOptions } from "../options/settings.ts";
import { untilInterrupted } from "../terminal/interrupts.ts";
import { report, writeOut } from "../terminal/terminal.ts";

type ServeOptions = ServingOptions & CommonOptions & MomentOptions;

export function declare(command: Command): void {
  command.argument("<dir>", "the directory of a crawl, running or finished");
  servingOptions(command);
  atOption(command);
  commonOptions(command).action((dir: string, options: ServeOptions) => orImport([dir], () => serve(dir, options)));
  notes(command, NOTES);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark serve demo",
    "tidemark serve demo --at 2999-12-31",
  ]);
}

const NOTES = [
  "Open the printed address in a browser; Ctrl-C stops the dashboard. It changes nothing in the crawl, except for " +
    "its caches (survey.bin, survey-at-N.bin, search.sqlite, search-at-N.sqlite). With --at, it shows the crawl as " +
    "it was known then, which stays as it is. To pause, stop or change a running crawl, start it with tidemark crawl " +
    "--serve. Prometheus metrics are under /metrics.",
];

async function serve(dir: string, options: ServeOptions): Promise<void> {
  const { listen, token, json = false, quiet = false } = options;
  // From the start, so that Ctrl-C while modules are loading is a clean stop, too.
  const interrupted = untilInterrupted();
  const { parseSettings } = await import("../../crawl/index.ts");
  const { startServer } = await import("../../dashboard/index.ts");
  const { openWindow } = await import("../../store/index.ts");
  const { SurveyCache } = await import("../../survey/index.ts");
  await checkMoment(dir, options, { note: (text) => void (quiet || report(text)) });
  const window = openWindow(dir, undefined, { atMs: options.at });
  const atMs = window.isNow ? undefined : options.at;
  // What was known at an earlier moment does not change.
  const survey = new SurveyCache({ dir, isRunning: () => atMs === undefined && window.isHeld(), atMs });
  try {
    // Without settings nothing can be shown: an error here is better than one in the browser.
    parseSettings(window.settings());
    const server = await listening(listen, (address) =>
      startServer({
        dir,
        survey,
        atMs,
        ...address,
        ...(token === undefined ? {} : { token }),
        onError: (error) => {
          if (!quiet) report(`the dashboard: ${messageOf(error)}`);
        },
      }),
    );
    survey.refresh();
    const { url } = server;
    writeOut(json ? `${JSON.stringify({ url, dir })}\n` : `The dashboard of ${dir} is at ${url}\n`);
    if (!json) report("Ctrl-C stops it");
    await interrupted;
    await server.close();
  } finally {
    await survey.close();
    window.close();
  }
}
