/**
 * A table of any number of rows, of which only those in view exist. Written by hand: libraries for this make one element as high as
 * all rows, which ends at about half a million of them, know nothing of rows that are not there yet, and leave keyboard and screen
 * readers to their users. What is hard is in `ScrollMap`, focus and keys are in `useScrolling`; here is what is drawn.
 *
 * It is a grid to screen readers: one row is in the order of focus, arrows move it, Enter opens its main link. The focused row is drawn
 * even when it is scrolled out of view, so that focus is never lost. Below `NARROW_PX` a row becomes a small card, whose places are
 * said in the style sheet by the names of the columns.
 */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { VirtualRowsProps } from "./columns.ts";
import { HeaderRow } from "./header-row.tsx";
import { ListRow } from "./list-row.tsx";
import { useRoom } from "./use-room.ts";
import { UNKNOWN_ROWS, useScrolling } from "./use-scrolling.ts";

const NARROW_PX = 720;

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
