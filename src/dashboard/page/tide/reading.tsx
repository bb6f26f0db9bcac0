/** What a point of the tide says: in figures, in a sentence, in a table; and what the lines of the picture are. */
import type { VNode } from "preact";
import { formatCount, percentAtLeast } from "../../../base/index.ts";
import type { Tide } from "../../protocol/http.ts";
import type { TidePoint } from "../../../survey/index.ts";
import { formatClock } from "../components/parts.tsx";

export function Reading({ point, isLast }: { readonly point: TidePoint; readonly isLast: boolean }): VNode {
  const [pages, atMs, certified, guaranteed] = point;
  return (
    <dl class="reading" aria-hidden="true">
      <div>
        <dt>{isLast ? "Pages now" : "At page"}</dt>
        <dd>{formatCount(pages)}</dd>
      </div>
      <div>
        <dt>Certified</dt>
        <dd class="certified">{percentAtLeast(certified)}</dd>
      </div>
      {guaranteed !== null && (
        <div>
          <dt>Order's own bound</dt>
          <dd>{percentAtLeast(guaranteed)}</dd>
        </div>
      )}
      <div>
        <dt>Time</dt>
        <dd>{formatClock(atMs)}</dd>
      </div>
    </dl>
  );
}

export function readingText([pages, atMs, certified, guaranteed]: TidePoint): string {
  const own = guaranteed === null ? "" : `, order's own bound ${percentAtLeast(guaranteed)}`;
  return `${formatCount(pages)} pages: at least ${percentAtLeast(certified)} certified${own}, ${formatClock(atMs)}`;
}

export function Key({
  tide,
  hasProjection,
}: {
  readonly tide: Tide;
  readonly hasProjection: boolean;
}): VNode {
  const hasOwn = tide.points.some((point) => point[3] !== null);
  return (
    <ul class="key" aria-label="Lines of the picture">
      <li class="key-certified">Certified coverage</li>
      {hasOwn && <li class="key-own">The order's own bound</li>}
      {tide.target !== null && <li class="key-target">Target</li>}
      {hasProjection && <li class="key-projected">By present speed</li>}
    </ul>
  );
}

/** About twenty points, evenly chosen, with the first and the last. */
const ROWS = 20;

export function Numbers({ tide: { points } }: { readonly tide: Tide }): VNode {
  const count = Math.min(ROWS, points.length);
  const rows = Array.from(
    { length: count },
    (_, row) => points[count === 1 ? 0 : Math.round((row * (points.length - 1)) / (count - 1))],
  );
  return (
    <details class="numbers">
      <summary>The numbers behind the picture</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Pages</th>
            <th scope="col">Time</th>
            <th scope="col">Certified</th>
            <th scope="col">Order's own bound</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([pages, atMs, certified, guaranteed]) => (
            <tr key={pages}>
              <td>{formatCount(pages)}</td>
              <td>{formatClock(atMs)}</td>
              <td>{percentAtLeast(certified)}</td>
              <td>{guaranteed === null ? "–" : percentAtLeast(guaranteed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
