/** Freshness: how old the copies of important pages are at most, and what a refresh reads next, and why. */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { counted, formatCount, formatPercent, percentAtLeast } from "../../../base/index.ts";
import type { RefreshStatus, UpcomingRead } from "../../../crawl/index.ts";
import { shownInLine } from "../../../text/index.ts";
import type { FreshnessAnswer, RequestState } from "../../protocol/http.ts";
import { fetchJson } from "../client/server.ts";
import { Answered, Empty, Moment, Panel, Table, Tile } from "../components/parts.tsx";
import { viewTitles } from "../components/shell.tsx";

/** The server is asked so often. */
const ASK_MS = 2000;
const HEADS = ["Page", "Why", "Importance", "Last read", "Worth"] as const;

export function FreshnessView(): VNode {
  const answer = useRepeated<FreshnessAnswer>("/api/freshness");
  return (
    <>
      <div class="view-head">
        <h1>{viewTitles.freshness}</h1>
        <p class="lead">How old the copies of pages are, and what is read next.</p>
      </div>
      <Answered answer={answer}>
        {({ refresh }) =>
          refresh === null ? (
            <Panel>
              <Empty title="No refresh has reported yet">
                <p>
                  A refresh that goes on shows here what it does: <code>tidemark refresh DIR --forever --serve</code>.
                </p>
              </Empty>
            </Panel>
          ) : (
            <Refresh of={refresh} />
          )
        }
      </Answered>
    </>
  );
}

function Refresh({ of: status }: { readonly of: RefreshStatus }): VNode {
  const { freshness, upcoming, nextMs, isQuiet } = status;
  const note = "certainly";
  return (
    <>
      <Panel title="Age of the copies, by importance">
        <dl class="tiles tiles-fit">
          <Tile name="At most an hour" value={percentAtLeast(freshness.hour)} note={note} />
          <Tile name="At most a day" value={percentAtLeast(freshness.day)} note={note} />
          <Tile name="At most a week" value={percentAtLeast(freshness.week)} note={note} />
          <Tile name="At most a month" value={percentAtLeast(freshness.month)} note={note} />
          <Tile name="Current" value={formatPercent(freshness.current)} note="expected" />
        </dl>
      </Panel>
      <Panel title="Reads">
        <dl class="tiles tiles-fit">
          <Tile
            name="Last 24 hours"
            value={formatCount(status.readsToday)}
            note={`of at most ${formatCount(status.budget)}`}
          />
          <Tile name="This run" value={formatCount(status.reads)} note={`of ${counted(status.pages, "page")}`} />
          <Tile
            name="Changed"
            value={formatCount(status.changed)}
            note={`${formatCount(status.unchanged)} unchanged`}
          />
          <Tile name="New" value={formatCount(status.new)} note="first reads" />
          <Tile name="Gone" value={formatCount(status.gone)} note={`${formatCount(status.moved)} moved`} />
          <Tile name="In doubt" value={formatCount(status.doubted)} note="kept for now" />
          <Tile name="Failed" value={formatCount(status.failed)} note={`${formatCount(status.left)} put off`} />
        </dl>
      </Panel>
      <Panel title="Read next" class="stacking">
        <p class="before-table">
          {isQuiet && "These are quiet hours. "}
          {nextMs === null ? (
            "Nothing is left to read."
          ) : (
            <>
              The next read may start at <Moment atMs={nextMs} />.
            </>
          )}{" "}
          The pages whose reads are worth most come first; one whose host must wait is read later.
        </p>
        {upcoming.length > 0 && (
          <Table heads={HEADS}>
            {upcoming.map((read) => (
              <tr key={read.url}>
                <td class="wrapping" data-head={HEADS[0]}>
                  <bdi class="url">{shownInLine(read.url)}</bdi>
                </td>
                <td class="wrapping" data-head={HEADS[1]}>
                  {whyInWords(read)}
                </td>
                <td data-head={HEADS[2]}>{formatPercent(read.importance)}</td>
                <td data-head={HEADS[3]}>
                  {read.lastReadMs === null ? <span class="none">never</span> : <Moment atMs={read.lastReadMs} />}
                </td>
                <td data-head={HEADS[4]} title="As a multiple of what the last reads were worth">
                  {twoDigits(read.value)}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Panel>
    </>
  );
}

function whyInWords({ isNew, staleChance, changesPerDay, signals }: UpcomingRead): string {
  if (isNew) return "new";
  const isOften = changesPerDay > 1 && twoDigits(changesPerDay) !== "1";
  const often = isOften ? `${twoDigits(changesPerDay)} changes a day` : everyInWords(1 / changesPerDay);
  const said = signals > 0 ? ", a sitemap says so" : "";
  return `${formatPercent(staleChance)} likely to have changed (${often}${said})`;
}

function everyInWords(days: number): string {
  const rounded = twoDigits(days);
  return rounded === "1" ? "a change every day" : `a change every ${rounded} days`;
}

/** No powers of ten, as `toPrecision` alone writes 150. */
function twoDigits(value: number): string {
  return String(Number(value.toPrecision(2)));
}

/** Loads `path` again and again while the view is open. */
function useRepeated<T>(path: string): RequestState<T> {
  const [answer, setAnswer] = useState<RequestState<T>>({ state: "loading" });
  useEffect(() => {
    const request = new AbortController();
    const ask = (): void => void fetchJson<T>(path, request.signal).then(setAnswer, () => undefined);
    ask();
    const timer = setInterval(ask, ASK_MS);
    return () => {
      clearInterval(timer);
      request.abort();
    };
  }, [path]);
  return answer;
}
