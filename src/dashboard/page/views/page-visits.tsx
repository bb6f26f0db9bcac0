/** What happened whenever a page was asked for: the attempts of the crawl, and the times it was read again. */
import type { ComponentChildren, VNode } from "preact";
import { formatBytes, formatCount, formatSeconds } from "../../../base/index.ts";
import type { RereadLine, VisitLine } from "../../protocol/http.ts";
import { Moment, Panel } from "../components/parts.tsx";
import { StateBadge } from "../lists/cells.tsx";
import { reasonText } from "../lists/state-words.ts";
import { shownInLine } from "../lists/texts.ts";

export function Visits({ visits }: { readonly visits: readonly VisitLine[] }): VNode {
  return (
    <Panel title="Visits">
      {visits.length === 0 ? (
        <p class="muted">It was not asked for.</p>
      ) : (
        <Table heads={["Visit", "When", "What became of it", "Answered in", "Bytes"]}>
          {visits.map((visit) => (
            <tr key={visit.number}>
              <td class="is-number">{formatCount(visit.number)}</td>
              <td>
                <Moment atMs={visit.atMs} />
              </td>
              <td>
                <StateBadge outcome={visit.outcome} status={visit.status} reason={visit.reason} />
              </td>
              <td class="is-number">{formatSeconds(visit.milliseconds / 1000)}</td>
              <td class="is-number">{formatBytes(visit.bytes)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

export function Rereads({
  rereads,
  hasOlder,
}: {
  readonly rereads: readonly RereadLine[];
  readonly hasOlder: boolean;
}): VNode {
  return (
    <Panel title="Read again">
      {hasOlder && <p class="muted">Only the newest are looked for; there may be older ones.</p>}
      {rereads.length === 0 && !hasOlder ? (
        <p class="muted">
          It was not read again. <code>tidemark refresh</code> says which pages should be, and reads them.
        </p>
      ) : (
        <Table heads={["When", "What became of it", "Why"]}>
          {rereads.map((reread) => (
            <tr key={reread.atMs}>
              <td>
                <Moment atMs={reread.atMs} />
              </td>
              <td>{reread.outcome}</td>
              <td>
                <bdi>
                  {[reread.status, reread.reason === null ? null : reasonText(shownInLine(reread.reason))]
                    .filter((part) => part !== null)
                    .join(" ")}
                </bdi>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function Table({
  heads,
  children,
}: {
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}): VNode {
  return (
    // Wider than a phone at times: it scrolls within itself, also by keyboard.
    <div class="table-scroll" tabIndex={0} role="group" aria-label={`${heads[0]} table`}>
      <table class="plain-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
