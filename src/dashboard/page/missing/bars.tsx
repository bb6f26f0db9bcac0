/** Where the rest is, in brief: a bar for each reason, as long as its share of what is missing. */
import type { VNode } from "preact";
import { percentAtLeast } from "../../../base/index.ts";
import type { Missing } from "../../protocol.ts";
import { shareInWords } from "../../../text/index.ts";
import { useAsk } from "../api.ts";
import { AsOf } from "../components/notes.tsx";
import { Answered, Surveying } from "../components/parts.tsx";
import { reasonWordsOf } from "../components/words.ts";
import { surveyProgress, useLive } from "../live.ts";
import { hrefOf } from "../router.ts";

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
