/** The columns of a list. They are constants, so unchanged rows are not drawn again. */
import type { ComponentChild } from "preact";

export interface Column<Row> {
  /** The class of its cells is `cell-KEY`. */
  readonly key: string;
  readonly title: string;
  /** Explains the title. */
  readonly hint?: string;
  /** Its width as a track of a CSS grid. */
  readonly track: string;
  readonly isNumber?: boolean;
  /** Shows a bar, whose scale is explained above the list. */
  readonly hasBar?: boolean;
  /** Its cells name their rows. */
  readonly isHeader?: boolean;
  /** Left out of narrower lists. */
  readonly fromPx?: number;
  /** Left out if rows are cards. */
  readonly isWideOnly?: boolean;
  /** The sort orders that its title selects, one after another. */
  readonly sorts?: readonly { readonly value: string; readonly direction: "ascending" | "descending" }[];
  readonly cell: (row: Row, index: number) => ComponentChild;
}

export interface SortState {
  readonly value: string;
  readonly choose: (value: string) => void;
}

export interface VirtualRowsProps<Row> {
  /** The class of the grid is `rows-NAME`. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowHeightPx: { readonly wide: number; readonly narrow: number };
  /** Undefined while it is unknown. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => Row | undefined;
  /** Called with the rows in view, from `first` to before `end`. */
  readonly onView?: (first: number, end: number) => void;
  /** Called with whether the user has left the first row, by scrolling or by keyboard. */
  readonly onReading?: (isReading: boolean) => void;
  readonly sort?: SortState;
  /** Identifies the list. Another list starts at its top. */
  readonly request: string;
  /** The rows belong to the previous list: they are shown, but pale. */
  readonly isOld?: boolean;
  /** Height of the list; by default as high as the window allows. */
  readonly roomPx?: number;
  /** Going back in the history restores the scroll position. */
  readonly isRemembered?: boolean;
}
