/**
 * Rectangles whose areas are shares of what is missing. It is a picture to click into; the list beside it says the same in words and is
 * what keyboards and screen readers use, so this one stays out of their way.
 */
import { hierarchy, type HierarchyRectangularNode, treemap, treemapSquarify } from "d3-hierarchy";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { percent } from "../../../base/index.ts";

export interface Cell {
  readonly key: string;
  readonly name: string;
  /** Of all importance. Of a cell with children, what they do not hold is left empty. */
  readonly mass: number;
  /** Decides colour and pattern. */
  readonly fill: string;
  /** Where a click leads; null for what cannot be looked into. */
  readonly href: string | null;
  readonly children?: readonly Cell[];
}

/** A rectangle with less than so many pixels across says nothing, and in less height than that no number. */
const NAME_WIDTH_MIN = 46;
const NAME_HEIGHT_MIN = 24;
const SHARE_HEIGHT_MIN = 46;
const HEAD_HEIGHT = 26;

export function Treemap({ cells }: { readonly cells: readonly Cell[] }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const nodes = useMemo(() => layout(cells, size), [cells, size]);
  return (
    <div class="treemap" ref={place} aria-hidden="true">
      {nodes.map((node) => (
        <Rectangle key={pathOf(node)} node={node} />
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
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const arranged = treemap<Cell>()
    .tile(treemapSquarify)
    .size([width, height])
    .paddingInner(3)
    .paddingTop((node) =>
      node.depth === 1 && node.children !== undefined && isRoomy(node) ? HEAD_HEIGHT : 0,
    )
    .round(true)(root);
  return arranged
    .descendants()
    .filter((node) => node.depth > 0 && node.x1 - node.x0 >= 2 && node.y1 - node.y0 >= 2);
}

function childrenOf(cell: Cell): Iterable<Cell> | undefined {
  return cell.children;
}

function isRoomy({ x0, x1, y0, y1 }: Node): boolean {
  return x1 - x0 >= NAME_WIDTH_MIN && y1 - y0 >= SHARE_HEIGHT_MIN;
}

function Rectangle({ node }: { readonly node: Node }): VNode {
  const { name, mass, fill, href } = node.data;
  const [width, height] = [node.x1 - node.x0, node.y1 - node.y0];
  const isParent = node.children !== undefined;
  const place = { left: `${node.x0}px`, top: `${node.y0}px`, width: `${width}px`, height: `${height}px` };
  const hasName =
    width >= NAME_WIDTH_MIN && height >= NAME_HEIGHT_MIN && (!isParent || height >= SHARE_HEIGHT_MIN);
  const props = {
    class: `cell fill-${fill}${isParent ? " cell-parent" : ""}${node.depth > 1 ? " cell-child" : ""}`,
    style: place,
    title: `${name}: ${percent(mass)} of all importance`,
  };
  const content = hasName && (
    <>
      <span class="cell-name">
        <bdi>{name}</bdi>
      </span>
      {(isParent || height >= SHARE_HEIGHT_MIN) && <span class="cell-share">{percent(mass)}</span>}
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
