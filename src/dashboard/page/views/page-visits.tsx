/** The visits of a page: the attempts of the crawl, and the rereads by `tidemark refresh`. */
import type { ComponentChildren, VNode } from "preact";
import { formatBytes, formatCount, formatSeconds } from "../../../base/index.ts";
import { rereadNames, shortReason, shownInLine } from "../../../text/index.ts";
import type { RereadLine, VisitLine } from "../../protocol/http.ts";
import { Moment, Panel } from "../components/parts.tsx";
import { StateBadge } from "../lists/cells.tsx";

export function Visits({ visits }: { readonly visits: readonly VisitLine[] }): VNode {
  return (
    <Panel title="Visits">
      {visits.length === 0 ? (
        <p class="muted">It was not requested.</p>
      ) : (
        <Table heads={["Visit", "When", "Outcome", "Response", "Bytes"]}>
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
    <Panel title="Rereads">
      {hasOlder && <p class="muted">Only the newest are shown. There may be older ones.</p>}
      {rereads.length === 0 && !hasOlder ? (
        <p class="muted">
          It was not read again. <code>tidemark refresh</code> decides which pages to read again.
        </p>
      ) : (
        <Table heads={["When", "Outcome", "Reason"]}>
          {rereads.map((reread) => (
            <tr key={reread.atMs}>
              <td>
                <Moment atMs={reread.atMs} />
              </td>
              <td>{rereadNames[reread.outcome]}</td>
              <td>
                <bdi>
                  {[reread.status, reread.reason === null ? null : shortReason(shownInLine(reread.reason))]
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
    // It may be wider than a phone, so it scrolls, also by keyboard.
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
