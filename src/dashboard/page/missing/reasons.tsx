/** What is missing, by reason: as a treemap with a list, and in brief as bars. */
import type { VNode } from "preact";
import { counted, percentAtLeast } from "../../../base/index.ts";
import { shareInWords } from "../../../text/index.ts";
import type { Missing, MissingOfReason } from "../../protocol/http.ts";
import { useAsk } from "../client/api.ts";
import { surveyProgress, useLive } from "../client/live.ts";
import { hrefOf } from "../client/router.ts";
import { Answered, AsOf, Surveying } from "../components/parts.tsx";
import { reasonWordsOf } from "../components/words.ts";
import { type Cell, Treemap } from "./treemap.tsx";

/** Hosts drawn inside a reason; what is beyond them becomes one rectangle. */
const HOSTS_DRAWN = 12;

export function Reasons({ missing }: { readonly missing: Missing }): VNode {
  const { overview } = useLive();
  const largest = missing.reasons[0].mass;
  const words = new Map(missing.reasons.map(({ reason }) => [reason, reasonWordsOf(reason, overview)]));
  return (
    <div class="rest">
      <Treemap cells={missing.reasons.map((share) => cellOf(share, words.get(share.reason)!.name))} />
      <ul class="shares">
        {missing.reasons.map(({ reason, mass, pages, hostCount }) => (
          <li key={reason}>
            <div class="share-head">
              <span class={`swatch fill-${reason}`} aria-hidden="true" />
              <a class="share-name" href={hrefOf("rest", { reason })}>
                {words.get(reason)!.name}
              </a>
              <span class="number">{shareInWords(mass)}</span>
            </div>
            <ShareBar share={mass / largest} class={`fill-${reason}`} />
            <p class="share-note">
              {words.get(reason)!.meaning} {words.get(reason)!.advice}
            </p>
            {pages > 0 && (
              <p class="share-note">
                <a href={hrefOf("pages", { reason })}>{counted(pages, "page")}</a> on{" "}
                {counted(hostCount, "host")}
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function cellOf({ reason, mass, hosts, hostCount }: MissingOfReason, name: string): Cell {
  const drawn = hosts.slice(0, HOSTS_DRAWN);
  const others = mass - drawn.reduce((sum, host) => sum + host.mass, 0);
  const children: Cell[] = drawn.map(({ host, mass }) => ({
    key: host,
    name: host,
    mass,
    fill: reason,
    href: hrefOf("rest", { reason, host }),
  }));
  if (hostCount > drawn.length && others > 0) {
    const more = `${hostCount - drawn.length} more hosts`;
    children.push({
      key: "",
      name: more,
      mass: others,
      fill: reason,
      href: hrefOf("rest", { reason }),
      isWhole: true,
    });
  }
  return {
    key: reason,
    name,
    mass,
    fill: reason,
    href: hrefOf("rest", { reason }),
    isWhole: true,
    ...(children.length > 0 && { children }),
  };
}

const SHOWN = 6;

export function RestBars(): VNode {
  const { overview } = useLive();
  const progress = surveyProgress(overview);
  const answer = useAsk<Missing>(overview === null || progress !== null ? null : "/api/missing");
  if (progress !== null) return <Surveying progress={progress} />;
  return <Answered answer={answer}>{(missing) => <Bars missing={missing} />}</Answered>;
}

function Bars({ missing }: { readonly missing: Missing }): VNode {
  const { overview } = useLive();
  const total = missing.reasons.reduce((sum, { mass }) => sum + mass, 0);
  if (total === 0)
    return <p class="muted">Nothing is missing: {percentAtLeast(missing.coverage)} is covered.</p>;
  const hiddenCount = Math.max(0, missing.reasons.length - SHOWN);
  return (
    <>
      <ul class="bars">
        {missing.reasons.slice(0, SHOWN).map(({ reason, mass }) => (
          <li key={reason}>
            <a class="bar-row" href={hrefOf("rest", { reason })}>
              <span class="bar-name">{reasonWordsOf(reason, overview).name}</span>
              <span class="number">{shareInWords(mass)}</span>
              <ShareBar share={mass / missing.reasons[0].mass} class={`fill-${reason}`} />
            </a>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && (
        <p class="muted small">
          and {shareInWords(missing.reasons.slice(SHOWN).reduce((sum, { mass }) => sum + mass, 0))} for{" "}
          {hiddenCount} more {hiddenCount === 1 ? "reason" : "reasons"}
        </p>
      )}
      <AsOf coverage={missing.coverage} />
    </>
  );
}

export function ShareBar({ share, class: name }: { readonly share: number; readonly class: string }): VNode {
  return (
    <span class="bar" aria-hidden="true">
      <span class={`bar-fill ${name}`} style={{ width: `${Math.max(0.4, 100 * share)}%` }} />
    </span>
  );
}
