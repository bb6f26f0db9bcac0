/**
 * A treemap of missing shares. A click opens a rectangle. The list next to it has the same content in words, for
 * keyboards and screen readers, so the treemap is hidden from them. Fonts differ between viewers, so text is measured.
 */
import { hierarchy, type HierarchyRectangularNode, treemap, treemapSquarify } from "d3-hierarchy";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { atMostInWords } from "../../../text/index.ts";

export function Treemap({ cells }: { readonly cells: readonly TreemapCell[] }): VNode {
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
function Unnamed({ cells }: { readonly cells: readonly TreemapCell[] }): VNode | null {
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

function unnamedOf(cells: readonly TreemapCell[], rectangles: readonly Rectangle[]): TreemapCell[] {
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
      {label.hasShare && <span class="cell-share">{atMostInWords(cell.mass)}</span>}
    </Opener>
  );
}

interface OpenerProps {
  readonly cell: TreemapCell;
  readonly class: string;
  readonly style?: Rectangle["place"];
  readonly children: ComponentChildren;
}

/** Opens the cell on a click, if it has a target. Its tooltip has the whole text. */
function Opener({ cell: { name, mass, href }, children, ...attributes }: OpenerProps): VNode {
  const title = `${name}: ${atMostInWords(mass)}`;
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

export interface TreemapCell {
  readonly key: string;
  readonly name: string;
  /** An upper bound. In a cell with children, what they do not hold is left empty. */
  readonly mass: number;
  /** Decides colour and pattern. */
  readonly fill: string;
  /** The target of a click; null if there is none. */
  readonly href: string | null;
  /** Its name is never cut: it takes several lines, or is below the treemap. */
  readonly isWhole?: boolean;
  readonly children?: readonly TreemapCell[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The length of a text in pixels. The title of a rectangle with others inside is bold. */
type TextMeter = (text: string, isBold: boolean) => number;

interface Rectangle {
  readonly cell: TreemapCell;
  /** Differs from that of every other rectangle. */
  readonly path: string;
  readonly place: Readonly<Record<"left" | "top" | "width" | "height", string>>;
  readonly depth: number;
  readonly hasInside: boolean;
  readonly label: Label;
}

/** The text that fits into a rectangle. */
interface Label {
  /** "across": in one line or several. "down": one line from top to bottom. */
  readonly name: "across" | "down" | "none";
  readonly hasShare: boolean;
}

type Node = HierarchyRectangularNode<TreemapCell>;

/** In pixels: a line of text, and the padding of a rectangle. */
const LINE_HEIGHT = 18;
const PADDING = { width: 18, height: 6 };
/** A rectangle with less room below its title shows no others inside. */
const INSIDE_MIN = { width: 96, height: 58 };
const HEAD_LINES_MAX = 2;
const HEAD_ABOVE_INSIDE = 8;
/** At least so much of a host name or path is shown: a few letters are of no use. */
const NAME_SEEN_MIN = 76;
/** Smaller ones are not drawn. */
const DRAWN_MIN = { width: 2, height: 2 };

function layout(cells: readonly TreemapCell[], { width, height }: Size, lengthOf: TextMeter): Rectangle[] {
  if (width === 0 || cells.length === 0) return [];
  const root = hierarchy<TreemapCell>(
    { key: "", name: "", mass: 0, fill: "", href: null, children: cells },
    ({ children }) => children,
  )
    .sum((cell) => (cell.children?.length ? 0 : cell.mass))
    .sort((a, b) => Number(isRemainder(a.data)) - Number(isRemainder(b.data)) || (b.value ?? 0) - (a.value ?? 0));
  const hasInside = (node: Node | null): boolean => node !== null && headLines(node, lengthOf) > 0;
  const arranged = treemap<TreemapCell>()
    .tile(treemapSquarify)
    .size([width, height])
    .paddingInner(3)
    .paddingOuter((node) => (hasInside(node) ? 3 : 0))
    .paddingTop((node) => headHeight(headLines(node, lengthOf)))
    .round(true)(root);
  return arranged
    .descendants()
    .filter((node) => node.depth === 1 || (node.depth > 1 && hasInside(node.parent)))
    .filter((node) => fits(node, DRAWN_MIN))
    .map((node) => rectangleOf(node, lengthOf));
}

/** The remainder of a list is drawn last, however large. */
function isRemainder({ key }: TreemapCell): boolean {
  return key === "";
}

/** Lines of the title above the rectangles inside; 0 if none are shown inside. */
function headLines(node: Node, lengthOf: TextMeter): number {
  if (node.depth !== 1 || node.children === undefined) return 0;
  const { width } = sizeOf(node);
  const lines = linesFor(node.data.name, width - PADDING.width, (text) => lengthOf(text, true));
  const room = { width: INSIDE_MIN.width, height: INSIDE_MIN.height + headHeight(lines) };
  return lines <= HEAD_LINES_MAX && fits(node, room) ? lines : 0;
}

function headHeight(lines: number): number {
  return lines === 0 ? 0 : lines * LINE_HEIGHT + HEAD_ABOVE_INSIDE;
}

function rectangleOf(node: Node, lengthOf: TextMeter): Rectangle {
  const { width, height } = sizeOf(node);
  const head = headLines(node, lengthOf);
  return {
    cell: node.data,
    path: node
      .ancestors()
      .map(({ data }) => data.key)
      .join("\n"),
    place: { left: `${node.x0}px`, top: `${node.y0}px`, width: `${width}px`, height: `${height}px` },
    depth: node.depth,
    hasInside: head > 0,
    label: head > 0 ? headLabel(node, head, lengthOf) : labelOf(node, lengthOf),
  };
}

/** A title always has its lines. The share is at the end of the first line, if there is room. */
function headLabel(node: Node, lines: number, lengthOf: TextMeter): Label {
  const { name, mass } = node.data;
  const both = lengthOf(name, true) + lengthOf(atMostInWords(mass), true) + 2 * PADDING.width;
  return { name: "across", hasShare: lines === 1 && sizeOf(node).width >= both };
}

function labelOf(node: Node, lengthOf: TextMeter): Label {
  const { name, mass, isWhole = false } = node.data;
  const size = sizeOf(node);
  const [width, height] = [size.width - PADDING.width, size.height - PADDING.height];
  const nameLength = lengthOf(name, false);
  const shareLength = lengthOf(atMostInWords(mass), false);
  const lines = isWhole
    ? linesFor(name, width, (text) => lengthOf(text, false))
    : width >= Math.min(nameLength, NAME_SEEN_MIN)
      ? 1
      : Number.POSITIVE_INFINITY;
  if (height >= lines * LINE_HEIGHT) {
    return { name: "across", hasShare: width >= shareLength && height >= (lines + 1) * LINE_HEIGHT };
  }
  // Outer rectangles that are narrow but tall have their name from top to bottom.
  const isTall = size.height >= PADDING.width + Math.max(nameLength, shareLength);
  const linesDown = node.depth === 1 && isTall ? Math.floor((size.width - 2) / LINE_HEIGHT) : 0;
  return { name: linesDown >= 1 ? "down" : "none", hasShare: linesDown >= 2 };
}

/** Number of lines of a text that breaks between words; infinite if a word is too long for a line. */
function linesFor(text: string, width: number, lengthOf: (text: string) => number): number {
  let lines = 1;
  let line = "";
  for (const word of text.split(" ")) {
    if (lengthOf(word) > width) return Number.POSITIVE_INFINITY;
    const longer = line === "" ? word : `${line} ${word}`;
    const isTooLong = lengthOf(longer) > width;
    if (isTooLong) lines++;
    line = isTooLong ? word : longer;
  }
  return lines;
}

function sizeOf({ x0, x1, y0, y1 }: Node): Size {
  return { width: x1 - x0, height: y1 - y0 };
}

function fits(node: Node, { width, height }: Size): boolean {
  const size = sizeOf(node);
  return size.width >= width && size.height >= height;
}
