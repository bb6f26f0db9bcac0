/** Which rows of a list are drawn and where, which of them has the focus, and what wheels, scrollbars and keys do to both. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { VirtualRowsProps } from "./columns.ts";
import { ScrollMap } from "./scroll-map.ts";

/** Rows drawn beyond what is seen, and the step in which that changes: fewer, larger changes cost less. */
const OVERSCAN_ROWS = 6;
const STEP_ROWS = 4;
const REST_MS = 140;
/** Shown while it is not known how many there are. */
export const UNKNOWN_ROWS = 8;

interface Drawn {
  readonly first: number;
  readonly end: number;
  readonly shiftPx: number;
}

interface Scrolling<Row> extends Omit<VirtualRowsProps<Row>, "total"> {
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly rowPx: number;
  readonly viewPx: number;
  readonly total: number;
  readonly isKnown: boolean;
}

export function useScrolling<Row>(options: Scrolling<Row>) {
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
    remember();
  };
  const remember = (): void => {
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
  // Whoever clicks on a row leaves at once; before it is placed, what is remembered is still to be read.
  useLayoutEffect(() => {
    if (isPlaced.current) remember();
  }, [active]);

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
    onKeyDown: (event: KeyboardEvent): void =>
      followKey(event, { active, total, pageRows: Math.max(1, Math.floor(viewPx / rowPx) - 1), move }),
    /** A click on a row, or a screen reader, moves focus without a key. */
    onFocusIn: (event: FocusEvent): void => {
      const row = (event.target as HTMLElement).closest<HTMLElement>("[role=row][data-index]");
      if (row?.dataset["index"] !== undefined) setActive(Number(row.dataset["index"]));
    },
  };
}

interface KeyOptions {
  readonly active: number;
  readonly total: number;
  /** Rows that a page up or down moves by. */
  readonly pageRows: number;
  readonly move: (to: number) => void;
}

function followKey(event: KeyboardEvent, { active, total, pageRows, move }: KeyOptions): void {
  const target = event.target as HTMLElement;
  if (target.getAttribute("role") !== "row" || event.altKey || event.metaKey) return;
  if (event.key === "Enter") {
    target.querySelector<HTMLElement>("[data-main]")?.click();
    return;
  }
  const to = destination(event.key, active, pageRows, total);
  if (to === undefined) return;
  event.preventDefault();
  move(to);
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

/** The scroll position of a list is stored in its entry of the browser's history: going back restores it. */
export interface Place {
  /** The question that the list answered. */
  readonly question: string;
  readonly topPx: number;
  readonly active: number;
}

function rememberPlace(place: Place): void {
  history.replaceState({ place }, "");
}

/** Undefined where nothing was kept, or for another question. */
function placeOfEntry(question: string): Place | undefined {
  const state = history.state as { readonly place?: Place } | null;
  return state?.place?.question === question ? state.place : undefined;
}
