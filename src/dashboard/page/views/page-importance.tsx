/** The interval within which a page's importance certainly lies, drawn and in words. */
import type { VNode } from "preact";
import { formatCount } from "../../../base/index.ts";
import type { PageDetail } from "../../protocol.ts";
import { Panel } from "../components/parts.tsx";
import { REASONS, shareAtLeast, shareAtMost, shareFigure } from "../../../text/index.ts";
import { IntervalBar } from "../lists/cells.tsx";
import { isDust, onLogScale } from "../lists/shares.ts";
import { hrefOf } from "../router.ts";

/** Shares at which the scale is labelled. */
const TICKS = [
  [1e-8, "0.000001%"],
  [1e-6, "0.0001%"],
  [1e-4, "0.01%"],
  [1e-2, "1%"],
  [1, "100%"],
] as const;

export function PageImportance({ page }: { readonly page: PageDetail }): VNode {
  const { low, high } = page.importance;
  return (
    <Panel title="Importance">
      <p class="worth">
        {isDust(low) ? (
          <>At most {shareAtMost(high)}</>
        ) : (
          <>
            {shareAtLeast(low)} <span class="to">to</span> {shareAtMost(high)}
          </>
        )}
      </p>
      <figure class="interval">
        <IntervalBar share={page.importance} />
        <div class="ticks" aria-hidden="true">
          {TICKS.map(([share, label]) => (
            <span key={share} style={{ left: `${100 * onLogScale(share)}%` }}>
              {label}
            </span>
          ))}
        </div>
        <figcaption class="hidden">{"A scale by powers of ten, from 0.000001% to 100%."}</figcaption>
      </figure>
      <ul class="sentences">
        <li>
          {isDust(low)
            ? `${low === 0 ? "Nothing" : "Next to nothing"} is certain to arrive here; it holds at most ${shareAtMost(high)} of all importance, whatever the unknown part of the web looks like.`
            : `It holds at least ${shareAtLeast(low)} of all importance, and at most ${shareAtMost(high)}, whatever the unknown part of the web looks like.`}
        </li>
        {page.place !== null && (
          <li>
            {page.place.isCertain
              ? `It is number ${formatCount(page.place.place)} among the downloaded pages, and that is certain.`
              : `It is number ${formatCount(page.place.place)} among the downloaded pages by what is known; pages whose intervals meet its own may change places with it.`}
          </li>
        )}
        {page.trust !== null && (
          <li>
            It is trusted: a surfer who starts again begins here with a chance of {shareFigure(page.trust)}.
          </li>
        )}
        {page.missing !== null && (
          <li>
            {shareFigure(page.missing.mass)} of all importance is missing because of it. It counts to{" "}
            <a href={hrefOf("pages", { reason: page.missing.reason })}>
              {REASONS[page.missing.reason].name.toLowerCase()}
            </a>
            .
          </li>
        )}
      </ul>
    </Panel>
  );
}
