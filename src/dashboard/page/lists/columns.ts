/** What a list shows of its rows. Columns are constants, so that rows that have not changed are not drawn again. */
import type { ComponentChild } from "preact";

export interface Column<Row> {
  /** Names the cell in the style sheet: the class is `cell-KEY`. */
  readonly key: string;
  readonly title: string;
  /** What it means, where the title alone does not say. */
  readonly hint?: string;
  /** Its width as a track of a CSS grid. */
  readonly track: string;
  readonly isNumber?: boolean;
  /** Names its row. */
  readonly isHeader?: boolean;
  /** Left out of lists that are less wide than this. */
  readonly fromPx?: number;
  /** Left out where rows are cards. */
  readonly isWideOnly?: boolean;
  /** The orders that its header chooses, one after another. */
  readonly sorts?: readonly { readonly value: string; readonly direction: "ascending" | "descending" }[];
  readonly cell: (row: Row, index: number) => ComponentChild;
}

export interface SortState {
  readonly value: string;
  readonly choose: (value: string) => void;
}
