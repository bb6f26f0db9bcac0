/** What must be said beside numbers and words that do not follow the crawl by the second. */
import type { VNode } from "preact";
import { percentAtLeast } from "../../../base/index.ts";
import { useLive } from "../live.ts";
import { Moment } from "./parts.tsx";

/**
 * Of what moment numbers of the survey are, for they stand beside others that follow the crawl. Nothing where nobody crawls: then the
 * survey is as old as all the rest.
 */
export function AsOf({ coverage }: { readonly coverage?: number }): VNode | null {
  const { overview } = useLive();
  if (overview === null || overview.state === "ended" || !("survey" in overview.survey)) return null;
  return (
    <p class="as-of" title="The crawl is surveyed now and then; what it did since is not in these numbers.">
      As of <Moment atMs={overview.survey.atMs} />
      {coverage !== undefined && `, when at least ${percentAtLeast(coverage)} was covered`}
    </p>
  );
}

/** Hosts look busy in a list even where the whole crawl stands still. */
export function PausedNote(): VNode | null {
  const { overview } = useLive();
  if (overview?.state !== "paused") return null;
  return (
    <p class="list-note">
      <b>The crawl is paused:</b> no host is asked until it goes on; below is how each would be treated then.
    </p>
  );
}
