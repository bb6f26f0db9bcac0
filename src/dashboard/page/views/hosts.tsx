/** Hosts: the share covered and missing on each, its errors and response time, and its current status. */
import type { VNode } from "preact";
import { counted, formatBytes, formatCount, formatSeconds } from "../../../base/index.ts";
import { shownInLine, stateTexts } from "../../../text/index.ts";
import type { HostLine } from "../../protocol/http.ts";
import { isHere, useLive } from "../client/server.ts";
import { changeQuery, hrefOf, queryOf, type Route } from "../client/router.ts";
import { Empty, ListPanel, PausedNote } from "../components/parts.tsx";
import { CountCell, HostStatusCell, ShareCell } from "../lists/cells.tsx";
import type { ListColumn } from "../lists/virtual-rows.tsx";
import { SearchField, SelectField } from "../lists/filters.tsx";
import { Listing, useRows } from "../lists/listing.tsx";

const ROW_PX = { wide: 54, narrow: 112 };
const ROW_LIVE_PX = { wide: 54, narrow: 134 };

const COLUMNS: readonly ListColumn<HostLine>[] = [
  {
    key: "host",
    title: "Host",
    track: "minmax(170px, 1fr)",
    isHeader: true,
    sorts: [{ value: "name", direction: "ascending" }],
    cell: ({ host, known, dead }) => (
      <>
        <a class="page-title" href={hrefOf("pages", { host })} data-main tabIndex={-1}>
          <bdi>{shownInLine(host)}</bdi>
        </a>
        <span class="page-url">
          {counted(known, "URL")} known
          {/* Where there is no room for a column of its own. */}
          <span class="unit">, {formatCount(dead)} dead</span>
        </span>
      </>
    ),
  },
  {
    key: "downloaded",
    title: "Pages",
    hint: "Downloaded pages",
    track: "84px",
    isNumber: true,
    sorts: [{ value: "pages", direction: "descending" }],
    cell: ({ downloaded }) => <CountCell value={downloaded} unit={downloaded === 1 ? "page" : "pages"} />,
  },
  {
    key: "waiting",
    title: "Waiting",
    hint: "URLs waiting to be fetched",
    track: "84px",
    isNumber: true,
    fromPx: 1000,
    cell: ({ waiting }) => <CountCell value={waiting} unit="waiting" />,
  },
  {
    key: "dead",
    title: stateTexts.dead.name,
    hint: stateTexts.dead.sentence.replace("It does", "URLs that do"),
    track: "72px",
    isNumber: true,
    isWideOnly: true,
    cell: ({ dead }) => <CountCell value={dead} unit="dead" />,
  },
  {
    key: "mass",
    title: "Covered",
    hint: "Share of all importance that its downloaded pages hold at least",
    track: "132px",
    sorts: [{ value: "mass", direction: "descending" }],
    cell: ({ mass }) => <ShareCell share={mass} of="covered" />,
  },
  {
    key: "missing",
    title: "Missing",
    hint: "The share that is missing there, at most",
    track: "132px",
    sorts: [{ value: "missing", direction: "descending" }],
    cell: ({ missing }) => <ShareCell share={missing} of="missing" />,
  },
  {
    key: "errors",
    title: "Errors",
    hint: "Failed attempts",
    track: "72px",
    isNumber: true,
    sorts: [{ value: "errors", direction: "descending" }],
    cell: ({ errors }) => <CountCell value={errors} unit={errors === 1 ? "error" : "errors"} />,
  },
  {
    key: "bytes",
    title: "Bytes",
    track: "84px",
    isNumber: true,
    fromPx: 1180,
    isWideOnly: true,
    cell: ({ bytes }) => formatBytes(bytes),
  },
  {
    key: "answer",
    title: "Response",
    hint: "Mean response time",
    track: "84px",
    isNumber: true,
    fromPx: 1080,
    cell: ({ answerMs }) =>
      answerMs === null ? (
        <span class="none">no response</span>
      ) : (
        <span class="count">
          <span class="unit">response </span>
          {formatSeconds(answerMs / 1000)}
        </span>
      ),
  },
];

const STATUS: ListColumn<HostLine> = {
  key: "status",
  title: "Status",
  hint: "What the crawl is doing with this host now",
  track: "176px",
  cell: ({ politeness }) => <HostStatusCell status={politeness} />,
};
const COLUMNS_LIVE = [...COLUMNS, STATUS];

const SORTS = [
  { value: "mass", name: "Most covered" },
  { value: "missing", name: "Most missing" },
  { value: "pages", name: "Most pages" },
  { value: "errors", name: "Most errors" },
  { value: "name", name: "Name" },
];

export function HostsView({ route }: { readonly route: Route }): VNode {
  const { overview } = useLive();
  const isLive = isHere(overview);
  const query = queryOf(route, ["q", "sort"]);
  const rows = useRows<HostLine>("/api/hosts", query, { isLive });
  const sort = query.sort === "" ? "mass" : query.sort;
  const chooseSort = (value: string): void => changeQuery(route, { sort: value === "mass" ? "" : value });
  const search = (q: string): void => changeQuery(route, { q }, { isTyped: true });
  return (
    <ListPanel title="Hosts" lead="The share of all importance that is covered and missing on each host.">
      <div class="toolbar" role="search">
        <SearchField label="Search" placeholder="part of the name" value={query.q} change={search} />
        <SelectField label="Sort" value={sort} options={SORTS} change={chooseSort} />
      </div>
      <PausedNote />
      <Listing
        rows={rows}
        summary={(total) => counted(total, "host")}
        table={{
          name: "hosts",
          label: "Hosts",
          columns: isLive ? COLUMNS_LIVE : COLUMNS,
          rowHeightPx: isLive ? ROW_LIVE_PX : ROW_PX,
          sort: { value: sort, choose: chooseSort },
          isRemembered: true,
        }}
        empty={<NoHosts q={query.q} clear={() => search("")} />}
      />
    </ListPanel>
  );
}

function NoHosts({ q, clear }: { readonly q: string; readonly clear: () => void }): VNode {
  return q === "" ? (
    <Empty title="No host is known yet">
      <p>The first host appears with the first seed.</p>
    </Empty>
  ) : (
    <Empty title="No host matches" clear={{ text: "Clear the search", onClick: clear }}>
      <p>
        No name contains <bdi>“{shownInLine(q)}”</bdi>. Try a shorter part of it.
      </p>
    </Empty>
  );
}
