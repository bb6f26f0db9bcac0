/** What a page and a browser may use. */
import type { Timers } from "../base/index.ts";

export interface RenderLimits {
  /** A page is done when it has loaded and wanted nothing for so long. */
  readonly quietMs: number;
  /** Of its own: while it waits for a resource, its time stands still. */
  readonly pageMs: number;
  /** To read the document in the end, and to close the page. */
  readonly snapshotMs: number;
  readonly closeMs: number;
  readonly launchMs: number;
  /** Further resources are refused, and the page is cut. */
  readonly resourcesPerPage: number;
  /** Characters; a longer document is cut. */
  readonly documentLength: number;
  /** At the same time. */
  readonly pages: number;
  /** What scripts stored is forgotten, and the browser is replaced, after so many. */
  readonly pagesPerContext: number;
  readonly pagesPerBrowser: number;
  /** A page with which the browser dies is begun again, so often in all. */
  readonly attempts: number;
}

export const defaultRenderLimits: RenderLimits = {
  quietMs: 500,
  pageMs: 15_000,
  snapshotMs: 5_000,
  closeMs: 5_000,
  launchMs: 30_000,
  resourcesPerPage: 200,
  documentLength: 8 * 2 ** 20,
  pages: 4,
  pagesPerContext: 50,
  pagesPerBrowser: 200,
  attempts: 4,
};

/** Something took longer than it may. */
export class HungError extends Error {
  override readonly name = "HungError";
}

/** A page could not even be closed: its browser is of no use any more. */
export class StuckError extends Error {
  override readonly name = "StuckError";
}

/** The outcome, or a `HungError` after so long. */
export async function within<T>(timers: Timers, ms: number, outcome: Promise<T>): Promise<T> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = timers.after(ms, () => reject(new HungError(`no response within ${ms} ms`)));
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    cancel();
  }
}
