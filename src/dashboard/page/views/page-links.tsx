/** Who links to a page, and where its own importance goes: lists of links with what each of them carries. */
import type { VNode } from "preact";
import { counted, percent } from "../../../base/index.ts";
import type { LinkLine, PageDetail } from "../../protocol/http.ts";
import { useLive } from "../client/live.ts";
import { hrefOfPage } from "../client/router.ts";
import { Empty, Panel } from "../components/parts.tsx";
import { CountCell, PageCell, ShareCell } from "../lists/cells.tsx";
import type { Column } from "../lists/columns.ts";
import { Listing, useRows } from "../lists/listing.tsx";

type Side = "in" | "out";

const ROW_PX = { wide: 52, narrow: 78 };
const ROOM_PX = 430;

const COLUMNS: readonly Column<LinkLine>[] = [
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
    hint: "Share of all importance that goes along this link, at the least",
    track: "minmax(140px, 190px)",
    cell: ({ carries }) => <ShareCell share={carries} of="carried" />,
  },
  {
    key: "times",
    title: "Times",
    hint: "How many times the link stands there",
    track: "64px",
    isNumber: true,
    cell: ({ times }) => <CountCell value={times} unit={times === 1 ? "time" : "times"} />,
  },
];

export function PageLinks({ page, side }: { readonly page: PageDetail; readonly side: Side }): VNode {
  const total = side === "in" ? page.linksIn : page.linksOut;
  return (
    <Panel title={side === "in" ? "Who links to it" : "Where its importance goes"} class="links-panel">
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
        label: side === "in" ? "Pages that link to it" : "Pages that it links to",
        columns: COLUMNS,
        rowHeightPx: ROW_PX,
        roomPx: ROOM_PX,
      }}
      empty={<Empty title="There are none" />}
    />
  );
}

function inWords(total: number): string {
  if (total === 0) return "No page that was read links to it.";
  return "Those that bring most come first. A link carries the importance of the page it stands on, damped, divided among all links there.";
}

function OutWords({ page }: { readonly page: PageDetail }): VNode {
  const { overview } = useLive();
  const damping = overview?.damping ?? 0.85;
  if (page.state === "dead") return <>Nowhere: a surfer who comes here starts again at a trusted page.</>;
  if (page.target !== null) {
    return (
      <>
        All of it moves on, undamped, to <a href={hrefOfPage(page.target.id)}>where this address leads</a>.
      </>
    );
  }
  if (page.state === "waiting") return <>Nobody knows yet: its links are known once it was read.</>;
  if (page.state === "refused") return <>Nobody knows: it was not read, so its links were never seen.</>;
  if (page.linksOut === 0)
    return <>It has no links: every surfer who comes here starts again at a trusted page.</>;
  return (
    <>
      Of what it holds, {percent(damping)} goes on along its {counted(page.linksOut, "link")}, to each the
      same; the other {percent(1 - damping)} leaves at random, as surfers who start again at a trusted page.
      {page.state === "links-unknown" &&
        " Not all of its links are known, so the share of each is counted as unknown."}
    </>
  );
}
