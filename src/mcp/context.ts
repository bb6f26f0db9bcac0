/** What all tools share: the folder of crawls, the runs, surveys. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { type Survey, surveyOf } from "../survey/index.ts";
import { CrawlFolder } from "./crawl-folder.ts";
import { CrawlRuns } from "./crawl-runs.ts";
import type { McpOptions } from "./options.ts";
import { answer } from "./replies.ts";

export class Context {
  readonly options: McpOptions;
  readonly folder: CrawlFolder;
  readonly runs: CrawlRuns;
  readonly #calls = new Set<Promise<CallToolResult>>();

  constructor(options: McpOptions) {
    this.options = options;
    this.folder = new CrawlFolder(options.root);
    this.runs = new CrawlRuns(options);
  }

  /** The handler of a tool. */
  readonly answering = <Args>(work: (args: Args) => Promise<CallToolResult>) => {
    return async (args: Args): Promise<CallToolResult> => {
      const { onBug } = this.options;
      const call = answer({ root: this.folder.root, onBug }, () => work(args));
      this.#calls.add(call);
      try {
        return await call;
      } finally {
        this.#calls.delete(call);
      }
    };
  };

  /** Reads the survey of a crawl, as it is now, and closes it afterwards. */
  async surveying<T>(dir: string, read: (survey: Survey) => T | Promise<T>): Promise<T> {
    const survey = await (this.options.surveyOf ?? surveyOf)(dir);
    try {
      return await read(survey);
    } finally {
      survey.close();
    }
  }

  /** Stops all crawls in order; calls that are under way get their reply. */
  async close(): Promise<void> {
    await this.runs.close();
    await Promise.all(this.#calls);
  }
}
