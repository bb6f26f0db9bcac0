/** The frontier: what the crawl would fetch next, and why. */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { counted, formatCount } from "../../../base/index.ts";
import { orderRule } from "../../../text/index.ts";
import type { FrontierList, FrontierLine } from "../../protocol/http.ts";
import { fetchJson, isHere, useLive } from "../client/server.ts";
import { hrefOf, pathOf } from "../client/router.ts";
import { Empty, ListPanel, PausedNote } from "../components/parts.tsx";
import { CountCell, PageCell, HostStatusCell, ShareCell } from "../lists/cells.tsx";
import type { ListColumn } from "../lists/virtual-rows.tsx";
import { Listing, useRows } from "../lists/listing.tsx";
import type { FetchRows } from "../lists/row-store.ts";

/** The server sends no more: later URLs will have changed long before their turn. */
const ROWS_MAX = 200;
const ROW_PX = { wide: 46, narrow: 70 };
const ROW_LIVE_PX = { wide: 46, narrow: 92 };

const COLUMNS: readonly ListColumn<FrontierLine>[] = [
  { key: "number", title: "Next", track: "56px", isNumber: true, cell: (_page, index) => formatCount(index + 1) },
  { key: "page", title: "URL", track: "minmax(0, 1fr)", isHeader: true, cell: (page) => <PageCell page={page} /> },
  {
    key: "arrives",
    hasBar: true,
    title: "Certain share",
    hint: "Share of all importance that certainly arrives there",
    track: "minmax(150px, 200px)",
    cell: ({ arrives }) => <ShareCell share={arrives} of="arriving" />,
  },
  {
    key: "links",
    title: "Linked from",
    hint: "Fetched pages that link to it",
    track: "110px",
    isNumber: true,
    cell: ({ linksIn }) => <CountCell value={linksIn} unit={linksIn === 1 ? "page links to it" : "pages link to it"} />,
  },
  {
    key: "depth",
    title: "Depth",
    track: "64px",
    isNumber: true,
    fromPx: 900,
    isWideOnly: true,
    cell: ({ depth }) => depth,
  },
];
const COLUMNS_LIVE: readonly ListColumn<FrontierLine>[] = [
  ...COLUMNS,
  {
    key: "status",
    title: "Host status",
    hint: "The current status of its host",
    track: "minmax(130px, 200px)",
    cell: ({ politeness }) => <HostStatusCell status={politeness} />,
  },
];

export function FrontierView(): VNode {
  const { overview } = useLive();
  const waiting = useRef<number>(undefined);
  const isLive = isHere(overview);
  const fetchFrontier: FetchRows<FrontierLine> = async (from, count, signal) => {
    const answer = await fetchJson<FrontierList>(pathOf("/api/frontier", { count: from + count }), signal);
    if (answer.state !== "there") return answer;
    const { survey, total, rows } = answer.value;
    waiting.current = total;
    const isWhole = rows.length < from + count;
    const listed = isWhole ? rows.length : Math.min(total, ROWS_MAX);
    return { state: "there", value: { survey, total: listed, rows: rows.slice(from) } };
  };
  const rows = useRows<FrontierLine>("/api/frontier", {}, { isLive, fetchRows: fetchFrontier });
  const order = overview?.order;
  return (
    <ListPanel
      title="Frontier"
      lead={
        order !== undefined && (
          <>
            What the order <code>{order}</code> would fetch next. {orderRule(order)}
            {isLive && " A page is skipped while its host is resting or paused."}
          </>
        )
      }
    >
      <PausedNote />
      <Listing
        rows={rows}
        summary={(listed) => summary(listed, waiting.current ?? listed)}
        table={{
          name: "frontier",
          label: "What the crawl would fetch next",
          columns: isLive ? COLUMNS_LIVE : COLUMNS,
          rowHeightPx: isLive ? ROW_LIVE_PX : ROW_PX,
          isRemembered: true,
        }}
        empty={
          <Empty title="Nothing is waiting">
            <p>
              Every reachable URL has been fetched or ruled out. See <a href={hrefOf("missing")}>what is missing</a>.
            </p>
          </Empty>
        }
      />
    </ListPanel>
  );
}

function summary(listed: number, waiting: number): string {
  const all = `${counted(waiting, "URL")} waiting`;
  return listed < waiting ? `${all}; the next ${formatCount(listed)} are listed` : all;
}
