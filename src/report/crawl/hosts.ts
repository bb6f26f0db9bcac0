/** The hosts with the largest shares. */
import { counted, formatBytes, formatCount, formatSeconds } from "../../base/index.ts";
import type { SurveyHost } from "../../survey/index.ts";
import { shareFigure, shareInWords, shortened, stateTexts } from "../../text/index.ts";
import type { Section } from "../pieces/sections.ts";
import { markup } from "../pieces/markup.ts";
import { type RecordRow, recordSection } from "../pieces/records.ts";
import { drawBar } from "../pieces/shares.ts";
import type { CrawlContents } from "./contents.ts";
import { moreOf } from "./pages.ts";

export const HOST_ROWS_MAX = 50;
const HOST_LENGTH_MAX = 100;

export function hostsSection({ survey }: CrawlContents): Section {
  const hosts = largestHosts(survey.facts.hosts, HOST_ROWS_MAX);
  const largest = hosts[0]?.mass ?? 0;
  return recordSection(
    {
      heading: "Hosts",
      paragraphs: [
        "The least share of all importance that is covered on each host, and the share that is missing there. Errors " +
          "are failed attempts.",
      ],
    },
    {
      columns: [
        { title: "Host", kind: "text" },
        { title: "Covered", kind: "number" },
        { title: "", kind: "drawn" },
        { title: "Missing", kind: "number" },
        { title: "Pages", kind: "number", isOptional: true },
        { title: "Known", kind: "number", isOptional: true },
        { title: stateTexts.dead.name, kind: "number", isOptional: true },
        { title: stateTexts.refused.name, kind: "number", isOptional: true },
        { title: "Errors", kind: "number", isOptional: true },
        { title: "Bytes", kind: "number", isOptional: true },
        { title: "Response", kind: "number", isOptional: true },
      ],
      nameColumn: 0,
      rows: hosts.map((host) => rowOf(host, largest)),
      whenEmpty: "No host is known yet.",
      more: moreOf(survey.facts.hosts.length - hosts.length, "host"),
    },
  );
}

function rowOf(host: SurveyHost, largest: number): RecordRow {
  const { known, downloaded, dead, refused, errors, bytes, mass, missing, answerMs } = host;
  return {
    cells: [
      markup`<bdi>${shortened(host.host, HOST_LENGTH_MAX)}</bdi>`,
      shareFigure(mass),
      drawBar(mass, largest, "covered"),
      shareInWords(missing),
      formatCount(downloaded),
      formatCount(known),
      formatCount(dead),
      formatCount(refused),
      formatCount(errors),
      formatBytes(bytes),
      answerMs === null ? "–" : formatSeconds(answerMs / 1000),
    ],
    brief:
      `${formatCount(downloaded)} of ${formatCount(known)} pages, ${formatBytes(bytes)}` +
      (errors > 0 ? `, ${counted(errors, "error")}` : ""),
  };
}

/** By covered share, then by missing share, then by name. There may be millions of hosts, so not all are sorted. */
export function largestHosts(hosts: readonly SurveyHost[], count: number): SurveyHost[] {
  const best: SurveyHost[] = [];
  for (const host of hosts) {
    if (best.length === count && compare(host, best[count - 1]) >= 0) continue;
    let at = best.length;
    while (at > 0 && compare(host, best[at - 1]) < 0) at--;
    best.splice(at, 0, host);
    if (best.length > count) best.pop();
  }
  return best;
}

function compare(a: SurveyHost, b: SurveyHost): number {
  return b.mass - a.mass || b.missing - a.missing || (a.host < b.host ? -1 : 1);
}
