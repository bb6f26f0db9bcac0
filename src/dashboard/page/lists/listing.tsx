/** A list of rows from the server, with the number of rows, the progress of a search, and what to do if it is empty. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { formatCount } from "../../../base/index.ts";
import { SCALE_WORDS } from "../../../text/index.ts";
import { fetchJson, useLive } from "../client/server.ts";
import { pathOf, type QueryValues } from "../client/router.ts";
import { AsOf, ProblemBox, Surveying } from "../components/parts.tsx";
import { VirtualRows, type VirtualRowsProps } from "./virtual-rows.tsx";
import { type FetchRows, type ListState, type RowsAnswer, RowStore } from "./row-store.ts";

type TableProps<Row> = Omit<VirtualRowsProps<Row>, "total" | "rowAt" | "onView" | "request" | "isOld">;

interface ListingProps<Row> {
  readonly rows: LoadedRows<Row>;
  readonly table: TableProps<Row>;
  /** The number of rows in words. */
  readonly summary: (total: number) => string;
  readonly empty: ComponentChildren;
}

export function Listing<Row>({ rows, table, summary, empty }: ListingProps<Row>): VNode {
  if (rows.notYet !== undefined) return <Surveying progress={rows.notYet} />;
  const isSearching = rows.searched !== undefined;
  const isEmpty = rows.total === 0 && !rows.isOld && !isSearching;
  const hasBars = table.columns.some((column) => column.hasBar === true);
  return (
    <>
      {rows.problem !== undefined && <ProblemBox problem={rows.problem} />}
      <ListStatus rows={rows} summary={summary} hasBars={hasBars} />
      {isEmpty ? empty : <VirtualRows {...table} {...rows} />}
    </>
  );
}

interface ListStatusProps<Row> extends Pick<ListingProps<Row>, "rows" | "summary"> {
  readonly hasBars: boolean;
}

function ListStatus<Row>({ rows, summary, hasBars }: ListStatusProps<Row>): VNode | null {
  const { total, searched, isOld, problem } = rows;
  // The problem is shown already, and no search is running.
  if (problem !== undefined && (total === undefined || isOld)) return null;
  return (
    <div class="list-status">
      <p role="status">
        {total === undefined || isOld ? "Loading…" : summary(total)}
        {searched !== undefined &&
          ` so far; ${formatCount(searched.done)} of ${formatCount(searched.total)} URLs searched`}
      </p>
      {searched !== undefined && (
        <progress aria-label="Search" max={Math.max(1, searched.total)} value={searched.done} />
      )}
      <AsOf />
      {hasBars && total !== 0 && (
        <p class="scale-note" title={SCALE_WORDS}>
          Bars: logarithmic scale
        </p>
      )}
    </div>
  );
}

const LIVE_MS = 2000;

export interface LoadedRows<Row> extends ListState {
  /** Identifies the list: changes with path and query. */
  readonly request: string;
  readonly rowAt: (index: number) => Row | undefined;
  readonly onView: (first: number, end: number) => void;
}

export interface RowsOptions<Row> {
  /** Loads the rows in view again every two seconds. */
  readonly isLive?: boolean;
  /** Loads part of the list, if `from` and `count` are not enough. */
  readonly fetchRows?: FetchRows<Row>;
}

/** The rows of a list, loaded again after each survey. */
export function useRows<Row>(path: string, query: QueryValues, options: RowsOptions<Row> = {}): LoadedRows<Row> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [store] = useState(() => new RowStore<Row>(() => redraw(null)));
  const { edition } = useLive();
  const request = pathOf(path, query);
  const loadedIn = useRef(edition);

  useEffect(() => {
    store.open(
      options.fetchRows ??
        ((from, count, signal) => fetchJson<RowsAnswer<Row>>(pathOf(path, { ...query, from, count }), signal)),
    );
    loadedIn.current = edition;
  }, [request]);
  useEffect(() => {
    if (loadedIn.current !== edition) store.refresh();
  }, [edition]);
  useEffect(() => {
    if (options.isLive !== true) return;
    const timer = setInterval(() => store.refresh(), LIVE_MS);
    return () => clearInterval(timer);
  }, [options.isLive]);
  useEffect(() => () => store.close(), []);

  return {
    ...store.state,
    request,
    rowAt: (index) => store.row(index),
    onView: (first, end) => store.view(first, end),
  };
}
