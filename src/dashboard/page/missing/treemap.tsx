/**
 * Rectangles whose areas are shares of what is missing. It is a picture to click into; the list beside it says the same in words and is
 * what keyboards and screen readers use, so this one stays out of their way.
 */
import { hierarchy, type HierarchyRectangularNode, treemap, treemapSquarify } from "d3-hierarchy";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { shareInWords } from "../../../text/index.ts";

export interface Cell {
  readonly key: string;
  readonly name: string;
  /** Of all importance. Of a cell with children, what they do not hold is left empty. */
  readonly mass: number;
  /** Decides colour and pattern. */
  readonly fill: string;
  /** Where a click leads; null for what cannot be looked into. */
  readonly href: string | null;
  /** Its name is not to be cut. */
  readonly isWhole?: boolean;
  readonly children?: readonly Cell[];
}

/** In pixels: less across or down shows no rectangles inside. */
const INSIDE_MIN = { width: 96, height: 84 };
const HEAD_HEIGHT = 26;
const LINE_HEIGHT = 22;
/** What a line of text takes besides its length. */
const BESIDE_TEXT = 18;
/** How much longer letters of a head are. */
const BOLDER = 1.1;
/** How much of a host's name or of a path must be seen; a few letters tell nobody anything. Reasons are named wholly or not at all. */
const NAME_SEEN_MIN = 76;

export function Treemap({ cells }: { readonly cells: readonly Cell[] }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const nodes = useMemo(() => layout(cells, size), [cells, size]);
  const lengthOf = useMemo(textMeter, []);
  return (
    <div class="treemap" ref={place} aria-hidden="true">
      {nodes.map((node) => (
        <Rectangle key={pathOf(node)} node={node} lengthOf={lengthOf} />
      ))}
    </div>
  );
}

type Node = HierarchyRectangularNode<Cell>;
interface Size {
  readonly width: number;
  readonly height: number;
}

function layout(cells: readonly Cell[], { width, height }: Size): Node[] {
  if (width === 0 || cells.length === 0) return [];
  const root = hierarchy<Cell>(
    { key: "", name: "", mass: 0, fill: "", href: null, children: cells },
    childrenOf,
  )
    .sum((cell) => (cell.children?.length ? 0 : cell.mass))
    .sort(
      (a, b) => Number(isRemainder(a.data)) - Number(isRemainder(b.data)) || (b.value ?? 0) - (a.value ?? 0),
    );
  const arranged = treemap<Cell>()
    .tile(treemapSquarify)
    .size([width, height])
    .paddingInner(3)
    .paddingOuter((node) => (hasInside(node) ? 3 : 0))
    .paddingTop((node) => (hasInside(node) ? HEAD_HEIGHT : 0))
    .round(true)(root);
  return arranged
    .descendants()
    .filter((node) => node.depth === 1 || (node.depth > 1 && hasInside(node.parent!)))
    .filter((node) => fits(node, { width: 2, height: 2 }));
}

/** What is left of a list is drawn last, however large. */
function isRemainder({ key }: Cell): boolean {
  return key === "";
}

function childrenOf(cell: Cell): Iterable<Cell> | undefined {
  return cell.children;
}

function hasInside(node: Node): boolean {
  return node.depth === 1 && node.children !== undefined && fits(node, INSIDE_MIN);
}

function fits({ x0, x1, y0, y1 }: Node, { width, height }: Size): boolean {
  return x1 - x0 >= width && y1 - y0 >= height;
}

/** What a rectangle says, as far as it has room for it; the title says all of it anyway. */
interface Label {
  readonly isTall: boolean;
  readonly hasName: boolean;
  readonly hasShare: boolean;
}

function labelOf(node: Node, lengthOf: (text: string) => number): Label {
  const { name, mass } = node.data;
  const length = (hasInside(node) ? BOLDER : 1) * lengthOf(name);
  const seen = BESIDE_TEXT + (node.data.isWhole === true ? length : Math.min(length, NAME_SEEN_MIN));
  const share = BESIDE_TEXT + lengthOf(shareInWords(mass));
  if (fits(node, { width: seen, height: LINE_HEIGHT })) {
    const both = hasInside(node)
      ? { width: BESIDE_TEXT + length + share, height: LINE_HEIGHT }
      : { width: share, height: 2 * LINE_HEIGHT };
    return { isTall: false, hasName: true, hasShare: fits(node, both) };
  }
  // Outer ones that are slim, but tall, say their name from top to bottom.
  const isTall =
    node.depth === 1 && !hasInside(node) && fits(node, { width: LINE_HEIGHT, height: BESIDE_TEXT + length });
  const hasBoth = isTall && fits(node, { width: 2 * LINE_HEIGHT, height: share });
  return { isTall, hasName: isTall, hasShare: hasBoth };
}

/** How long a text is, in the letters of a name. */
function textMeter(): (text: string) => number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return (text) => 8 * text.length;
  context.font = `13px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => context.measureText(text).width;
}

interface RectangleProps {
  readonly node: Node;
  readonly lengthOf: (text: string) => number;
}

function Rectangle({ node, lengthOf }: RectangleProps): VNode {
  const { name, mass, fill, href } = node.data;
  const isParent = hasInside(node);
  const { isTall, hasName, hasShare } = labelOf(node, lengthOf);
  const place = {
    left: `${node.x0}px`,
    top: `${node.y0}px`,
    width: `${node.x1 - node.x0}px`,
    height: `${node.y1 - node.y0}px`,
  };
  const props = {
    class: `cell fill-${fill}${isParent ? " cell-parent" : ""}${node.depth > 1 ? " cell-child" : ""}${isTall ? " cell-tall" : hasName ? " cell-named" : ""}`,
    style: place,
    title: `${name}: ${shareInWords(mass)} of all importance`,
  };
  const content = hasName && (
    <>
      <span class="cell-name">
        <bdi>{name}</bdi>
      </span>
      {hasShare && <span class="cell-share">{shareInWords(mass)}</span>}
    </>
  );
  if (href === null) return <div {...props}>{content}</div>;
  return (
    <a {...props} href={href} tabIndex={-1}>
      {content}
    </a>
  );
}

function pathOf(node: Node): string {
  return node
    .ancestors()
    .map(({ data }) => data.key)
    .join("\n");
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
