/** The words above the tide: what is covered, the stricter number, what happens next, what to do. */
import type { VNode } from "preact";
import { shellWord, systemTimers } from "../../../base/index.ts";
import {
  besideHeadline,
  headline,
  measureInWords,
  nextSteps,
  outlook,
  outOfReach,
  type RunState,
  summaryInWords,
} from "../../../text/index.ts";
import type { Missing, Overview } from "../../protocol/http.ts";
import { hrefOf } from "../client/router.ts";

interface SummaryProps {
  readonly overview: Overview;
  /** Null until it is known. */
  readonly missing: Missing | null;
}

export function Headline({ overview, missing }: SummaryProps): VNode {
  const beside = besideHeadline(overview);
  return (
    <div>
      <h1>{headline(overview)}</h1>
      {beside !== undefined && <p class="beside">{beside}</p>}
      {overview.state === "ended" && missing !== null ? (
        <Findings overview={overview} missing={missing} />
      ) : (
        <p class="lead">{outlook(overview, systemTimers.wallMs())}</p>
      )}
      {overview.state === "refreshing" && <ReadAgain />}
      {!WITHOUT_TARGET.has(overview.state) && <OutOfReach overview={overview} missing={missing} />}
    </div>
  );
}

/** A crawl that has ended has findings instead; a refresh goes on whatever is covered. */
const WITHOUT_TARGET: ReadonlySet<RunState> = new Set(["ended", "refreshing"]);

function ReadAgain(): VNode {
  return (
    <p>
      <a href={hrefOf("freshness")}>What is read next, and how old the copies are</a>
    </p>
  );
}

/** The target of a running crawl is out of reach. One that has ended says so in its findings. */
function OutOfReach({ overview, missing }: SummaryProps): VNode | null {
  const words = outOfReach(overview, missing?.reasons ?? []);
  if (words === undefined) return null;
  return (
    <p class="warning" role="status">
      {words} <a href={hrefOf("missing")}>What is missing</a>
    </p>
  );
}

/** What the report says, too. */
function Findings({ overview, missing }: { readonly overview: Overview; readonly missing: Missing }): VNode {
  const { reason, seeds } = overview;
  const { reasons, outside } = missing;
  const end = reason ?? "cut-off";
  const sentences = [
    ...summaryInWords({ ...overview, end, seeds: seeds.length, missing: reasons, outside }),
    measureInWords(overview),
  ];
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} class="lead">
          {sentence}
        </p>
      ))}
    </>
  );
}

/** Commands for a crawl that has ended; nothing while it runs. */
export function NextSteps({ overview, missing }: SummaryProps): VNode | null {
  const { state, reason, name, status } = overview;
  if (state !== "ended" || missing === null) return null;
  const { coverage, ceiling } = status;
  const where = { ...overview, reason: reason ?? "interrupted", coverage, ceiling, missing: missing.reasons };
  const steps = nextSteps({ ...where, dir: shellWord(name) });
  if (steps.length === 0) return null;
  return (
    <section class="next-steps">
      <h2>What to do next</h2>
      <p class="muted">
        In the folder that contains <bdi>{name}</bdi>:
      </p>
      <dl>
        {steps.map(({ command, purpose }) => (
          <div key={command}>
            <dt>{`${purpose[0]?.toUpperCase() ?? ""}${purpose.slice(1)}`}</dt>
            <dd>
              <code>tidemark {command}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
