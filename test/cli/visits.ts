/** What a crawl of another process has committed so far. */
import { openWindow } from "../../src/store/index.ts";

/** 0 also where there is no crawl yet. */
export function visitsIn(dir: string): number {
  try {
    const window = openWindow(dir);
    const visits = window.lastVisit();
    window.close();
    return visits;
  } catch {
    return 0;
  }
}
