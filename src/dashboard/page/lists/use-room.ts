/** How much room a list has: as wide as what it stands in, as high as the window leaves below its upper edge. */
import { useLayoutEffect, useState } from "preact/hooks";

export interface Room {
  readonly widthPx: number;
  /** Height of the list, and of its rows without the header. */
  readonly heightPx: number;
  readonly viewPx: number;
}

const HEIGHT_MIN_PX = 360;
const MARGIN_PX = 24;
/** Where the ways to the views stand at the lower edge of a phone, they cover this much. */
const NAVIGATION_PX = 56;
const PHONE_PX = 640;

export function useRoom(list: { readonly current: HTMLElement | null }, fixedPx?: number): Room {
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
    // The room changes with the window, and with whatever stands above the list.
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
