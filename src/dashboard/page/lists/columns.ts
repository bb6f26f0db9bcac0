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
  /** Shows a bar, whose scale is said above the list. */
  readonly hasBar?: boolean;
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

export interface VirtualRowsProps<Row> {
  /** Names the grid in the style sheet: the class is `rows-NAME`. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowHeightPx: { readonly wide: number; readonly narrow: number };
  /** Undefined while it is not known. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => Row | undefined;
  readonly onLook?: (first: number, end: number) => void;
  /** Whether somebody reads further down than the first row, by eye or by keyboard. */
  readonly onReading?: (isReading: boolean) => void;
  readonly sort?: SortState;
  /** A list that answers another question begins at its top. */
  readonly question: string;
  /** Rows belong to the question before: they are shown, but pale. */
  readonly isOld?: boolean;
  /** As high as the window allows, or as `roomPx` says. */
  readonly roomPx?: number;
  /** Going back in the history leads to the same rows. */
  readonly isRemembered?: boolean;
}
