/** One row. It is drawn again only when what it shows has changed, which is what makes scrolling cheap. */
import { Component, type VNode } from "preact";
import type { Column } from "./columns.ts";

interface ListRowProps<Row> {
  readonly index: number;
  /** Where it begins in the element that is scrolled. */
  readonly topPx: number;
  /** Undefined while it is not there. */
  readonly row: Row | undefined;
  readonly columns: readonly Column<Row>[];
  /** Whether it is the one in the order of focus. */
  readonly isActive: boolean;
}

export class ListRow<Row> extends Component<ListRowProps<Row>> {
  override shouldComponentUpdate(next: ListRowProps<Row>): boolean {
    const { topPx, row, columns, isActive } = this.props;
    return (
      row !== next.row ||
      topPx !== next.topPx ||
      isActive !== next.isActive ||
      !sameColumns(columns, next.columns)
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

function sameColumns<Row>(a: readonly Column<Row>[], b: readonly Column<Row>[]): boolean {
  return a.length === b.length && a.every((column, index) => column === b[index]);
}
