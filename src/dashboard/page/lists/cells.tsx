/** Cells and columns that several lists share. */
import type { VNode } from "preact";
import { formatCount } from "../../../base/index.ts";
import type { HostStatus } from "../../../crawl/index.ts";
import type { Outcome } from "../../../log/index.ts";
import {
  eventTexts,
  hostStatusInWords,
  type ShareBounds,
  intervalFigures,
  intervalInWords,
  onLogScale,
  PART_WORDS,
  SCALE_WORDS,
  shareFigure,
  shareInWords,
  shownInLine,
} from "../../../text/index.ts";
import type { PageLine } from "../../protocol/http.ts";
import { hrefOfPage } from "../client/router.ts";
import { Moment } from "../components/parts.tsx";
import type { ListColumn } from "./virtual-rows.tsx";

/** Title and URL; the whole row links to the page's own view. */
export function PageCell({ page }: { readonly page: PageLine }): VNode {
  const title = shownInLine(page.title ?? "");
  const url = shownInLine(page.url);
  // Nobody expects a title of a page that was not fetched.
  const isUntitled = title === "" && eventTexts[page.state].tone === "good";
  return (
    <>
      <a class="page-title" href={hrefOfPage(page.id)} data-main tabIndex={-1}>
        <bdi>{title === "" ? url : title}</bdi>
      </a>
      {isUntitled && <i class="page-url">{page.title === null ? "no title" : "empty title"}</i>}
      {title !== "" && (
        <span class="page-url">
          <bdi>{url}</bdi>
        </span>
      )}
    </>
  );
}

/** The dark bar is certain, the pale one possible. */
export function IntervalBar({ share }: { readonly share: ShareBounds }): VNode {
  const low = 100 * onLogScale(share.low);
  const high = Math.max(100 * onLogScale(share.high), low);
  return (
    <span class="interval-bar" aria-hidden="true">
      <span class="possible" style={{ width: `${high}%` }} />
      <span class="certain" style={{ width: `${low}%` }} />
    </span>
  );
}

export function ImportanceCell({ share }: { readonly share: ShareBounds }): VNode {
  const words = intervalInWords(share);
  return (
    <span class="importance" title={`${words} of all importance. ${SCALE_WORDS}`}>
      <IntervalBar share={share} />
      <span class="figures" aria-hidden="true">
        {intervalFigures(share)}
      </span>
      <span class="hidden">{words}</span>
    </span>
  );
}

type ShareKind = "covered" | "missing" | "arriving" | "carried";

export function ShareCell({ share, of }: { readonly share: number; readonly of: ShareKind }): VNode {
  // What single pages hold differs by powers of ten; what hosts hold adds up to a whole.
  const isPart = of === "covered" || of === "missing";
  return (
    <span class="importance" title={isPart ? PART_WORDS : SCALE_WORDS}>
      <span class={`interval-bar is-${of}`} aria-hidden="true">
        {/* However small a share is, it can be seen: nothing has no bar. */}
        {share > 0 && <span class="certain" style={{ width: `${100 * (isPart ? share : onLogScale(share))}%` }} />}
      </span>
      <span class="figures">
        {of === "missing" ? shareInWords(share) : shareFigure(share)}
        <span class="unit"> {of === "arriving" ? "arrives" : of}</span>
      </span>
    </span>
  );
}

interface BadgeProps {
  readonly outcome: Outcome | "waiting";
  readonly status: number | null;
  readonly why: string;
}

/** The name of the state, never the colour alone, then the details. */
export function StateBadge({ outcome, status, why }: BadgeProps): VNode {
  const { name, tone } = eventTexts[outcome];
  const detail = detailOf(status, why);
  return (
    <span class={`badge tone-${tone}`} title={detail === "" ? name : `${name}: ${detail}`}>
      <b>{name}</b>
      {detail !== "" && <span>{detail}</span>}
    </span>
  );
}

function detailOf(status: number | null, words: string): string {
  if (status === null) return words;
  return words === "" || words === `status ${status}` ? String(status) : `${status} ${words}`;
}

export function WhenCell({ atMs }: { readonly atMs: number | null }): VNode {
  return atMs === null ? <span class="none">not yet</span> : <Moment atMs={atMs} />;
}

export function CountCell({ value, unit }: { readonly value: number; readonly unit: string }): VNode {
  return (
    <span class={value === 0 ? "none" : "count"}>
      {formatCount(value)}
      <span class="unit"> {unit}</span>
    </span>
  );
}

export function HostStatusCell({ status }: { readonly status: HostStatus | null }): VNode {
  if (status === null) return <span class="none">not in this run</span>;
  const { state, delayMs, connections, address } = status;
  const more = [`delay ${delayMs} ms`, `connections ${connections}`, ...(address === null ? [] : [address])];
  return (
    <span class={`host-status is-${state}`} title={more.join(", ")}>
      {hostStatusInWords(status)}
    </span>
  );
}

/** For lists of pages. */
export const RANK_COLUMN: ListColumn<Pick<PageLine, "rank">> = {
  key: "rank",
  title: "Rank",
  hint: "Place among the downloaded pages, by what is known of the web",
  track: "72px",
  isNumber: true,
  fromPx: 860,
  isWideOnly: true,
  cell: (page) => (page.rank === null ? "" : formatCount(page.rank)),
};
