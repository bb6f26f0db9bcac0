/** The numbers of a crawl, each with its unit and what it is compared with. */
import type { VNode } from "preact";
import { formatBytes, formatCount, formatSeconds } from "../../../base/index.ts";
import type { Overview } from "../../protocol/http.ts";
import { formatRoughly } from "../components/parts.tsx";
import { stateWords } from "../components/words.ts";
import { hrefOf } from "../client/router.ts";
import { limitNames } from "./headline.ts";

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
  const unknown = isRunning ? "not known yet" : stateWords(overview).label.toLowerCase();
  return [
    {
      name: "Pages",
      value: formatCount(status.pages),
      note: limits.pages === undefined ? "no limit" : `of at most ${formatCount(limits.pages)}`,
      href: hrefOf("pages"),
    },
    {
      name: "Speed",
      value: pagesPerSecond === null ? "–" : `${formatCount(Number(pagesPerSecond.toPrecision(3)))} pages/s`,
      note: bytesPerSecond === null ? unknown : `${formatBytes(bytesPerSecond)}/s`,
    },
    {
      name: "Time left",
      value: secondsLeft === null ? "–" : formatRoughly(secondsLeft),
      note: nextLimit === null ? unknown : `to the ${limitNames[nextLimit]}`,
    },
    elapsed(overview),
    {
      name: "Frontier",
      value: formatCount(status.frontier),
      note: `of ${formatCount(status.known)} known`,
      href: hrefOf("frontier"),
    },
    { name: "Hosts", value: formatCount(status.hosts), href: hrefOf("hosts") },
    { name: "Downloaded", value: formatBytes(status.bytes), note: "bodies over the wire" },
    {
      name: "Dead",
      value: formatCount(status.dead),
      note: "links to nothing",
      href: hrefOf("pages", { state: "dead" }),
    },
    {
      name: "Refused",
      value: formatCount(status.refused),
      note: "robots, scope, limits",
      href: hrefOf("pages", { state: "refused" }),
    },
    { name: "Retries", value: formatCount(status.retries), note: "attempts tried again" },
  ];
}

/** Of a crawl that runs here, this run; of any other only the times of its visits are known. */
function elapsed({ state, status, firstVisitMs, lastVisitMs }: Overview): Tile {
  const isHere = state === "running" || state === "paused" || state === "stopping";
  const elapsedMs = isHere ? status.elapsedMs : (lastVisitMs ?? 0) - (firstVisitMs ?? 0);
  return {
    name: "Elapsed",
    value: formatSeconds(Math.round(elapsedMs / 1000)),
    note: isHere ? "in this run" : "from first visit to last",
  };
}
