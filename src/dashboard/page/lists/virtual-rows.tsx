/**
 * A table of any number of rows, of which only those in view exist. Written by hand: libraries for this make one element as high as
 * all rows, which ends at about half a million of them, know nothing of rows that are not there yet, and leave keyboard and screen
 * readers to their users. What is hard is in `ScrollMap`; here are drawing, focus and keys.
 *
 * It is a grid to screen readers: one row is in the order of focus, arrows move it, Enter opens its main link. The focused row is drawn
 * even when it is scrolled out of view, so that focus is never lost. Below `NARROW_PX` a row becomes a small card, whose places are
 * said in the style sheet by the names of the columns.
 */
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Column, SortState } from "./columns.ts";
import { HeaderRow } from "./header-row.tsx";
import { ListRow } from "./list-row.tsx";
import { placeOfEntry, rememberPlace } from "./place.ts";
import { ScrollMap } from "./scroll-map.ts";
import { useRoom } from "./use-room.ts";

const NARROW_PX = 720;
/** Rows drawn beyond what is seen, and the step in which that changes: fewer, larger changes cost less. */
const OVERSCAN_ROWS = 6;
const STEP_ROWS = 4;
const REST_MS = 140;
/** Shown while it is not known how many there are. */
const UNKNOWN_ROWS = 8;

export interface VirtualRowsProps<Row> {
  /** Names the grid in the style sheet: the class is `rows-NAME`. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowHeightPx: { readonly wide: number; readonly narrow: number };
  /** Undefined while it is not known. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => Row | undefined;
  readonly onLook?: (first: number, end: number) => void;
  /** Whether somebody reads further down than the first row, by eye or by keyboard. */
  readonly onReading?: (isReading: boolean) => void;
  readonly sort?: SortState;
  /** A list that answers another question begins at its top. */
  readonly question: string;
  /** Rows belong to the question before: they are shown, but pale. */
  readonly isOld?: boolean;
  /** As high as the window allows, or as `roomPx` says. */
  readonly roomPx?: number;
  /** Going back in the history leads to the same rows. */
  readonly isRemembered?: boolean;
}

interface Drawn {
  readonly first: number;
  readonly end: number;
  readonly shiftPx: number;
}

export function VirtualRows<Row>(props: VirtualRowsProps<Row>): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const room = useRoom(scroller, props.roomPx);
  const isNarrow = room.widthPx < NARROW_PX;
  const rowPx = isNarrow ? props.rowHeightPx.narrow : props.rowHeightPx.wide;
  const total = props.total ?? UNKNOWN_ROWS;
  const isKnown = props.total !== undefined;
  const list = useScrolling({ ...props, scroller, rowPx, viewPx: room.viewPx, total, isKnown });
  const { drawn, active } = list;
  const columns = props.columns.filter((column) =>
    isNarrow ? column.isWideOnly !== true : room.widthPx >= (column.fromPx ?? 0),
  );
  const end = Math.min(drawn.end, total);
  const first = Math.min(drawn.first, Math.max(0, end - 1));
  const indices = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  // In their sequence, so that the focused row is never moved within the document, which would take its focus away.
  if (active < first) indices.unshift(active);
  else if (active >= end && active < total) indices.push(active);
  return (
    <div
      ref={scroller}
      class={`rows rows-${props.name}${isNarrow ? " is-narrow" : ""}${props.isOld === true ? " is-old" : ""}`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={isKnown ? total + 1 : -1}
      aria-busy={!isKnown || props.isOld === true}
      style={{
        maxHeight: `${room.heightPx}px`,
        "--row-px": `${rowPx}px`,
        "--tracks": columns.map(({ track }) => track).join(" "),
      }}
      onScroll={list.onScroll}
      onKeyDown={list.onKeyDown}
      onFocusIn={list.onFocusIn}
    >
      <HeaderRow columns={columns} {...(props.sort && { sort: props.sort })} />
      <div class="rows-body" role="rowgroup" style={{ height: `${list.heightPx(total)}px` }}>
        {indices.map((index) => (
          <ListRow
            key={index}
            index={index}
            topPx={index * rowPx + drawn.shiftPx}
            row={isKnown ? props.rowAt(index) : undefined}
            columns={columns}
            isActive={index === active}
          />
        ))}
      </div>
    </div>
  );
}

interface Scrolling<Row> extends Omit<VirtualRowsProps<Row>, "total"> {
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly rowPx: number;
  readonly viewPx: number;
  readonly total: number;
  readonly isKnown: boolean;
}

function useScrolling<Row>(options: Scrolling<Row>) {
  const { scroller, rowPx, viewPx, total, question, onLook, onReading } = options;
  const [map] = useState(() => new ScrollMap());
  const [drawn, setDrawn] = useState<Drawn>({ first: 0, end: UNKNOWN_ROWS, shiftPx: 0 });
  const [active, setActive] = useState(0);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wantsFocus = useRef(false);
  const shownQuestion = useRef(question);
  const isPlaced = useRef(false);

  const tellReading = (): void => onReading?.(active > 0 || map.topPx > rowPx / 2);
  const draw = (): void => {
    const firstSeen = Math.floor(map.topPx / rowPx);
    const endSeen = Math.min(total, Math.ceil((map.topPx + viewPx) / rowPx));
    const first = Math.max(0, Math.floor((firstSeen - OVERSCAN_ROWS) / STEP_ROWS) * STEP_ROWS);
    const end = Math.ceil((endSeen + OVERSCAN_ROWS) / STEP_ROWS) * STEP_ROWS;
    const { shiftPx } = map;
    setDrawn((old) =>
      old.first === first && old.end === end && old.shiftPx === shiftPx ? old : { first, end, shiftPx },
    );
    if (options.isKnown && question === shownQuestion.current) onLook?.(firstSeen, endSeen);
    tellReading();
  };
  const put = (elementPx: number): void => {
    if (scroller.current !== null) scroller.current.scrollTop = elementPx;
    draw();
  };
  const settle = (): void => {
    // The browser tells of a movement later than it makes it: one that was not told yet would be undone.
    if (scroller.current !== null) map.scrolled(scroller.current.scrollTop);
    put(map.settle());
    if (options.isRemembered === true) rememberPlace({ question, topPx: map.topPx, active });
  };

  useLayoutEffect(() => put(map.resize(total * rowPx, viewPx)), [total, rowPx, viewPx]);
  useLayoutEffect(() => {
    if (shownQuestion.current === question) return;
    shownQuestion.current = question;
    isPlaced.current = false;
    setActive(0);
    put(map.goTo(0));
  }, [question]);
  const isThere = options.isKnown && options.isOld !== true;
  useLayoutEffect(() => {
    if (options.isRemembered !== true || isPlaced.current || !isThere) return;
    isPlaced.current = true;
    const place = placeOfEntry(question);
    if (place === undefined) return;
    setActive(Math.min(place.active, Math.max(0, total - 1)));
    put(map.goTo(place.topPx));
  }, [isThere, question]);

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    scroller.current
      ?.querySelector<HTMLElement>(`[aria-rowindex="${active + 2}"]`)
      ?.focus({ preventScroll: true });
  });
  useEffect(() => () => clearTimeout(rest.current), []);
  useEffect(() => tellReading(), [active]);

  const move = (to: number): void => {
    const index = Math.min(Math.max(0, to), total - 1);
    wantsFocus.current = true;
    setActive(index);
    const topPx = index * rowPx;
    if (topPx < map.topPx) put(map.goTo(topPx));
    else if (topPx + rowPx > map.topPx + viewPx) put(map.goTo(topPx + rowPx - viewPx));
  };

  return {
    drawn,
    active,
    heightPx: (rows: number): number => ScrollMap.heightOf(rows * rowPx),
    onScroll: (): void => {
      const element = scroller.current;
      if (element === null) return;
      const moved = map.scrolled(element.scrollTop);
      if (moved === undefined) draw();
      else put(moved);
      clearTimeout(rest.current);
      rest.current = setTimeout(settle, REST_MS);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (target.getAttribute("role") !== "row" || event.altKey || event.metaKey) return;
      if (event.key === "Enter") {
        target.querySelector<HTMLElement>("[data-main]")?.click();
        return;
      }
      const to = destination(event.key, active, Math.max(1, Math.floor(viewPx / rowPx) - 1), total);
      if (to === undefined) return;
      event.preventDefault();
      move(to);
    },
    /** A click on a row, or a screen reader, moves focus without a key. */
    onFocusIn: (event: FocusEvent): void => {
      const row = (event.target as HTMLElement).closest<HTMLElement>("[role=row][data-index]");
      if (row?.dataset["index"] !== undefined) setActive(Number(row.dataset["index"]));
    },
  };
}

function destination(key: string, active: number, pageRows: number, total: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return active + 1;
    case "ArrowUp":
      return active - 1;
    case "PageDown":
      return active + pageRows;
    case "PageUp":
      return active - pageRows;
    case "Home":
      return 0;
    case "End":
      return total - 1;
    default:
      return undefined;
  }
}
