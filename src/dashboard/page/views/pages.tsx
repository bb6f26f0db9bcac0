/** Pages: every discovered URL, most important first, with a search in URLs and titles. */
import type { VNode } from "preact";
import { counted } from "../../../base/index.ts";
import type { MissingReason, PageStateName } from "../../../coverage/index.ts";
import { REASONS, shownInLine, stateTexts } from "../../../text/index.ts";
import type { PageLine } from "../../protocol/http.ts";
import { changeQuery, queryOf, type Route } from "../client/router.ts";
import { Empty, ListPanel } from "../components/parts.tsx";
import { ImportanceCell, PageCell, RANK_COLUMN, ShareCell, StateBadge, WhenCell } from "../lists/cells.tsx";
import type { ListColumn } from "../lists/virtual-rows.tsx";
import { Chips, HostField, MoreFilters, SearchField, SelectField } from "../lists/filters.tsx";
import { Listing, useRows } from "../lists/listing.tsx";

const FILTERS = ["q", "host", "state", "reason", "status"] as const;
const ROW_PX = { wide: 54, narrow: 92 };

const COLUMNS: readonly ListColumn<PageLine>[] = [
  RANK_COLUMN,
  { key: "page", title: "Page", track: "minmax(0, 1fr)", isHeader: true, cell: (page) => <PageCell page={page} /> },
  {
    key: "importance",
    hasBar: true,
    title: "Importance",
    hint: "The page's share of all importance certainly lies in this interval",
    track: "minmax(180px, 230px)",
    sorts: [{ value: "importance", direction: "descending" }],
    cell: (page) => <ImportanceCell share={page.importance} />,
  },
  {
    key: "state",
    title: "State",
    track: "206px",
    cell: (page) => <StateBadge outcome={page.state} status={page.status} why={page.why} />,
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

const MISSING: ListColumn<PageLine> = {
  key: "missing",
  hasBar: true,
  title: "Missing",
  hint: "The share that is missing or left out because of it, at most",
  track: "140px",
  isWideOnly: true,
  cell: ({ missingMass }) =>
    missingMass === undefined ? <span class="none">unknown</span> : <ShareCell share={missingMass} of="missing" />,
};
/** Pages of one reason show the missing share instead of rank and depth. */
const COLUMNS_MISSING = COLUMNS.flatMap((column) => {
  if (column.key === "depth" || column.key === "rank") return [];
  return column.key === "state" ? [MISSING, column] : [column];
});

const SORTS = [
  { value: "importance", name: "Most important" },
  { value: "newest", name: "Fetched last" },
  { value: "oldest", name: "Fetched first" },
];
const STATES = [
  { value: "", name: "any" },
  ...Object.entries(stateTexts).map(([value, { name }]) => ({ value, name })),
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
    <ListPanel title="Pages" lead="Every URL that the crawl has discovered, with bounds on its importance.">
      <div class="toolbar" role="search">
        <SearchField
          label="Search"
          placeholder="part of a URL or title"
          value={query.q}
          change={(q) => changeQuery(route, { q }, { isTyped: true })}
        />
        <SelectField label="Sort" value={sort} options={SORTS} change={chooseSort} />
        <MoreFilters>
          <SelectField label="State" value={query.state} options={STATES} change={(value) => set("state", value)} />
          <SelectField
            label="Missing reason"
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
    </ListPanel>
  );
}

const FILTER_NAMES: Readonly<Record<(typeof FILTERS)[number], string>> = {
  q: "contains",
  host: "host",
  state: "state",
  reason: "missing reason",
  status: "status",
};

function filterValue(name: (typeof FILTERS)[number], value: string): string {
  if (name === "state") return stateTexts[value as PageStateName]?.name ?? value;
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
        <p>The first pages appear with the first seed.</p>
      </Empty>
    );
  }
  const words = used.map((name) => `${FILTER_NAMES[name]} “${filterValue(name, query[name])}”`).join(", ");
  return (
    <Empty title="No page matches" clear={{ text: "Clear the filters", onClick: clear }}>
      <p>
        Filters: <bdi>{words}</bdi>. {query.q !== "" && "The search looks for a part of the URL or title. "}
        Remove one of them, or all.
      </p>
    </Empty>
  );
}
