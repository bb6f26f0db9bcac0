/** What is missing by reason: as a treemap with a list, and in brief as bars. */
import type { ComponentChildren, VNode } from "preact";
import { counted, formatCount, percentAtLeast } from "../../../base/index.ts";
import type { MissingReason } from "../../../coverage/index.ts";
import {
  atMostInWords,
  emptyInWords,
  outsideInWords,
  OUTSIDE_HEADING,
  OUTSIDE_WORDS,
  reasonFor,
  type ReasonWords,
  withoutShareInWords,
} from "../../../text/index.ts";
import type { RequestState, HostShare, Missing, MissingOfReason } from "../../protocol/http.ts";
import { surveyProgress, useFetch, useLive } from "../client/server.ts";
import { hrefOf } from "../client/router.ts";
import { Answered, AsOf, Panel, Surveying } from "../components/parts.tsx";
import { type TreemapCell, Treemap } from "./treemap.tsx";

/** Hosts drawn inside a reason. The others become one rectangle. */
const HOSTS_DRAWN = 12;
/** Reasons in the bars of the tide view. */
const BARS_MAX = 6;

export function useReasonWords(): (reason: MissingReason) => ReasonWords {
  const { overview } = useLive();
  if (overview === null) return (reason) => reasonFor(reason, null);
  const { state, reason: ended, status, seeds } = overview;
  const end = state === "ended" ? (ended ?? "cut-off") : state === "earlier" ? state : "running";
  return (reason) => reasonFor(reason, { pages: status.pages, seeds: seeds.length, end });
}

export function Reasons({ missing }: { readonly missing: Missing }): VNode {
  const wordsOf = useReasonWords();
  return (
    <div class="missing">
      <Treemap cells={missing.reasons.map((share) => cellOf(share, wordsOf(share.reason).name))} />
      <ReasonRows shares={missing.reasons} waiting={missing.waiting} />
    </div>
  );
}

/** What the universe leaves out, below what is missing. */
export function Outside({ outside }: Pick<Missing, "outside">): VNode | null {
  if (outside.length === 0) return null;
  return (
    <Panel title={OUTSIDE_HEADING} class="outside">
      <p class="lead">{OUTSIDE_WORDS}</p>
      <ReasonRows shares={outside} waiting={0} />
    </Panel>
  );
}

/** Each reason with its share, its meaning, what to do about it, and its pages. */
function ReasonRows({ shares, waiting }: { readonly shares: Missing["reasons"]; readonly waiting: number }): VNode {
  const wordsOf = useReasonWords();
  const largest = shares[0]?.mass ?? 1;
  return (
    <ul class="shares">
      {shares.map(({ reason, mass, pages, hostCount }) => {
        const { name, meaning, advice } = wordsOf(reason);
        const more = reason === "not-fetched" ? withoutShareInWords({ waiting, pages }) : "";
        return (
          <ShareRow
            key={reason}
            {...{ reason, mass, largest }}
            link={<a href={hrefOf("missing", { reason })}>{name}</a>}
            hasSwatch
          >
            <p class="share-note">
              {meaning} {advice}
            </p>
            {pages > 0 && (
              <p class="share-note">
                <a href={hrefOf("pages", { reason })}>{counted(pages, "page")}</a> on {counted(hostCount, "host")}
                {more !== "" && `; ${more}`}
              </p>
            )}
          </ShareRow>
        );
      })}
    </ul>
  );
}

function cellOf(share: MissingOfReason, name: string): TreemapCell {
  const { reason, mass } = share;
  const href = hrefOf("missing", { reason });
  const children = hostCells(share, share.hosts.slice(0, HOSTS_DRAWN), href);
  return { key: reason, name, mass, fill: reason, href, isWhole: true, ...(children.length > 0 && { children }) };
}

/** The hosts of a reason. Those that are not drawn become one cell, which leads to `othersHref`. */
export function hostCells(
  { reason, mass, hostCount }: MissingOfReason,
  drawn: readonly HostShare[],
  othersHref: string | null,
): TreemapCell[] {
  const fill = reason;
  const cells = drawn.map(
    ({ host, mass }): TreemapCell => ({ key: host, name: host, mass, fill, href: hrefOf("missing", { reason, host }) }),
  );
  const others = mass - drawn.reduce((sum, host) => sum + host.mass, 0);
  if (hostCount <= drawn.length || others <= 0) return cells;
  const name = `${formatCount(hostCount - drawn.length)} more hosts`;
  return [...cells, { key: "", name, mass: others, fill, href: othersHref, isWhole: true }];
}

/** What is missing now; loading until there is a survey. */
export function useMissing(): RequestState<Missing> {
  const { overview } = useLive();
  return useFetch<Missing>(overview === null || surveyProgress(overview) !== null ? null : "/api/missing");
}

/** A bar per reason, for the tide view. */
export function MissingBars({ answer }: { readonly answer: RequestState<Missing> }): VNode {
  const { overview } = useLive();
  const progress = surveyProgress(overview);
  if (progress !== null) return <Surveying progress={progress} />;
  return <Answered answer={answer}>{(missing) => <Bars missing={missing} />}</Answered>;
}

function Bars({ missing }: { readonly missing: Missing }): VNode {
  const wordsOf = useReasonWords();
  const { reasons, outside, coverage } = missing;
  const total = reasons.reduce((sum, { mass }) => sum + mass, 0);
  if (total === 0) {
    const empty = coverage === 0 ? emptyInWords(reasons, outside) : undefined;
    return (
      <>
        <p class="muted">{empty ?? `Nothing is missing: ${percentAtLeast(coverage)} is covered.`}</p>
        {empty === undefined && <LeftOut outside={outside} />}
      </>
    );
  }
  const others = reasons.slice(BARS_MAX);
  return (
    <>
      <ul class="bars">
        {reasons.slice(0, BARS_MAX).map(({ reason, mass }) => (
          <li key={reason}>
            <a class="bar-row" href={hrefOf("missing", { reason })}>
              <span class="bar-name">{wordsOf(reason).name}</span>
              <span class="number">{atMostInWords(mass)}</span>
              <ShareBar share={mass / reasons[0].mass} reason={reason} />
            </a>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p class="muted small">
          and {atMostInWords(others.reduce((sum, { mass }) => sum + mass, 0))} for{" "}
          {counted(others.length, "more reason")}
        </p>
      )}
      <LeftOut outside={outside} />
      <AsOf coverage={coverage} />
    </>
  );
}

/** While the crawl runs. Once it has ended, the words at the top of the view say so. */
function LeftOut({ outside }: Pick<Missing, "outside">): VNode | null {
  const { overview } = useLive();
  const words = overview?.state === "ended" ? undefined : outsideInWords(outside);
  return words === undefined ? null : <p class="muted small">{words}</p>;
}

interface ShareRowProps {
  readonly reason: MissingReason;
  readonly mass: number;
  /** The bar is drawn in proportion to this. */
  readonly largest: number;
  readonly link: VNode;
  readonly hasSwatch?: boolean;
  readonly children?: ComponentChildren;
}

/** A missing share: its name, its number, a bar and notes. */
export function ShareRow({ reason, mass, largest, link, hasSwatch, children }: ShareRowProps): VNode {
  return (
    <li>
      <div class="share-head">
        {hasSwatch === true && <span class={`swatch fill-${reason}`} aria-hidden="true" />}
        <span class="share-name">{link}</span>
        <span class="number">{atMostInWords(mass)}</span>
      </div>
      <ShareBar share={mass / largest} reason={reason} />
      {children}
    </li>
  );
}

function ShareBar({ share, reason }: { readonly share: number; readonly reason: MissingReason }): VNode {
  return (
    <span class="bar" aria-hidden="true">
      <span class={`bar-fill fill-${reason}`} style={{ width: `${Math.max(0.4, 100 * share)}%` }} />
    </span>
  );
}
