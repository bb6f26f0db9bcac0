/**
 * A plot in an element of the page: created again when axes or colours change, updated with the tide, resized with its
 * element.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Tide } from "../../protocol/http.ts";
import { targetInWords } from "../../../text/index.ts";
import type { Abscissa, Curve, Ordinate } from "./curve.ts";
import { waterOptions } from "./water.ts";

interface PlotInput {
  readonly curve: Curve;
  readonly x: Abscissa;
  readonly y: Ordinate;
  readonly tide: Tide;
  readonly arrival: string;
  readonly onRead: (index: number | null) => void;
}

export function usePlot(
  stage: { readonly current: HTMLDivElement | null },
  input: PlotInput,
): { current: uPlot | null } {
  const plot = useRef<uPlot | null>(null);
  const newest = useRef(input);
  newest.current = input;
  const isDark = useIsDark();
  const { curve, x, y } = input;
  useEffect(() => {
    const place = stage.current;
    if (place === null) return;
    const options = waterOptions({
      x,
      y,
      width: place.clientWidth,
      height: place.clientHeight,
      target: () => targetOf(newest.current.tide),
      arrival: () => newest.current.arrival,
      measured: () => newest.current.curve.measured,
      onRead: (index) => newest.current.onRead(index),
    });
    const made = new uPlot(options, columns(newest.current.curve), place);
    plot.current = made;
    const dot = made.over.appendChild(document.createElement("div"));
    dot.className = "now";
    const float = (): void => {
      const { x, certified, measured } = newest.current.curve;
      dot.style.left = `${made.valToPos(x[measured - 1] ?? 0, "x")}px`;
      dot.style.top = `${made.valToPos(certified[measured - 1] ?? 0, "y")}px`;
    };
    (made.hooks.draw ??= []).push(float);
    float();
    // A finger does not move the mouse.
    made.over.addEventListener("pointermove", ({ pointerType, offsetX, offsetY }) => {
      if (pointerType !== "mouse") made.setCursor({ left: offsetX, top: offsetY });
    });
    const observer = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: place.clientHeight }));
    observer.observe(place);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [x, y, isDark]);
  useEffect(() => plot.current?.setData(columns(curve)), [curve]);
  return plot;
}

function columns({ x, certified, guaranteed, projected }: Curve): uPlot.AlignedData {
  return [[...x], [...certified], [...guaranteed], [...projected]];
}

function targetOf({ target }: Tide): { coverage: number; text: string } | null {
  return target === null ? null : { coverage: target, text: `Target ${targetInWords(target)}` };
}

/** Whether the reader's system prefers dark colours. */
function useIsDark(): boolean {
  const dark = useMemo(() => matchMedia("(prefers-color-scheme: dark)"), []);
  const [isDark, setIsDark] = useState(dark.matches);
  useEffect(() => {
    const follow = (): void => setIsDark(dark.matches);
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, [dark]);
  return isDark;
}
