/** The numbers of a crawl, each with its unit and a note. */
import type { VNode } from "preact";
import { formatBytes, formatCount, formatSeconds } from "../../../base/index.ts";
import { limitTexts, roughlyInWords, runStateNames, stateTexts } from "../../../text/index.ts";
import type { Overview } from "../../protocol/http.ts";
import { hrefOf } from "../client/router.ts";

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly href?: string;
}

export function Tiles({ overview }: { readonly overview: Overview }): VNode {
  return (
    <dl class="tiles">
      {tilesOf(overview).map(({ name, value, note, href }) => (
        <div class="tile" key={name}>
          <dt>{name}</dt>
          <dd>
            {href === undefined ? value : <a href={href}>{value}</a>}
            {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function tilesOf(overview: Overview): Tile[] {
  const { status, limits, pagesPerSecond, bytesPerSecond, secondsLeft, nextLimit } = overview;
  const isRunning = overview.state === "running" || overview.state === "elsewhere";
  const unknown = isRunning ? "not known yet" : runStateNames[overview.state].toLowerCase();
  return [
    {
      name: "Pages",
      value: formatCount(status.pages),
      note: limits.pages === undefined ? "no limit" : `of at most ${formatCount(limits.pages)}`,
      href: hrefOf("pages"),
    },
    {
      name: "Rate",
      value: pagesPerSecond === null ? "–" : `${formatCount(Number(pagesPerSecond.toPrecision(3)))} pages/s`,
      note: bytesPerSecond === null ? unknown : `${formatBytes(bytesPerSecond)}/s`,
    },
    {
      name: "ETA",
      value: secondsLeft === null ? "–" : roughlyInWords(secondsLeft),
      note: nextLimit === null ? unknown : `until the ${limitTexts[nextLimit]}`,
    },
    elapsed(overview),
    {
      name: "Frontier",
      value: formatCount(status.frontier),
      note: `of ${formatCount(status.known)} known`,
      href: hrefOf("frontier"),
    },
    { name: "Hosts", value: formatCount(status.hosts), href: hrefOf("hosts") },
    { name: "Downloaded", value: formatBytes(status.bytes), note: "response bodies" },
    {
      name: stateTexts.dead.name,
      value: formatCount(status.dead),
      note: "do not exist",
      href: hrefOf("pages", { state: "dead" }),
    },
    {
      name: stateTexts.refused.name,
      value: formatCount(status.refused),
      note: "skipped or failed",
      href: hrefOf("pages", { state: "refused" }),
    },
    { name: "Retries", value: formatCount(status.retries), note: "repeated attempts" },
  ];
}

/** The time of this run if the crawl runs here; else the time between the first and the last visit. */
function elapsed({ state, status, firstVisitMs, lastVisitMs }: Overview): Tile {
  const isHere = state === "running" || state === "paused" || state === "stopping";
  const elapsedMs = isHere ? status.elapsedMs : (lastVisitMs ?? 0) - (firstVisitMs ?? 0);
  return {
    name: "Elapsed",
    value: formatSeconds(Math.round(elapsedMs / 1000)),
    note: isHere ? "this run" : "first to last visit",
  };
}
