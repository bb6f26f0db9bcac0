/** The rows to draw and their positions, the focused row, and what wheel, scrollbar and keys do to both. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ScrollMap } from "./scroll-map.ts";

/** Rows drawn outside of the view, and the step in which that changes: fewer, larger changes cost less. */
const OVERSCAN_ROWS = 6;
const STEP_ROWS = 4;
const PAUSE_MS = 140;
/** Rows shown while their number is unknown. */
export const UNKNOWN_ROWS = 8;

interface Drawn {
  readonly first: number;
  readonly end: number;
  readonly shiftPx: number;
}

/** How a list scrolls. */
export interface ScrollProps {
  /** Identifies the list. Another list starts at its top. */
  readonly request: string;
  /** The rows belong to the previous list: they are shown, but pale. */
  readonly isOld?: boolean;
  /** Called with the rows in view, from `first` to before `end`. */
  readonly onView?: (first: number, end: number) => void;
  /** Called with whether the user has left the first row, by scrolling or by keyboard. */
  readonly onReading?: (isReading: boolean) => void;
  /** Going back in the history restores the scroll position. */
  readonly isRemembered?: boolean;
}

interface Scrolling extends ScrollProps {
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly rowPx: number;
  readonly viewPx: number;
  readonly total: number;
  readonly isKnown: boolean;
}

export function useScrolling(options: Scrolling) {
  const { scroller, rowPx, viewPx, total, request, onView, onReading } = options;
  const [map] = useState(() => new ScrollMap());
  const [drawn, setDrawn] = useState<Drawn>({ first: 0, end: UNKNOWN_ROWS, shiftPx: 0 });
  const [active, setActive] = useState(0);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wantsFocus = useRef(false);
  const shownRequest = useRef(request);
  const isPlaced = useRef(false);

  const reportReading = (): void => onReading?.(active > 0 || map.topPx > rowPx / 2);
  const draw = (): void => {
    const firstSeen = Math.floor(map.topPx / rowPx);
    const endSeen = Math.min(total, Math.ceil((map.topPx + viewPx) / rowPx));
    const first = Math.max(0, Math.floor((firstSeen - OVERSCAN_ROWS) / STEP_ROWS) * STEP_ROWS);
    const end = Math.ceil((endSeen + OVERSCAN_ROWS) / STEP_ROWS) * STEP_ROWS;
    const { shiftPx } = map;
    setDrawn((old) =>
      old.first === first && old.end === end && old.shiftPx === shiftPx ? old : { first, end, shiftPx },
    );
    if (options.isKnown && request === shownRequest.current) onView?.(firstSeen, endSeen);
    reportReading();
  };
  const put = (elementPx: number): void => {
    if (scroller.current !== null) scroller.current.scrollTop = elementPx;
    draw();
  };
  const settle = (): void => {
    // The browser reports a movement later than it makes it; without this the movement would be undone.
    if (scroller.current !== null) map.scrolled(scroller.current.scrollTop);
    put(map.settle());
    remember();
  };
  const remember = (): void => {
    if (options.isRemembered !== true) return;
    const place: Place = { request, topPx: map.topPx, active };
    history.replaceState({ place }, "");
  };

  useLayoutEffect(() => put(map.resize(total * rowPx, viewPx)), [total, rowPx, viewPx]);
  useLayoutEffect(() => {
    if (shownRequest.current === request) return;
    shownRequest.current = request;
    isPlaced.current = false;
    setActive(0);
    put(map.goTo(0));
  }, [request]);
  const isThere = options.isKnown && options.isOld !== true;
  useLayoutEffect(() => {
    if (options.isRemembered !== true || isPlaced.current || !isThere) return;
    isPlaced.current = true;
    const place = rememberedPlace(request);
    if (place === undefined) return;
    setActive(Math.min(place.active, Math.max(0, total - 1)));
    put(map.goTo(place.topPx));
  }, [isThere, request]);
  // A click on a row leaves the view at once. Before the list is placed, the stored position must not be overwritten.
  useLayoutEffect(() => {
    if (isPlaced.current) remember();
  }, [active]);

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${active + 2}"]`)?.focus({ preventScroll: true });
  });
  useEffect(() => () => clearTimeout(pause.current), []);
  useEffect(() => reportReading(), [active]);

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
      clearTimeout(pause.current);
      pause.current = setTimeout(settle, PAUSE_MS);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const pageRows = Math.max(1, Math.floor(viewPx / rowPx) - 1);
      const destinations = {
        ArrowDown: active + 1,
        ArrowUp: active - 1,
        PageDown: active + pageRows,
        PageUp: active - pageRows,
        Home: 0,
        End: total - 1,
      };
      followKey(event, new Map(Object.entries(destinations)), move);
    },
    /** A click or a screen reader moves the focus without a key. */
    onFocusIn: (event: FocusEvent): void => {
      const row = (event.target as HTMLElement).closest<HTMLElement>("[role=row][data-index]");
      if (row?.dataset["index"] !== undefined) setActive(Number(row.dataset["index"]));
    },
  };
}

function followKey(event: KeyboardEvent, destinations: ReadonlyMap<string, number>, move: (to: number) => void): void {
  const target = event.target as HTMLElement;
  if (target.getAttribute("role") !== "row" || event.altKey || event.metaKey) return;
  if (event.key === "Enter") {
    target.querySelector<HTMLElement>("[data-main]")?.click();
    return;
  }
  const to = destinations.get(event.key);
  if (to === undefined) return;
  event.preventDefault();
  move(to);
}

/** The scroll position of a list is stored in its entry of the browser's history: going back restores it. */
interface Place {
  /** Identifies the list. */
  readonly request: string;
  readonly topPx: number;
  readonly active: number;
}

/** Undefined if nothing is stored for this list. */
function rememberedPlace(request: string): Place | undefined {
  const state = history.state as { readonly place?: Place } | null;
  return state?.place?.request === request ? state.place : undefined;
}
