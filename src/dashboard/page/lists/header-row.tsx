/** The names of the columns, which stay in view. Those by which a list can be sorted are buttons. */
import type { VNode } from "preact";
import type { Column, SortState } from "./columns.ts";

export function HeaderRow<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly sort?: SortState;
}): VNode {
  return (
    <div class="rows-head" role="rowgroup">
      <div class="row" role="row" aria-rowindex={1}>
        {props.columns.map((column) => (
          <HeaderCell key={column.key} column={column} {...(props.sort && { sort: props.sort })} />
        ))}
      </div>
    </div>
  );
}

function HeaderCell<Row>({ column, sort }: { column: Column<Row>; sort?: SortState }): VNode {
  const { sorts } = column;
  const at = sorts?.findIndex(({ value }) => value === sort?.value) ?? -1;
  const chosen = sorts?.[at];
  const className = `list-cell cell-${column.key}${column.isNumber === true ? " is-number" : ""}`;
  if (sorts === undefined || sort === undefined) {
    return (
      <div class={className} role="columnheader" title={column.hint}>
        {column.title}
      </div>
    );
  }
  const next = sorts[(at + 1) % sorts.length];
  return (
    <div class={className} role="columnheader" aria-sort={chosen?.direction ?? "none"} title={column.hint}>
      <button type="button" class="sort" onClick={() => next !== undefined && sort.choose(next.value)}>
        {column.title}
        <span class={`sort-mark ${chosen?.direction ?? ""}`} aria-hidden="true" />
      </button>
    </div>
  );
}
