/** Where a list was scrolled to, kept in the entry of the browser's history to which it belongs: going back leads to the same rows. */

export interface Place {
  /** The question that the list answered. */
  readonly question: string;
  readonly topPx: number;
  readonly active: number;
}

export function rememberPlace(place: Place): void {
  history.replaceState({ place }, "");
}

/** Undefined where nothing was kept, or for another question. */
export function placeOfEntry(question: string): Place | undefined {
  const state = history.state as { readonly place?: Place } | null;
  return state?.place?.question === question ? state.place : undefined;
}
