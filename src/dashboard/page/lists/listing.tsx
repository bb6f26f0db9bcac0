/** A list with what stands around it: how many were found, how far a search is, and what to do where nothing is. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { formatCount } from "../../../base/index.ts";
import { ask } from "../client/api.ts";
import { useLive } from "../client/live.ts";
import { pathOf, type Query } from "../client/router.ts";
import { AsOf, ProblemBox, Surveying } from "../components/parts.tsx";
import type { VirtualRowsProps } from "./columns.ts";
import { type AskRows, type ListState, type RowsAnswer, RowStore } from "./row-store.ts";
import { SCALE_WORDS } from "./shares.ts";
import { VirtualRows } from "./virtual-rows.tsx";

type TableProps<Row> = Omit<VirtualRowsProps<Row>, "total" | "rowAt" | "onLook" | "question" | "isOld">;

interface ListingProps<Row> {
  readonly rows: Rows<Row>;
  readonly table: TableProps<Row>;
  /** How many there are, in words. */
  readonly summary: (total: number) => string;
  readonly empty: ComponentChildren;
}

export function Listing<Row>({ rows, table, summary, empty }: ListingProps<Row>): VNode {
  if (rows.notYet !== undefined) return <Surveying progress={rows.notYet} />;
  const isSearching = rows.searched !== undefined;
  const isEmpty = rows.total === 0 && !rows.isOld && !isSearching;
  return (
    <>
      {rows.problem !== undefined && <ProblemBox problem={rows.problem} />}
      <Standing rows={rows} summary={summary} hasBars={table.columns.some(({ hasBar }) => hasBar === true)} />
      {isEmpty ? (
        empty
      ) : (
        <VirtualRows
          {...table}
          total={rows.total}
          rowAt={rows.rowAt}
          onLook={rows.onLook}
          question={rows.question}
          isOld={rows.isOld}
        />
      )}
    </>
  );
}

interface StandingProps<Row> extends Pick<ListingProps<Row>, "rows" | "summary"> {
  readonly hasBars: boolean;
}

function Standing<Row>({ rows, summary, hasBars }: StandingProps<Row>): VNode | null {
  const { total, searched, isOld, problem } = rows;
  // The problem stands there already, and nobody looks any more.
  if (problem !== undefined && (total === undefined || isOld)) return null;
  return (
    <div class="standing-line">
      <p role="status">
        {total === undefined || isOld ? "Looking…" : summary(total)}
        {searched !== undefined &&
          ` so far; ${formatCount(searched.done)} of ${formatCount(searched.total)} URLs are searched`}
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

const FRESH_MS = 2000;

export interface Rows<Row> extends ListState {
  /** Changes with the question. */
  readonly question: string;
  readonly rowAt: (index: number) => Row | undefined;
  readonly onLook: (first: number, end: number) => void;
}

export interface RowsOptions<Row> {
  readonly isLive?: boolean;
  /** How a piece of the list is asked for, where it is not by `from` and `count`. */
  readonly ask?: AskRows<Row>;
}

export function useRows<Row>(path: string, query: Query, options: RowsOptions<Row> = {}): Rows<Row> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [store] = useState(() => new RowStore<Row>(() => redraw(null)));
  const { edition } = useLive();
  const question = pathOf(path, query);
  const askedIn = useRef(edition);

  useEffect(() => {
    store.question(
      options.ask ??
        ((from, count, signal) => ask<RowsAnswer<Row>>(pathOf(path, { ...query, from, count }), signal)),
    );
    askedIn.current = edition;
  }, [question]);
  useEffect(() => {
    if (askedIn.current !== edition) store.refresh();
  }, [edition]);
  useEffect(() => {
    if (options.isLive !== true) return;
    const timer = setInterval(() => store.refresh(), FRESH_MS);
    return () => clearInterval(timer);
  }, [options.isLive]);
  useEffect(() => () => store.close(), []);

  return {
    ...store.state,
    question,
    rowAt: (index) => store.row(index),
    onLook: (first, end) => store.look(first, end),
  };
}
