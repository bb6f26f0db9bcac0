/** `tidemark serve` */
import { messageOf } from "../../base/index.ts";
import { parseSettings } from "../../crawl/index.ts";
import { type DashboardServer, startServer } from "../../dashboard/index.ts";
import { SurveyCache } from "../../survey/index.ts";
import { openWindow } from "../../store/index.ts";
import type { CommonOptions } from "../options/command.ts";
import { listening, type ServingOptions } from "../serve/address.ts";
import { untilInterrupted } from "../terminal/interrupts.ts";
import { report, writeOut } from "../terminal/streams.ts";

export type ServeOptions = ServingOptions & CommonOptions;

export async function serve(dir: string, options: ServeOptions): Promise<void> {
  const { json = false, quiet = false } = options;
  const window = openWindow(dir);
  const survey = new SurveyCache({ dir, isRunning: () => window.isHeld() });
  try {
    // Nothing can be shown without them, which is better said here than in the browser.
    parseSettings(window.settings());
    const { listen, token } = options;
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
    await stayUp(server, dir, json);
  } finally {
    await survey.close();
    window.close();
  }
}

async function stayUp({ url, close }: DashboardServer, dir: string, json: boolean): Promise<void> {
  writeOut(json ? `${JSON.stringify({ url, dir })}\n` : `The dashboard of ${dir} is at ${url}\n`);
  if (!json) report("Ctrl-C ends it");
  await untilInterrupted();
  await close();
}
