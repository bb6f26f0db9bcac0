/** Samples the coverage of a crawl now, with at most so many polite fetches. What they fetch joins the crawl. */
import type { WalkOptions } from "../../crawl/index.ts";
import type { SampleTaken } from "../../text/index.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { planCrawl } from "./plan.ts";
import { runPlan } from "./run.ts";
import type { SessionFlags } from "./session.ts";

export async function sampleCrawl(
  dir: string,
  walks: WalkOptions,
  given: SessionFlags,
  { progress, note }: Terminal,
): Promise<SampleTaken> {
  const plan = await planCrawl({ dir, ...given }, { keepsCrawl: true });
  plan.session.notes.forEach(note);
  let before: number | undefined;
  const { end, fetched } = await runPlan(plan, {
    readers: 0,
    walks,
    keepsSettings: true,
    progress,
    onStatus: ({ pages }) => {
      before ??= pages;
      progress({ task: "sampling", done: pages - before, total: walks.budget, unit: "pages" });
    },
  });
  if (end.error !== undefined) throw end.error;
  return { stopped: end.sample, fetched, budget: walks.budget };
}
