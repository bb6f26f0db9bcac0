/** Search: pages by the words of their text, the best first, each with the place where the words are. */
import type { VNode } from "preact";
import { counted } from "../../../base/index.ts";
import { harmless } from "../../../text/index.ts";
import type { SearchLine } from "../../protocol/http.ts";
import { changeQuery, queryOf, type Route } from "../client/router.ts";
import { useLive } from "../client/server.ts";
import { Empty, ListPanel } from "../components/parts.tsx";
import { ImportanceCell, PageCell, RANK_COLUMN } from "../lists/cells.tsx";
import { HostField, SearchField } from "../lists/filters.tsx";
import { Listing, useRows } from "../lists/listing.tsx";
import type { ListColumn } from "../lists/virtual-rows.tsx";

const ROW_PX = { wide: 100, narrow: 138 };

const COLUMNS: readonly ListColumn<SearchLine>[] = [
  {
    key: "page",
    title: "Page",
    track: "minmax(0, 1fr)",
    isHeader: true,
    cell: (page) => (
      <>
        <PageCell page={page} />
        <Excerpt of={page.excerpt} />
      </>
    ),
  },
  RANK_COLUMN,
  {
    key: "importance",
    hasBar: true,
    title: "Importance",
    hint: "The page's share of all importance certainly lies in this interval",
    track: "minmax(150px, 200px)",
    cell: (page) => <ImportanceCell share={page.importance} />,
  },
];

export function SearchView({ route }: { readonly route: Route }): VNode {
  const { overview } = useLive();
  const query = queryOf(route, ["q", "host"]);
  return (
    <ListPanel
      title="Search"
      lead="Pages by the words of their text. The best match and the most important come first."
    >
      <div class="toolbar" role="search">
        <SearchField
          label="Words"
          placeholder={'tide moon, "spring tide", tid*, -moon'}
          value={query.q}
          change={(q) => changeQuery(route, { q }, { isTyped: true })}
        />
        <HostField value={query.host} change={(host) => changeQuery(route, { host })} />
      </div>
      {overview?.searchable === false ? (
        <Empty title="This crawl has no text of its pages">
          <p>
            A crawl stores it with <code>--store text</code>.
          </p>
        </Empty>
      ) : query.q === "" ? (
        <Empty title="What are you looking for?">
          <p>
            Pages have all the words that you type. “Quotes” keep words together, tid* finds every word that begins so,
            and -moon leaves out pages with that word.
          </p>
        </Empty>
      ) : (
        <Results query={query} />
      )}
    </ListPanel>
  );
}

function Results({ query }: { readonly query: { readonly q: string; readonly host: string } }): VNode {
  const rows = useRows<SearchLine>("/api/search", query);
  return (
    <Listing
      rows={rows}
      summary={(total) => counted(total, "page")}
      table={{ name: "search", label: "Pages found", columns: COLUMNS, rowHeightPx: ROW_PX, isRemembered: true }}
      empty={
        <Empty title="No page has these words">
          <p>Try fewer of them, or the beginning of a word with a star: tid*.</p>
        </Empty>
      }
    />
  );
}

function Excerpt({ of: parts }: { readonly of: SearchLine["excerpt"] }): VNode {
  return (
    <span class="excerpt">
      <bdi>
        {parts.map(({ text, isMatch }, k) => (isMatch ? <mark key={k}>{harmless(text)}</mark> : harmless(text)))}
      </bdi>
    </span>
  );
}
