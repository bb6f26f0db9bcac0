/**
 * A treemap of missing shares. A click opens a rectangle. The list next to it has the same content in words, for
 * keyboards and screen readers, so the treemap is hidden from them.
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { shareInWords } from "../../../text/index.ts";
import { type Cell, layout, type Rectangle, type Size, type TextMeter } from "./treemap-layout.ts";

export type { Cell };

export function Treemap({ cells }: { readonly cells: readonly Cell[] }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const lengthOf = useMemo(textMeter, []);
  const rectangles = useMemo(() => layout(cells, size, lengthOf), [cells, size, lengthOf]);
  return (
    <div class="picture" aria-hidden="true">
      <div class="treemap" ref={place}>
        {rectangles.map((rectangle) => (
          <Drawn key={rectangle.path} rectangle={rectangle} />
        ))}
      </div>
      {size.width > 0 && <Unnamed cells={unnamedOf(cells, rectangles)} />}
    </div>
  );
}

/** Names that are never cut, and do not fit into their rectangles, are below the treemap. */
function Unnamed({ cells }: { readonly cells: readonly Cell[] }): VNode | null {
  if (cells.length === 0) return null;
  return (
    <p class="picture-key">
      {cells.map((cell) => (
        <Opener key={cell.key} cell={cell} class="picture-key-name">
          <span class={`swatch fill-${cell.fill}`} />
          {cell.name}
        </Opener>
      ))}
    </p>
  );
}

function unnamedOf(cells: readonly Cell[], rectangles: readonly Rectangle[]): Cell[] {
  const named = new Set(rectangles.filter(({ label }) => label.name !== "none").map(({ cell }) => cell));
  return cells.filter((cell) => cell.isWhole === true && !named.has(cell));
}

function Drawn({ rectangle }: { readonly rectangle: Rectangle }): VNode {
  const { cell, place, depth, hasInside, label } = rectangle;
  const classes = [
    `cell fill-${cell.fill}`,
    hasInside && "cell-parent",
    depth > 1 && "cell-child",
    label.name === "across" && "cell-named",
    label.name === "down" && "cell-tall",
    cell.isWhole === true && "cell-whole",
  ];
  return (
    <Opener cell={cell} class={classes.filter(Boolean).join(" ")} style={place}>
      {label.name !== "none" && (
        <span class="cell-name">
          <bdi>{cell.name}</bdi>
        </span>
      )}
      {label.hasShare && <span class="cell-share">{shareInWords(cell.mass)}</span>}
    </Opener>
  );
}

interface OpenerProps {
  readonly cell: Cell;
  readonly class: string;
  readonly style?: Rectangle["place"];
  readonly children: ComponentChildren;
}

/** Opens the cell on a click, if it has a target. Its tooltip has the whole text. */
function Opener({ cell: { name, mass, href }, children, ...attributes }: OpenerProps): VNode {
  const title = `${name}: ${shareInWords(mass)} of all importance`;
  return href === null ? (
    <span {...attributes} title={title}>
      {children}
    </span>
  ) : (
    <a {...attributes} title={title} href={href} tabIndex={-1}>
      {children}
    </a>
  );
}

function textMeter(): TextMeter {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return (text) => 8 * text.length;
  const family = getComputedStyle(document.body).fontFamily;
  return (text, isBold) => {
    context.font = `${isBold ? 650 : 400} 13px ${family}`;
    return context.measureText(text).width;
  };
}

function useSize(place: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return size;
}
