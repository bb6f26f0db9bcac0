/** The tide: how much is certainly covered, how it rose, where the rest is, and what happened last. */
import type { VNode } from "preact";
import type { LogEntry, LogList } from "../../protocol/http.ts";
import { useAsk } from "../client/api.ts";
import { isUncounted, surveyProgress, useLive } from "../client/live.ts";
import { hrefOf, hrefOfPage } from "../client/router.ts";
import { Controls } from "../components/controls.tsx";
import { Answered, Empty, Moment, Panel, Surveying } from "../components/parts.tsx";
import { eventNames } from "../lists/state-words.ts";
import { RestBars } from "../missing/reasons.tsx";
import { TideChart } from "../tide/chart.tsx";
import { headline, outlook } from "../tide/headline.ts";
import { Tiles } from "../tide/tiles.tsx";

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

/** The newest entries of the log, updated live. */
const SHOWN = 9;

function LastEvents(): VNode {
  const { log } = useLive();
  const answer = useAsk<LogList>(`/api/log?count=${SHOWN}`);
  return (
    <Answered answer={answer}>
      {({ rows }) => {
        const entries = newest(log, rows);
        return entries.length === 0 ? (
          <p class="muted">Nothing has happened yet.</p>
        ) : (
          <Entries entries={entries} />
        );
      }}
    </Answered>
  );
}

function Entries({ entries }: { readonly entries: readonly LogEntry[] }): VNode {
  return (
    <ol class="events">
      {entries.map(({ key, atMs, event, text, page }) => (
        <li key={key}>
          <Moment atMs={atMs} />
          <span class={`event event-${event}`}>{eventNames[event]}</span>
          <span class="event-text">
            {page === null ? (
              <bdi>{text}</bdi>
            ) : (
              <a href={hrefOfPage(page.id)}>
                <bdi>{page.url}</bdi>
              </a>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Those told live before those asked for, without what both have. */
function newest(live: readonly LogEntry[], asked: readonly LogEntry[]): LogEntry[] {
  const byKey = new Map([...asked, ...live].map((entry) => [entry.key, entry]));
  return [...byKey.values()].sort((a, b) => b.key - a.key).slice(0, SHOWN);
}
