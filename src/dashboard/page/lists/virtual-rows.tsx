/**
 * A table of any number of rows, of which only those in view are drawn. Why not a library: libraries use one element as
 * high as all rows, which works up to half a million rows; they do not support rows that have not arrived; and they
 * leave keyboard and screen readers to their users. Positions are in `ScrollMap`, focus and keys in `useScrolling`.
 *
 * To screen readers it is a grid: one row has the focus, arrows move it, Enter opens its main link. The focused row is
 * drawn even if it is scrolled out of view, so the focus is never lost. Below `NARROW_PX` a row is a small card, laid
 * out in the style sheet by the names of the columns.
 */
import { Component, type ComponentChild, type VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type ScrollProps, UNKNOWN_ROWS, useScrolling } from "./use-scrolling.ts";

const NARROW_PX = 720;

/** A column of a list. Columns are constants, so unchanged rows are not drawn again. */
export interface ListColumn<Row> {
  /** The class of its cells is `cell-KEY`. */
  readonly key: string;
  readonly title: string;
  /** Explains the title. */
  readonly hint?: string;
  /** Its width as a track of a CSS grid. */
  readonly track: string;
  readonly isNumber?: boolean;
  /** Shows a bar, whose scale is explained above the list. */
  readonly hasBar?: boolean;
  /** Its cells name their rows. */
  readonly isHeader?: boolean;
  /** Left out of narrower lists. */
  readonly fromPx?: number;
  /** Left out if rows are cards. */
  readonly isWideOnly?: boolean;
  /** The sort orders that its title selects, one after another. */
  readonly sorts?: readonly { readonly value: string; readonly direction: "ascending" | "descending" }[];
  readonly cell: (row: Row, index: number) => ComponentChild;
}

interface SortState {
  readonly value: string;
  readonly choose: (value: string) => void;
}

export interface VirtualRowsProps<Row> extends ScrollProps {
  /** The class of the grid is `rows-NAME`. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly rowHeightPx: { readonly wide: number; readonly narrow: number };
  /** Undefined while it is unknown. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => Row | undefined;
  readonly sort?: SortState;
  /** Height of the list; by default as high as the window allows. */
  readonly roomPx?: number;
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
  // In order, so the focused row is never moved within the document, which would remove its focus.
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
      <div class="rows-head" role="rowgroup">
        <div class="row" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <HeaderCell key={column.key} column={column} sort={props.sort} />
          ))}
        </div>
      </div>
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

/** A column that can be sorted has a button. */
function HeaderCell<Row>({ column, sort }: { column: ListColumn<Row>; sort: SortState | undefined }): VNode {
  const { sorts } = column;
  const at = sorts?.findIndex(({ value }) => value === sort?.value) ?? -1;
  const chosen = sorts?.[at];
  const className = `list-cell cell-${column.key}${column.isNumber === true ? " is-number" : ""}`;
  if (sorts === undefined || sort === undefined) {
    return (
      <div class={className} role="columnheader" title={column.hint}>
        {column.title}
      </div>
    );
  }
  const next = sorts[(at + 1) % sorts.length];
  return (
    <div class={className} role="columnheader" aria-sort={chosen?.direction ?? "none"} title={column.hint}>
      <button type="button" class="sort" onClick={() => next !== undefined && sort.choose(next.value)}>
        {column.title}
        <span class={`sort-mark ${chosen?.direction ?? ""}`} aria-hidden="true" />
      </button>
    </div>
  );
}

interface ListRowProps<Row> {
  readonly index: number;
  /** Its position in the scrolled element. */
  readonly topPx: number;
  /** Undefined until it has arrived. */
  readonly row: Row | undefined;
  readonly columns: readonly ListColumn<Row>[];
  /** Whether it has, or gets, the focus. */
  readonly isActive: boolean;
}

/** A row. It is drawn again only if its content has changed, which makes scrolling cheap. */
class ListRow<Row> extends Component<ListRowProps<Row>> {
  override shouldComponentUpdate(next: ListRowProps<Row>): boolean {
    const { topPx, row, columns, isActive } = this.props;
    return (
      row !== next.row || topPx !== next.topPx || isActive !== next.isActive || !sameColumns(columns, next.columns)
    );
  }

  override render({ index, topPx, row, columns, isActive }: ListRowProps<Row>): VNode {
    return (
      <div
        class="row"
        role="row"
        aria-rowindex={index + 2}
        data-index={index}
        style={{ top: `${topPx}px` }}
        tabIndex={isActive ? 0 : -1}
        aria-busy={row === undefined}
      >
        {columns.map((column) => (
          <div
            key={column.key}
            class={`list-cell cell-${column.key}${column.isNumber === true ? " is-number" : ""}`}
            role={column.isHeader === true ? "rowheader" : "gridcell"}
          >
            {row === undefined ? <span class="placeholder" /> : column.cell(row, index)}
          </div>
        ))}
      </div>
    );
  }
}

function sameColumns<Row>(a: readonly ListColumn<Row>[], b: readonly ListColumn<Row>[]): boolean {
  return a.length === b.length && a.every((column, index) => column === b[index]);
}

interface Room {
  readonly widthPx: number;
  /** Height of the list, and of its rows without the titles. */
  readonly heightPx: number;
  readonly viewPx: number;
}

const HEIGHT_MIN_PX = 360;
const MARGIN_PX = 24;
/** Height of the navigation at the bottom of a phone. */
const NAVIGATION_PX = 56;
const PHONE_PX = 640;

/** The room for a list: as wide as its parent, as high as the window allows below its upper edge. */
function useRoom(list: { readonly current: HTMLElement | null }, fixedPx?: number): Room {
  const [room, setRoom] = useState<Room>({ widthPx: 1000, heightPx: HEIGHT_MIN_PX, viewPx: HEIGHT_MIN_PX });
  useLayoutEffect(() => {
    const element = list.current;
    const around = element?.parentElement;
    if (element === null || around === null || around === undefined) return;
    const measure = (): void => {
      const aboveY = element.getBoundingClientRect().top + scrollY;
      const belowPx = MARGIN_PX + (innerWidth <= PHONE_PX ? NAVIGATION_PX : 0);
      const heightPx = fixedPx ?? Math.max(HEIGHT_MIN_PX, Math.floor(innerHeight - aboveY - belowPx));
      const headPx = element.querySelector<HTMLElement>(".rows-head")?.offsetHeight ?? 0;
      const widthPx = element.clientWidth;
      const next = { widthPx, heightPx, viewPx: heightPx - headPx };
      setRoom((old) =>
        old.widthPx === widthPx && old.heightPx === heightPx && old.viewPx === next.viewPx ? old : next,
      );
    };
    measure();
    // The room changes with the window, and with what is above the list.
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    observer.observe(document.body);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, [fixedPx]);
  return room;
}
