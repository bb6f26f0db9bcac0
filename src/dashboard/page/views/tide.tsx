/** The tide: how much is certainly covered, how it rose, where the rest is, and what happened last. */
import type { VNode } from "preact";
import { Controls } from "../components/controls.tsx";
import { Empty, Panel, Surveying } from "../components/parts.tsx";
import { isUncounted, surveyProgress, useLive } from "../live.ts";
import { hrefOf } from "../router.ts";
import { TideChart } from "../tide/chart.tsx";
import { headline, outlook } from "../tide/headline.ts";
import { LastEvents } from "../tide/last-events.tsx";
import { Tiles } from "../tide/tiles.tsx";
import { RestBars } from "../missing/bars.tsx";

export function TideView(): VNode {
  const { overview, tide } = useLive();
  if (overview === null) return <p class="loading">Loading…</p>;
  const progress = surveyProgress(overview);
  if (progress !== null && isUncounted(overview)) {
    return (
      <>
        <h1>How much is covered is being computed</h1>
        <Panel>
          <Surveying progress={progress} />
        </Panel>
      </>
    );
  }
  return (
    <>
      <div class="headline">
        <div>
          <h1>{headline(overview)}</h1>
          <p class="lead">{outlook(overview, Date.now())}</p>
        </div>
        {overview.controllable && <Controls overview={overview} />}
      </div>
      <div class="tide-row">
        <Panel class="tide-panel">
          <h2 class="hidden">How coverage rose</h2>
          {tide === null ? (
            <Empty title="The tide is being read" />
          ) : tide.points.length === 0 ? (
            <NoWater isOver={overview.state === "ended"} />
          ) : (
            <TideChart overview={overview} tide={tide} />
          )}
        </Panel>
        <Tiles overview={overview} />
      </div>
      <div class="two">
        <Panel title="Where the rest is" aside={<a href={hrefOf("rest")}>Look into it</a>}>
          <RestBars />
        </Panel>
        <Panel title="Last events" aside={<a href={hrefOf("log")}>The whole log</a>}>
          <LastEvents />
        </Panel>
      </div>
    </>
  );
}

function NoWater({ isOver }: { readonly isOver: boolean }): VNode {
  if (!isOver) {
    return (
      <Empty title="The water has not risen yet">
        <p>The picture begins with the first page that is downloaded.</p>
      </Empty>
    );
  }
  return (
    <Empty title="The water never rose">
      <p>
        The crawl ended before it had a page. The <a href={hrefOf("log")}>log</a> says what became of every
        request, and <a href={hrefOf("rest")}>where the rest is</a> what can be done about it.
      </p>
    </Empty>
  );
}
