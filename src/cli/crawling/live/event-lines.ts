/** Lines of events: when something happened to a host, to a seed or to the crawl itself, and what. */
import { formatSeconds } from "../../../base/index.ts";
import type { CrawlEvent } from "../../../crawl/index.ts";
import { reasonInWords } from "../reasons.ts";
import { typedLimits } from "../typed-options.ts";
import { lossSentence, troubleSentence } from "../words.ts";
import type { Canvas } from "./canvas.ts";
import { type Line, type Look, span } from "./spans.ts";

/** With fewer columns what happened is told without its time. */
const TIMED_COLUMNS_MIN = 48;

export function eventLine(event: CrawlEvent, damping: number, canvas: Canvas): Line {
  const words = canvas.printable(eventInWords(event, damping));
  if (canvas.columns < TIMED_COLUMNS_MIN) return [span(canvas.cut(words, canvas.columns), lookOf(event))];
  const time = `${timeOfDay(event.atMs)}  `;
  return [span(time, "faint"), span(canvas.cut(words, canvas.columns - time.length), lookOf(event))];
}

function eventInWords(event: CrawlEvent, damping: number): string {
  switch (event.name) {
    case "host-paused":
      return `${event.host} ${reasonInWords(event.reason)}: left alone for ${seconds(event.forMs)}`;
    case "host-given-up":
      return `${event.host} is given up: it ${reasonInWords(event.reason)}`;
    case "seed-lost":
      return lossSentence(event, damping);
    case "seed-in-trouble":
      return troubleSentence(event);
    case "paused":
      return "paused: nothing new is fetched";
    case "resumed":
      return "goes on";
    case "limits-changed": {
      const typed = typedLimits(event);
      return typed.length === 0 ? "no limits any more" : `new limits: ${typed.join(" ")}`;
    }
    case "stopping":
      return `stopping: ${event.reason.replaceAll("-", " ")}`;
  }
}

function lookOf({ name }: CrawlEvent): Look {
  if (name === "host-given-up" || name === "seed-lost") return "error";
  return name === "host-paused" || name === "seed-in-trouble" ? "warning" : "plain";
}

/** By the clock on the wall: "14:03:22". */
function timeOfDay(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}

/** Whole seconds, one at the least. */
export function seconds(ms: number): string {
  return formatSeconds(Math.max(1, Math.round(ms / 1000)));
}
