/** The log: what happened to pages, hosts, seeds and the crawl itself, newest first. */
import type { VNode } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { counted, formatCount } from "../../../base/index.ts";
import { type EventName, eventTexts, shownInLine } from "../../../text/index.ts";
import type { LogEntry, LogList } from "../../protocol/http.ts";
import { fetchJson, useLive } from "../client/server.ts";
import { changeQuery, hrefOf, hrefOfPage, pathOf, queryOf, type Route } from "../client/router.ts";
import { Empty, ListPanel, Moment, ProblemBox } from "../components/parts.tsx";
import { type ListColumn, VirtualRows } from "../lists/virtual-rows.tsx";
import { HostField, SelectField } from "../lists/filters.tsx";
import { ENTRIES_MAX, LogStore } from "../lists/log-store.ts";

const ROW_PX = { wide: 52, narrow: 82 };
const NEWS_MS = 1000;
/** Older entries are loaded so many rows before the last one. */
const AHEAD_ROWS = 40;

const ONLY = [
  { value: "", name: "everything" },
  { value: "pages", name: "pages" },
  { value: "trouble", name: "problems" },
  { value: "events", name: "hosts and the crawl" },
];

const COLUMNS: readonly ListColumn<LogEntry>[] = [
  { key: "when", title: "When", track: "150px", cell: ({ atMs }) => <Moment atMs={atMs} /> },
  { key: "event", title: "Event", track: "150px", cell: ({ event }) => <EventBadge event={event} /> },
  {
    key: "text",
    title: "What happened",
    track: "minmax(0, 1fr)",
    isHeader: true,
    cell: (entry) => <What entry={entry} />,
  },
  {
    key: "host",
    title: "Host",
    track: "minmax(120px, 220px)",
    fromPx: 860,
    isWideOnly: true,
    cell: ({ host }) =>
      host === null ? (
        ""
      ) : (
        <a class="host-link" href={hrefOf("log", { host })} tabIndex={-1}>
          <bdi>{shownInLine(host)}</bdi>
        </a>
      ),
  },
];

export function LogView({ route }: { readonly route: Route }): VNode {
  const query = queryOf(route, ["only", "host"]);
  const { store, revision, show } = useLog(query);
  const clear = (): void => changeQuery(route, { only: null, host: null });
  const total = store.isThere ? store.rows.length + (store.more ? 1 : 0) : undefined;
  const news = store.pending.length;
  return (
    <ListPanel title="Log" lead="Newest first. New entries appear when you scroll back to the top.">
      <div class="toolbar" role="search">
        <SelectField label="Show" value={query.only} options={ONLY} change={(only) => changeQuery(route, { only })} />
        <HostField value={query.host} change={(host) => changeQuery(route, { host })} />
        <div class="news" role="status">
          {news > 0 && (
            <button type="button" class="primary" onClick={show}>
              {store.isGap ? `More than ${counted(news, "new event")}` : counted(news, "new event")}
            </button>
          )}
        </div>
      </div>
      {store.problem !== undefined && <ProblemBox problem={store.problem} />}
      {total === 0 && !store.isOld ? (
        <NothingLogged isFiltered={query.only !== "" || query.host !== ""} clear={clear} />
      ) : (
        <VirtualRows
          name="log"
          label="Log"
          columns={COLUMNS}
          rowHeightPx={ROW_PX}
          total={total}
          rowAt={(index) => store.rows[index]}
          request={`${pathOf("log", query)} ${revision}`}
          isOld={store.isOld}
          onView={(_first, end) => {
            if (end + AHEAD_ROWS >= store.rows.length) void store.older();
          }}
          onReading={(isReading) => {
            store.isFollowing = !isReading;
          }}
        />
      )}
      {store.isFull && (
        <p class="muted list-note">
          The list ends after {formatCount(ENTRIES_MAX)} entries. Choose a host, or show problems only, to see older
          ones.
        </p>
      )}
    </ListPanel>
  );
}

function useLog(query: Readonly<Record<"only" | "host", string>>) {
  const { log, connection } = useLive();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [store] = useState(() => new LogStore(() => redraw(null)));
  const [revision, setRevision] = useState(0);
  useEffect(() => {
    store.isFollowing = true;
    store.open((where, signal) => fetchJson<LogList>(pathOf("/api/log", { ...query, ...where }), signal));
  }, [query.only, query.host]);
  const newest = log[0];
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (connection !== "open") return;
    // Entries that arrive within this time are loaded together. A timer that each entry restarts might never fire.
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void store.newer();
    }, NEWS_MS);
  }, [newest, connection]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      store.close();
    },
    [],
  );
  const show = (): void => {
    store.isFollowing = true;
    store.show();
    setRevision(revision + 1);
  };
  return { store, revision, show };
}

function EventBadge({ event }: { readonly event: EventName }): VNode {
  const { name, tone } = eventTexts[event];
  return (
    <span class={`badge tone-${tone}`}>
      <b>{name}</b>
    </span>
  );
}

function What({ entry }: { readonly entry: LogEntry }): VNode {
  const text = shownInLine(entry.text);
  if (entry.page === null) return <bdi class="log-text">{text}</bdi>;
  const isNamed = entry.text.includes(entry.page.url);
  return (
    <>
      <a class="log-text" href={hrefOfPage(entry.page.id)} data-main tabIndex={-1}>
        <bdi>{isNamed ? text : shownInLine(entry.page.url)}</bdi>
      </a>
      {!isNamed && (
        <span class="page-url">
          <bdi>{text}</bdi>
        </span>
      )}
    </>
  );
}

function NothingLogged({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: () => void }): VNode {
  if (!isFiltered) {
    return (
      <Empty title="Nothing has happened yet">
        <p>The first visit of the crawl is the first entry here.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No entry matches" clear={{ text: "Clear the filters", onClick: clear }}>
      <p>Clear the filters to see everything.</p>
    </Empty>
  );
}
