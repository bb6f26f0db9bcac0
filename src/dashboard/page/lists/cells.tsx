/** What several lists show in the same way. */
import type { VNode } from "preact";
import { formatCount } from "../../../base/index.ts";
import type { Outcome } from "../../../log/index.ts";
import type { PageLine, Politeness, Share } from "../../protocol/http.ts";
import { Moment } from "../components/parts.tsx";
import { hrefOfPage } from "../client/router.ts";
import { shareFigure } from "../../../text/index.ts";
import { intervalFigures, intervalWords, onLogScale, SCALE_WORDS } from "./shares.ts";
import { outcomeNames, politenessWords, reasonText, stateTones } from "./state-words.ts";
import { shownInLine } from "./texts.ts";

/** Title and URL; the whole row leads to the page's own view. */
export function PageCell({ page }: { readonly page: PageLine }): VNode {
  const title = shownInLine(page.title ?? "");
  const url = shownInLine(page.url);
  // Of a page that nobody has read, nobody expects a title.
  const isUntitled = title === "" && page.state.startsWith("downloaded");
  return (
    <>
      <a class="page-title" href={hrefOfPage(page.id)} data-main tabIndex={-1}>
        <bdi>{title === "" ? url : title}</bdi>
      </a>
      {isUntitled && <i class="page-url">{page.title === null ? "without a title" : "an empty title"}</i>}
      {title !== "" && (
        <span class="page-url">
          <bdi>{url}</bdi>
        </span>
      )}
    </>
  );
}

/** Certain up to the end of the dark bar, possible up to the end of the pale one. */
export function IntervalBar({ share }: { readonly share: Share }): VNode {
  const low = 100 * onLogScale(share.low);
  const high = Math.max(100 * onLogScale(share.high), low);
  return (
    <span class="interval-bar" aria-hidden="true">
      <span class="possible" style={{ width: `${high}%` }} />
      <span class="certain" style={{ width: `${low}%` }} />
    </span>
  );
}

export function ImportanceCell({ share }: { readonly share: Share }): VNode {
  const words = intervalWords(share);
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

type ShareKind = "held" | "missing" | "arriving" | "carried";

/** A share as a plain bar beside its number. */
export function ShareCell({ share, of }: { readonly share: number; readonly of: ShareKind }): VNode {
  return (
    <span class="importance" title={SCALE_WORDS}>
      <span class={`interval-bar is-${of}`} aria-hidden="true">
        <span class="certain" style={{ width: `${100 * onLogScale(share)}%` }} />
      </span>
      <span class="figures">
        {shareFigure(share)}
        <span class="unit"> {of === "arriving" ? "arrives" : of}</span>
      </span>
    </span>
  );
}

interface BadgeProps {
  readonly outcome: Outcome | "waiting";
  readonly status: number | null;
  readonly reason: string | null;
}

/** The word, never the colour alone; what there is to say beyond it stands after it. */
export function StateBadge({ outcome, status, reason }: BadgeProps): VNode {
  const name = outcome === "waiting" ? "Waiting" : outcomeNames[outcome];
  const detail = detailOf(status, reason);
  return (
    <span class={`badge tone-${stateTones[outcome]}`} title={detail === "" ? name : `${name}: ${detail}`}>
      <b>{name}</b>
      {detail !== "" && <span>{detail}</span>}
    </span>
  );
}

function detailOf(status: number | null, reason: string | null): string {
  const words = reason === null ? "" : reasonText(shownInLine(reason));
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

export function PolitenessCell({ politeness }: { readonly politeness: Politeness | null }): VNode {
  if (politeness === null) return <span class="none">not crawled now</span>;
  const { state, delayMs, connections, address } = politeness;
  const more = [`delay ${delayMs} ms`, `connections ${connections}`, ...(address === null ? [] : [address])];
  return (
    <span class={`politeness is-${state}`} title={more.join(", ")}>
      {politenessWords(politeness)}
    </span>
  );
}
