/**
 * A crawl as one HTML file that people pass on: what is certain, how it came about, where the rest is, what is broken, and how to get the
 * same again. Every list in it is bounded, so a crawl of ten million URLs has a report of the same size as one of ten thousand.
 */
import { commandsSection } from "../sections.ts";
import { renderReport } from "../html.ts";
import type { CrawlContents } from "./contents.ts";
import { hostsSection } from "./hosts.ts";
import { missingSection } from "./missing.ts";
import { deadSection, topPagesSection } from "./pages.ts";
import { refusedSection } from "./refused.ts";
import { rereadsSection } from "./rereads.ts";
import { settingsSection } from "./settings.ts";
import { summarySection } from "./summary.ts";
import { tideSection } from "./tide.ts";

export interface CrawlReportOptions {
  readonly title: string;
  readonly subtitle: string;
  /** What a reader types to get the same again, and to go on. */
  readonly commands: readonly { readonly purpose: string; readonly command: string }[];
}

export function crawlReport(contents: CrawlContents, options: CrawlReportOptions): string {
  const { title, subtitle, commands } = options;
  return renderReport({
    title,
    subtitle,
    hasContents: true,
    sections: [
      summarySection(contents),
      tideSection(contents),
      missingSection(contents),
      topPagesSection(contents),
      hostsSection(contents),
      deadSection(contents),
      refusedSection(contents),
      ...rereadsSection(contents),
      settingsSection(contents.settings),
      commandsSection(
        {
          heading: "How to reproduce this",
          paragraphs: [
            "Another crawl of the same web meets other answers at another time; the certificate and this report are functions of what is stored alone.",
          ],
        },
        commands,
      ),
    ],
  });
}
