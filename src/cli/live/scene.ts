/** Everything that the live view of a crawl shows, at one moment. */
import type {
  CrawlEvent,
  CrawlState,
  CrawlStatus,
  HostStatus,
  Limits,
  NextLimit,
} from "../../crawl/index.ts";
import type { RunHistory } from "./history.ts";

export interface Scene {
  readonly status: CrawlStatus;
  readonly state: CrawlState;
  readonly limits: Limits;
  readonly pagesPerSecond: number | undefined;
  readonly nextLimit: NextLimit | undefined;
  readonly history: RunHistory;
  /** The best first. */
  readonly hosts: readonly HostLine[];
  /** The newest last. */
  readonly events: readonly CrawlEvent[];
  readonly damping: number;
}

interface HostLine {
  readonly name: string;
  readonly pages: number;
  readonly errors: number;
  readonly treatment: HostStatus | null;
}
