/** Lines of events: when something happened to a host, to a seed or to the crawl itself, and what. */
import { type CrawlEvent } from "../../crawl/index.ts";
import { eventInWords } from "../../text/index.ts";
import { typedOptions } from "../crawl/typed-options.ts";
import { lossSentence } from "../crawl/words.ts";
import type { Canvas } from "./canvas.ts";
import { type Line, type Look, span } from "./spans.ts";

/** With fewer columns what happened is told without its time. */
const TIMED_COLUMNS_MIN = 48;

export function eventLine(event: CrawlEvent, damping: number, canvas: Canvas): Line {
  const words = canvas.printable(lineOf(event, damping));
  if (canvas.columns < TIMED_COLUMNS_MIN) return [span(canvas.cut(words, canvas.columns), lookOf(event))];
  const time = `${timeOfDay(event.atMs)}  `;
  return [span(time, "faint"), span(canvas.cut(words, canvas.columns - time.length), lookOf(event))];
}

/** The limits as the user types them, which is short; and what a lost seed costs. */
function lineOf(event: CrawlEvent, damping: number): string {
  if (event.name === "seed-lost") return lossSentence(event, damping);
  if (event.name !== "limits-changed") return eventInWords(event);
  const typed = typedOptions(event);
  return typed.length === 0 ? "no limits any more" : `new limits: ${typed.join(" ")}`;
}

function lookOf({ name }: CrawlEvent): Look {
  if (name === "host-given-up" || name === "seed-lost") return "error";
  return name === "host-paused" || name === "seed-in-trouble" ? "warning" : "plain";
}

/** By the clock on the wall: "14:03:22". */
function timeOfDay(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}
