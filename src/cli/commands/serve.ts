/** `tidemark serve` */
import type { Command } from "commander";
import { messageOf } from "../../base/index.ts";
import { type CommonOptions, commonOptions, examples, notes } from "../options/command.ts";
import { orImport } from "../options/foreign-file.ts";
import { listening, type ServingOptions, servingOptions } from "../options/settings.ts";
import { untilInterrupted } from "../terminal/interrupts.ts";
import { report, writeOut } from "../terminal/terminal.ts";

type ServeOptions = ServingOptions & CommonOptions;

export function declare(command: Command): void {
  command.argument("<dir>", "the directory of a crawl, running or finished");
  servingOptions(command);
  commonOptions(command).action((dir: string, options: ServeOptions) => orImport([dir], () => serve(dir, options)));
  notes(command, NOTES);
  examples(command, ["tidemark demo --coverage 0.5 --dir demo --no-serve", "tidemark serve demo"]);
}

const NOTES = [
  "Open the printed address in a browser; Ctrl-C stops the dashboard. It changes nothing in the crawl, except for " +
    "the cache survey.bin. To pause, stop or change a running crawl, start it with tidemark crawl --serve. " +
    "Prometheus metrics are under /metrics.",
];

async function serve(dir: string, { listen, token, json = false, quiet = false }: ServeOptions): Promise<void> {
  // From the start, so that Ctrl-C while modules are loading is a clean stop, too.
  const interrupted = untilInterrupted();
  const { parseSettings } = await import("../../crawl/index.ts");
  const { startServer } = await import("../../dashboard/index.ts");
  const { openWindow } = await import("../../store/index.ts");
  const { SurveyCache } = await import("../../survey/index.ts");
  const window = openWindow(dir);
  const survey = new SurveyCache({ dir, isRunning: () => window.isHeld() });
  try {
    // Without settings nothing can be shown: an error here is better than one in the browser.
    parseSettings(window.settings());
    const server = await listening(listen, (address) =>
      startServer({
        dir,
        survey,
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
