/** The dashboard of a refresh that runs in this process. Its errors are noted and do not stop the refresh. */
import { messageOf } from "../../base/index.ts";
import type { RefreshStatus } from "../../crawl/index.ts";
import type { DashboardServer } from "../../dashboard/index.ts";
import { listening, type ServingOptions } from "../options/settings.ts";
import { writeJsonLine } from "../terminal/terminal.ts";

export class RefreshDashboard {
  readonly #dir: string;
  readonly #serving: ServingOptions;
  readonly #note: (text: string) => void;
  #status: RefreshStatus | undefined;
  #server: DashboardServer | undefined;
  #closeSurvey: () => Promise<void> = async () => {};

  constructor(dir: string, serving: ServingOptions, note: (text: string) => void) {
    this.#dir = dir;
    this.#serving = serving;
    this.#note = note;
  }

  async open(json: boolean): Promise<void> {
    try {
      const { startServer } = await import("../../dashboard/index.ts");
      const { SurveyCache } = await import("../../survey/index.ts");
      const { listen, token } = this.#serving;
      const survey = new SurveyCache({ dir: this.#dir, isRunning: () => true });
      this.#closeSurvey = () => survey.close();
      const server = await listening(listen, (address) =>
        startServer({
          dir: this.#dir,
          survey,
          refresh: () => this.#status,
          ...address,
          ...(token === undefined ? {} : { token }),
          onError: (error) => this.#note(`the dashboard: ${messageOf(error)}`),
        }),
      );
      this.#server = server;
      survey.refresh();
      if (json) writeJsonLine({ type: "serving", url: server.url });
      this.#note(`the dashboard is at ${server.url}`);
    } catch (error) {
      this.#note(`the dashboard could not start: ${messageOf(error)}`);
    }
  }

  show(status: RefreshStatus): void {
    this.#status = status;
  }

  async close(): Promise<void> {
    await this.#server?.close();
    await this.#closeSurvey();
  }
}
