/** The tide: certified coverage and how it rose, what is missing, and the last events. */
import type { VNode } from "preact";
import { formatBytes, formatCount, formatSeconds, percentAtLeast } from "../../../base/index.ts";
import {
  emptyInWords,
  eventTexts,
  hundredthsAtMost,
  limitTexts,
  roughlyInWords,
  runStateNames,
  stateTexts,
  targetInWords,
} from "../../../text/index.ts";
import type { LogEntry, LogList, Missing, Overview } from "../../protocol/http.ts";
import { isHere, isUncounted, surveyProgress, useFetch, useLive } from "../client/server.ts";
import { hrefOf, hrefOfPage } from "../client/router.ts";
import { Controls } from "../components/controls.tsx";
import { Answered, Empty, Moment, Panel, SurveyingView, Tile } from "../components/parts.tsx";
import { viewTitles } from "../components/shell.tsx";
import { MissingBars, useMissing } from "../missing/reasons.tsx";
import { TideChart } from "../tide/chart.tsx";
import { Headline, NextSteps } from "../tide/summary.tsx";

const EVENTS_SHOWN = 9;

export function TideView(): VNode {
  const { overview, tide } = useLive();
  const answer = useMissing();
  if (overview === null) return <p class="loading">Loading…</p>;
  const progress = surveyProgress(overview);
  if (progress !== null && isUncounted(overview)) {
    return <SurveyingView title="Coverage is being computed" progress={progress} />;
  }
  const missing = answer.state === "there" ? answer.value : null;
  return (
    <>
      <div class="headline">
        <Headline overview={overview} missing={missing} />
        <NextSteps overview={overview} missing={missing} />
        {overview.controllable && <Controls overview={overview} />}
      </div>
      <div class="tide-row">
        <Panel class="tide-panel">
          <h2 class="hidden">How coverage rose</h2>
          {tide === null ? (
            <Empty title="Loading the tide…" />
          ) : tide.points.length === 0 || (overview.state === "ended" && overview.status.pages === 0) ? (
            <NoTide hasEnded={overview.state === "ended"} missing={missing} />
          ) : (
            <TideChart overview={overview} tide={tide} />
          )}
        </Panel>
        <Tiles overview={overview} />
      </div>
      <div class="two">
        <Panel title={viewTitles.missing} aside={<a href={hrefOf("missing")}>Details</a>}>
          <MissingBars answer={answer} />
        </Panel>
        <Panel title="Latest events" aside={<a href={hrefOf("log")}>The whole log</a>}>
          <LastEvents />
        </Panel>
      </div>
    </>
  );
}

function NoTide({ hasEnded, missing }: { readonly hasEnded: boolean; readonly missing: Missing | null }): VNode {
  if (!hasEnded) {
    return (
      <Empty title="The tide has not risen yet">
        <p>The chart starts with the first downloaded page.</p>
      </Empty>
    );
  }
  return (
    <Empty title="The tide never rose">
      <p>
        {missing === null
          ? ""
          : (emptyInWords(missing.reasons, missing.outside) ?? "The crawl ended before it downloaded a page.")}{" "}
        The <a href={hrefOf("log")}>log</a> says what happened to each request, and{" "}
        <a href={hrefOf("missing")}>what is missing</a> says what you can do.
      </p>
    </Empty>
  );
}

/** The newest entries of the log, updated live. */
function LastEvents(): VNode {
  const { log } = useLive();
  const answer = useFetch<LogList>(`/api/log?count=${EVENTS_SHOWN}`);
  return (
    <Answered answer={answer}>
      {({ rows }) => {
        const entries = newest(log, rows);
        return entries.length === 0 ? <p class="muted">Nothing has happened yet.</p> : <Entries entries={entries} />;
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
          <span class={`event event-${eventTexts[event].tone}`}>{eventTexts[event].name}</span>
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

/** Live entries before loaded ones, each once. */
function newest(live: readonly LogEntry[], loaded: readonly LogEntry[]): LogEntry[] {
  const byKey = new Map([...loaded, ...live].map((entry) => [entry.key, entry]));
  return [...byKey.values()].sort((a, b) => b.key - a.key).slice(0, EVENTS_SHOWN);
}

/** The numbers of a crawl. */
function Tiles({ overview }: { readonly overview: Overview }): VNode {
  const { status, limits, pagesPerSecond, bytesPerSecond, secondsLeft, nextLimit } = overview;
  const isRunning = overview.state === "running" || overview.state === "elsewhere";
  const unknown = isRunning ? "not known yet" : runStateNames[overview.state].toLowerCase();
  const most = limits.pages === undefined ? "no limit" : `of at most ${formatCount(limits.pages)}`;
  const rate = pagesPerSecond === null ? "–" : `${formatCount(Number(pagesPerSecond.toPrecision(3)))} pages/s`;
  const bytes = bytesPerSecond === null ? unknown : `${formatBytes(bytesPerSecond)}/s`;
  const eta = secondsLeft === null ? "–" : roughlyInWords(secondsLeft);
  const isOutOfReach = isRunning && limits.coverage !== undefined && status.ceiling < limits.coverage;
  const noEta = isOutOfReach ? "target out of reach" : unknown;
  const until = nextLimit === null ? noEta : `until the ${limitTexts[nextLimit]}`;
  const isOfRun = isHere(overview);
  const elapsedMs = isOfRun ? status.elapsedMs : (overview.lastVisitMs ?? 0) - (overview.firstVisitMs ?? 0);
  const elapsed = formatSeconds(Math.round(elapsedMs / 1000));
  const { dead, refused } = stateTexts;
  return (
    <dl class="tiles">
      <Tile name="Pages" value={formatCount(status.pages)} note={most} href={hrefOf("pages")} />
      <Tile name="Strict" value={percentAtLeast(status.strict)} note="if everything counts" href={hrefOf("missing")} />
      <Tile
        name="Ceiling"
        value={status.pages === 0 ? "–" : hundredthsAtMost(status.ceiling)}
        note="at most reachable"
        href={hrefOf("missing")}
      />
      {status.valued !== undefined && (
        <Tile name="By value" value={percentAtLeast(status.valued)} note="of the value of pages" />
      )}
      {status.sampled !== undefined && (
        <Tile
          name="Sampled"
          value={percentAtLeast(status.sampled.coverage)}
          note={`confidence ${targetInWords(status.sampled.confidence)}`}
          class="sampled"
        />
      )}
      {overview.state !== "refreshing" && <Tile name="Rate" value={rate} note={bytes} />}
      {overview.state !== "refreshing" && <Tile name="ETA" value={eta} note={until} />}
      <Tile name="Elapsed" value={elapsed} note={isOfRun ? "this run" : "first to last visit"} />
      <Tile
        name="Frontier"
        value={formatCount(status.frontier)}
        note={`of ${formatCount(status.known)} known`}
        href={hrefOf("frontier")}
      />
      <Tile name="Hosts" value={formatCount(status.hosts)} href={hrefOf("hosts")} />
      <Tile name="Downloaded" value={formatBytes(status.bytes)} note="response bodies" />
      <Tile
        name={dead.name}
        value={formatCount(status.dead)}
        note="do not exist"
        href={hrefOf("pages", { state: "dead" })}
      />
      <Tile
        name={refused.name}
        value={formatCount(status.refused)}
        note="skipped or failed"
        href={hrefOf("pages", { state: "refused" })}
      />
      <Tile name="Retries" value={formatCount(status.retries)} note="repeated attempts" />
    </dl>
  );
}
