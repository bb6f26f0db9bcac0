/**
 * The dashboard of a refresh that runs in this process. It runs in a thread of its own, because a refresh weighs its
 * pages for seconds where there are many. Its errors are noted and do not stop the refresh.
 */
import { messageOf } from "../../base/index.ts";
import type { RefreshStatus } from "../../crawl/index.ts";
import type { ServerThread } from "../../dashboard/index.ts";
import { listening, type ServingOptions } from "../options/settings.ts";
import { writeJsonLine } from "../terminal/terminal.ts";

export class RefreshDashboard {
  readonly #dir: string;
  readonly #serving: ServingOptions;
  readonly #note: (text: string) => void;
  #thread: ServerThread | undefined;

  constructor(dir: string, serving: ServingOptions, note: (text: string) => void) {
    this.#dir = dir;
    this.#serving = serving;
    this.#note = note;
  }

  async open(json: boolean): Promise<void> {
    try {
      const { startServerThread } = await import("../../dashboard/index.ts");
      const { listen, token } = this.#serving;
      const thread = await listening(listen, (address) =>
        startServerThread({
          dir: this.#dir,
          ...address,
          ...(token === undefined ? {} : { token }),
          onError: (message) => this.#note(`the dashboard: ${message}`),
        }),
      );
      this.#thread = thread;
      if (json) writeJsonLine({ type: "serving", url: thread.url });
      this.#note(`the dashboard is at ${thread.url}`);
    } catch (error) {
      this.#note(`the dashboard could not start: ${messageOf(error)}`);
    }
  }

  /** Null: the refresh begins, and has nothing to report yet. */
  show(status: RefreshStatus | null): void {
    this.#thread?.send({ type: "refresh", status });
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
