/** Lines of hosts: how many pages they gave, how often they failed, and how they are treated at this moment. */
import { counted } from "../../base/index.ts";
import { type HostState, type HostStatus } from "../../crawl/index.ts";
import { waitInWords } from "../../text/index.ts";
import type { Canvas } from "./canvas.ts";
import { columnsOf } from "./columns.ts";
import type { Scene } from "./scene.ts";
import { type Line, type Look, type Span, span } from "./spans.ts";

const STATES: Readonly<Record<HostState, readonly [words: string, look: Look]>> = {
  free: ["free", "faint"],
  busy: ["being asked", "plain"],
  resting: ["resting", "faint"],
  paused: ["paused", "warning"],
  robots: ["robots.txt awaited", "faint"],
  full: ["gave all it may", "faint"],
  "given-up": ["given up", "error"],
};

const NAME_COLUMNS_MIN = 12;
/** Between columns. */
const SPACE = "  ";

export function hostLines(hosts: Scene["hosts"], canvas: Canvas): Line[] {
  const rows = hosts.map(({ name, pages, errors, treatment }) => ({
    name: canvas.printable(name),
    pages: counted(pages, "page"),
    errors: errors === 0 ? "" : counted(errors, "error"),
    state: stateSpan(treatment),
  }));
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(columnsOf));
  const pagesWidth = widest(rows.map(({ pages }) => pages));
  const errorsWidth = widest(rows.map(({ errors }) => errors));
  const stateWidth = widest(rows.map(({ state }) => state.text));
  const others = [pagesWidth, errorsWidth, stateWidth].filter((width) => width > 0);
  const room = canvas.columns - others.reduce((sum, width) => sum + width + SPACE.length, 0);
  const nameWidth = Math.min(widest(rows.map(({ name }) => name)), Math.max(NAME_COLUMNS_MIN, room));
  return rows.map(({ name, pages, errors, state }) => [
    span(canvas.padded(name, nameWidth)),
    span(`${SPACE}${pages.padStart(pagesWidth)}`),
    ...(errorsWidth === 0 ? [] : [span(`${SPACE}${errors.padStart(errorsWidth)}`, "warning")]),
    ...(state.text === "" ? [] : [span(SPACE), state]),
  ]);
}

function stateSpan(treatment: HostStatus | null): Span {
  if (treatment === null) return span("");
  const [words, look] = STATES[treatment.state];
  const { pausedForMs } = treatment;
  return span(pausedForMs === null ? words : `${words} ${waitInWords(pausedForMs)}`, look);
}
