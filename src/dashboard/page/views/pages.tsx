/** Pages: all that the crawl knows, what is certainly most important first, found again by a piece of their URL or title. */
import type { VNode } from "preact";
import { counted, formatCount } from "../../../base/index.ts";
import type { MissingReason } from "../../../coverage/index.ts";
import { REASONS } from "../../../text/index.ts";
import type { PageLine } from "../../protocol/http.ts";
import { changeQuery, queryOf, type Route } from "../client/router.ts";
import { Empty, Panel } from "../components/parts.tsx";
import { ImportanceCell, PageCell, ShareCell, StateBadge, WhenCell } from "../lists/cells.tsx";
import type { Column } from "../lists/columns.ts";
import { Chips, HostField, MoreFilters, SearchField, SelectField } from "../lists/filters.tsx";
import { Listing, useRows } from "../lists/listing.tsx";
import { stateNames } from "../lists/state-words.ts";
import { shownInLine } from "../lists/texts.ts";

const FILTERS = ["q", "host", "state", "reason", "status"] as const;
const ROW_PX = { wide: 54, narrow: 92 };

const COLUMNS: readonly Column<PageLine>[] = [
  {
    key: "number",
    title: "#",
    track: "64px",
    isNumber: true,
    fromPx: 1100,
    isWideOnly: true,
    cell: (_page, index) => formatCount(index + 1),
  },
  {
    key: "page",
    title: "Page",
    track: "minmax(0, 1fr)",
    isHeader: true,
    cell: (page) => <PageCell page={page} />,
  },
  {
    key: "importance",
    hasBar: true,
    title: "Importance",
    hint: "Between which shares of all importance the page certainly lies",
    track: "minmax(210px, 250px)",
    sorts: [{ value: "importance", direction: "descending" }],
    cell: (page) => <ImportanceCell share={page.importance} />,
  },
  {
    key: "state",
    title: "What became of it",
    track: "172px",
    cell: (page) => <StateBadge outcome={page.state} status={page.status} reason={page.reason} />,
  },
  {
    key: "depth",
    title: "Depth",
    hint: "Fewest links from a seed",
    track: "64px",
    isNumber: true,
    fromPx: 1000,
    isWideOnly: true,
    cell: (page) => page.depth,
  },
  {
    key: "when",
    title: "Fetched",
    track: "158px",
    isNumber: true,
    fromPx: 860,
    sorts: [
      { value: "newest", direction: "descending" },
      { value: "oldest", direction: "ascending" },
    ],
    cell: (page) => <WhenCell atMs={page.fetchedMs} />,
  },
];

const MISSING: Column<PageLine> = {
  key: "missing",
  hasBar: true,
  title: "Missing there",
  hint: "Share of all importance that is missing because of it",
  track: "140px",
  isWideOnly: true,
  cell: ({ missingMass }) =>
    missingMass === undefined ? (
      <span class="none">not known</span>
    ) : (
      <ShareCell share={missingMass} of="missing" />
    ),
};
/** Pages of one reason say how much is missing there, instead of their number and how deep they lie. */
const COLUMNS_MISSING = COLUMNS.flatMap((column) => {
  if (column.key === "depth" || column.key === "number") return [];
  return column.key === "state" ? [MISSING, column] : [column];
});

const SORTS = [
  { value: "importance", name: "Most important" },
  { value: "newest", name: "Fetched last" },
  { value: "oldest", name: "Fetched first" },
];
const STATES = [
  { value: "", name: "any" },
  ...Object.entries(stateNames).map(([value, name]) => ({ value, name })),
];
const REASON_CHOICES = [
  { value: "", name: "any" },
  ...Object.entries(REASONS)
    .filter(([value]) => value !== "trust-unseeded")
    .map(([value, { name }]) => ({ value, name })),
];
const STATUSES = ["", "2xx", "200", "3xx", "301", "302", "4xx", "403", "404", "410", "429", "5xx", "503"].map(
  (value) => ({ value, name: value === "" ? "any" : value }),
);

export function PagesView({ route }: { readonly route: Route }): VNode {
  const query = queryOf(route, [...FILTERS, "sort"]);
  const rows = useRows<PageLine>("/api/pages", query);
  const sort = query.sort === "" ? "importance" : query.sort;
  const set = (name: string, value: string): void => changeQuery(route, { [name]: value });
  const chooseSort = (value: string): void => set("sort", value === "importance" ? "" : value);
  const clear = (): void => changeQuery(route, Object.fromEntries(FILTERS.map((name) => [name, null])));
  return (
    <>
      <div class="view-head">
        <h1>Pages</h1>
        <p class="lead">Everything the crawl has heard of, and how important it certainly is.</p>
      </div>
      <Panel class="list-panel">
        <div class="toolbar" role="search">
          <SearchField
            label="Search"
            placeholder="a piece of a URL or title"
            value={query.q}
            change={(q) => changeQuery(route, { q }, { isTyped: true })}
          />
          <SelectField label="Sort" value={sort} options={SORTS} change={chooseSort} />
          <MoreFilters>
            <SelectField
              label="State"
              value={query.state}
              options={STATES}
              change={(value) => set("state", value)}
            />
            <SelectField
              label="Missing because"
              value={query.reason}
              options={REASON_CHOICES}
              change={(value) => set("reason", value)}
            />
            <SelectField
              label="Status"
              value={query.status}
              options={STATUSES}
              change={(value) => set("status", value)}
            />
            <HostField value={query.host} change={(value) => set("host", value)} />
          </MoreFilters>
        </div>
        <Chips
          chips={FILTERS.filter((name) => query[name] !== "").map((name) => ({
            name: FILTER_NAMES[name],
            value: filterValue(name, query[name]),
            remove: () => set(name, ""),
          }))}
          clear={clear}
        />
        <Listing
          rows={rows}
          summary={(total) => counted(total, "page")}
          table={{
            name: "pages",
            label: "Pages",
            columns: query.reason === "" ? COLUMNS : COLUMNS_MISSING,
            rowHeightPx: ROW_PX,
            sort: { value: sort, choose: chooseSort },
            isRemembered: true,
          }}
          empty={<NoPages query={query} clear={clear} />}
        />
      </Panel>
    </>
  );
}

const FILTER_NAMES: Readonly<Record<(typeof FILTERS)[number], string>> = {
  q: "contains",
  host: "host",
  state: "state",
  reason: "missing because",
  status: "status",
};

function filterValue(name: (typeof FILTERS)[number], value: string): string {
  if (name === "state") return stateNames[value as keyof typeof stateNames] ?? value;
  if (name === "reason") return REASONS[value as MissingReason]?.name ?? value;
  return shownInLine(value);
}

interface NoPagesProps {
  readonly query: Readonly<Record<(typeof FILTERS)[number], string>>;
  readonly clear: () => void;
}

function NoPages({ query, clear }: NoPagesProps): VNode {
  const used = FILTERS.filter((name) => query[name] !== "");
  if (used.length === 0) {
    return (
      <Empty title="No page is known yet">
        <p>They appear here as soon as the first seed was read.</p>
      </Empty>
    );
  }
  const words = used.map((name) => `${FILTER_NAMES[name]} “${filterValue(name, query[name])}”`).join(", ");
  return (
    <Empty title="No page matches">
      <p>
        Looked for: <bdi>{words}</bdi>.{" "}
        {query.q !== "" && "A search finds pieces of URLs and titles, in any case. "}
        Take a filter away, or all of them.
      </p>
      <button type="button" onClick={clear}>
        Clear the filters
      </button>
    </Empty>
  );
}
