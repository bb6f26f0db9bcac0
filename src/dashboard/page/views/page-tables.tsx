/** The links of a page in both directions, with the share that each carries, its visits and its rereads. */
import type { VNode } from "preact";
import { counted, formatPercent, formatBytes, formatCount, formatSeconds } from "../../../base/index.ts";
import { shownInLine } from "../../../text/index.ts";
import type { LinkLine, PageDetail } from "../../protocol/http.ts";
import { useLive } from "../client/server.ts";
import { hrefOfPage } from "../client/router.ts";
import { Empty, Moment, Panel, Table } from "../components/parts.tsx";
import { CountCell, PageCell, ShareCell, StateBadge } from "../lists/cells.tsx";
import type { ListColumn } from "../lists/virtual-rows.tsx";
import { Listing, useRows } from "../lists/listing.tsx";

type Side = "in" | "out";

const ROW_PX = { wide: 52, narrow: 78 };
const ROOM_PX = 430;

const COLUMNS: readonly ListColumn<LinkLine>[] = [
  {
    key: "page",
    title: "Page",
    track: "minmax(0, 1fr)",
    isHeader: true,
    cell: ({ page }) => <PageCell page={page} />,
  },
  {
    key: "carries",
    hasBar: true,
    title: "Carries",
    hint: "Share of all importance that this link carries at least",
    track: "minmax(140px, 190px)",
    cell: ({ carries }) => <ShareCell share={carries} of="carried" />,
  },
  {
    key: "times",
    title: "Times",
    hint: "How often the link occurs on the page",
    track: "64px",
    isNumber: true,
    cell: ({ times }) => <CountCell value={times} unit={times === 1 ? "time" : "times"} />,
  },
];

export function PageLinks({ page, side }: { readonly page: PageDetail; readonly side: Side }): VNode {
  const total = side === "in" ? page.linksIn : page.linksOut;
  return (
    <Panel title={side === "in" ? "Links to this page" : "Links on this page"} class="links-panel">
      <p class="muted">{side === "in" ? inWords(total) : <OutWords page={page} />}</p>
      {total > 0 && <LinkRows page={page} side={side} />}
    </Panel>
  );
}

function LinkRows({ page, side }: { readonly page: PageDetail; readonly side: Side }): VNode {
  const rows = useRows<LinkLine>(`/api/pages/${page.id}/${side}`, {});
  return (
    <Listing
      rows={rows}
      summary={(total) => counted(total, "page")}
      table={{
        name: "links",
        label: side === "in" ? "Pages that link to this page" : "Pages that this page links to",
        columns: COLUMNS,
        rowHeightPx: ROW_PX,
        roomPx: ROOM_PX,
      }}
      empty={<Empty title="There are none" />}
    />
  );
}

function inWords(total: number): string {
  if (total === 0) return "No fetched page links to it.";
  return (
    "Largest share first. A link carries the importance of its page, times the damping factor, divided by the " +
    "number of links there."
  );
}

function OutWords({ page }: { readonly page: PageDetail }): VNode {
  const { overview } = useLive();
  const damping = overview?.damping ?? 0.85;
  if (page.state === "dead")
    return <>It does not exist, so it has no links. A surfer who arrives here starts again at a trusted page.</>;
  if (page.target !== null) {
    return (
      <>
        All of its importance goes, undamped, to <a href={hrefOfPage(page.target.id)}>the target of the redirect</a>.
      </>
    );
  }
  if (page.state === "waiting") return <>Unknown until it is fetched.</>;
  if (page.state === "refused") return <>Unknown, since it was not fetched.</>;
  if (page.linksOut === 0) return <>It has no links. A surfer who arrives here starts again at a trusted page.</>;
  return (
    <>
      {formatPercent(damping)} of its importance {splitAmong(page.linksOut)}.{" "}
      {`The other ${formatPercent(1 - damping)} goes back to the seeds.`}
      {page.state === "links-unknown" &&
        " Not all of its links are known, as its visit below says, so their shares count as unknown."}
    </>
  );
}

function splitAmong(links: number): string {
  return links === 1 ? "goes to its only link" : `is split equally among its ${formatCount(links)} links`;
}

export function Visits({ page: { visits } }: { readonly page: PageDetail }): VNode {
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
                <StateBadge outcome={visit.outcome} status={visit.status} why={visit.why} />
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

export function Rereads({ page }: { readonly page: PageDetail }): VNode {
  const { rereads, hasOlderRereads: hasOlder = false } = page;
  return (
    <Panel title="Rereads">
      {hasOlder && <p class="muted">Only the newest are shown. There may be older ones.</p>}
      {rereads.length === 0 && !hasOlder ? (
        <p class="muted">
          It has not been read again. <code>tidemark refresh</code> decides which pages to read again.
        </p>
      ) : (
        <Table heads={["When", "Outcome", "Reason"]}>
          {rereads.map((reread) => (
            <tr key={reread.atMs}>
              <td>
                <Moment atMs={reread.atMs} />
              </td>
              <td>
                {reread.outcome}
                {reread.earlierCount !== undefined && (
                  <span class="muted"> (and {counted(reread.earlierCount, "earlier read")})</span>
                )}
              </td>
              <td>
                <bdi>
                  {[reread.status, reread.reason?.replaceAll("-", " "), reread.target]
                    .filter((part) => part !== null && part !== undefined)
                    .map((part) => shownInLine(String(part)))
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
