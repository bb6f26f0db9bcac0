/** Rows of a list as the server pages them, kept fresh: asked for again after a survey, and every two seconds where that is wanted. */
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { ask } from "../api.ts";
import { useLive } from "../live.ts";
import { pathOf, type Query } from "../paths.ts";
import { type AskRows, type ListState, type RowsAnswer, RowStore } from "./row-store.ts";

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
