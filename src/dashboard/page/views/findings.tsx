/** What the owner of a site would fix: broken links with their pages, redirects, duplicates and near-duplicates. */
import type { ComponentChildren, VNode } from "preact";
import { counted, formatCount } from "../../../base/index.ts";
import { NO_SIMHASHES, orphansInWords, redirectsInWords, shownInLine } from "../../../text/index.ts";
import type { Findings, GroupsOfPages, UrlName } from "../../protocol/http.ts";
import { useFetch } from "../client/server.ts";
import { hrefOfPage } from "../client/router.ts";
import { Answered, AsOf, Panel, Table } from "../components/parts.tsx";
import { viewTitles } from "../components/shell.tsx";

export function FindingsView(): VNode {
  const answer = useFetch<Findings>("/api/findings");
  return (
    <>
      <div class="view-head">
        <h1>{viewTitles.findings}</h1>
        <p class="lead">What the owner of the site would fix. What matters most comes first.</p>
        <AsOf />
      </div>
      <Answered answer={answer}>
        {({ brokenLinks, redirects, duplicates, nearDuplicates, orphans }) => (
          <>
            <BrokenLinks {...brokenLinks} />
            <Redirects {...redirects} />
            <Duplicates of={duplicates} />
            <NearDuplicates of={nearDuplicates} />
            <Orphans {...orphans} />
          </>
        )}
      </Answered>
    </>
  );
}

function BrokenLinks({ links, pages, rows }: Findings["brokenLinks"]): VNode {
  const hasTexts = rows.some(({ text }) => text !== null);
  return (
    <Finding
      title="Broken links"
      words={
        links === 0
          ? "No link of a downloaded page leads to a URL that is dead, failed or forbidden."
          : `${counted(links, "link")} on ${counted(pages, "page")} lead to URLs that are dead, failed or forbidden. ` +
            "Links on the most important pages come first."
      }
      all={{ format: "broken-links", left: links - rows.length }}
      heads={["Page", "Links to", ...(hasTexts ? ["Link text"] : []), "Response"]}
      rows={rows.map(({ source, text, way, response }) => [
        <Name of={source} />,
        <Urls of={way} />,
        ...(hasTexts ? [text === null ? "" : <bdi>{shownInLine(text)}</bdi>] : []),
        response,
      ])}
    />
  );
}

function Redirects({ rows, ...counts }: Findings["redirects"]): VNode {
  const { urls } = counts;
  return (
    <Finding
      title="Redirects"
      words={
        urls === 0
          ? "No URL redirects."
          : `${redirectsInWords(counts)} Those with most links come first: link to the last URL instead.`
      }
      all={{ format: "redirects", left: urls - rows.length }}
      heads={["URL", "Leads to", "Response", "Pages link"]}
      rows={rows.map(({ way, response, linkedFrom }) => [
        <Name of={way[0]} />,
        way.length === 1 ? <span class="none">not followed</span> : <Urls of={way.slice(1)} />,
        response,
        formatCount(linkedFrom),
      ])}
    />
  );
}

function Duplicates({ of: found }: { readonly of: GroupsOfPages }): VNode {
  return (
    <Groups
      title="Duplicate pages"
      common="have the same content, byte by byte"
      count="Copies"
      format="duplicates"
      whenEmpty="No two pages have the same content, byte by byte."
      {...found}
    />
  );
}

function NearDuplicates({ of: found }: { readonly of: GroupsOfPages | null }): VNode {
  return (
    <Groups
      title="Near-duplicate pages"
      common="have nearly the same words, exact copies left out"
      count="Group size"
      format="near-duplicates"
      whenEmpty={found === null ? NO_SIMHASHES : "No two pages have nearly the same words."}
      {...(found ?? { pages: 0, groups: 0, rows: [] })}
    />
  );
}

interface GroupsProps extends GroupsOfPages {
  readonly title: string;
  /** What the pages of a group have in common. */
  readonly common: string;
  /** The head of a column. */
  readonly count: string;
  readonly format: string;
  readonly whenEmpty: string;
}

function Groups({ title, common, count, format, whenEmpty, pages, groups, rows }: GroupsProps): VNode {
  return (
    <Finding
      title={title}
      words={
        groups === 0
          ? whenEmpty
          : `${counted(pages, "page")} in ${counted(groups, "group")} ${common}. The most important page of a group ` +
            "comes first."
      }
      all={{ format, left: groups - rows.length }}
      heads={["Pages", count]}
      rows={rows.map(({ pages, copies }) => [
        <>
          <Urls of={pages} isSet />
          {copies > pages.length && <span class="muted">and {counted(copies - pages.length, "more page")}</span>}
        </>,
        formatCount(copies),
      ])}
    />
  );
}

function Orphans({ urls, rows }: Findings["orphans"]): VNode {
  return (
    <Finding
      title="Orphans"
      words={urls === 0 ? "No URL is known only from a sitemap." : orphansInWords(urls)}
      all={{ format: "orphans", left: urls - rows.length }}
      heads={["URL", "Response"]}
      rows={rows.map(({ page, response }) => [<Name of={page} />, response])}
    />
  );
}

interface FindingProps {
  readonly title: string;
  readonly words: string;
  /** The format of an export that has all of them, and how many are not shown. */
  readonly all: { readonly format: string; readonly left: number };
  readonly heads: readonly string[];
  /** One cell for each head. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

function Finding({ title, words, all: { format, left }, heads, rows }: FindingProps): VNode {
  return (
    <Panel title={title} class="findings stacking">
      <p class="muted">{words}</p>
      {rows.length > 0 && (
        <>
          <Table heads={heads}>
            {rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, k) => (
                  <td key={heads[k]} data-head={heads[k]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
          <p class="muted">
            {left > 0 ? `${formatCount(left)} more. ` : ""}
            <code>tidemark export DIR --format {format}</code> writes all of them.
          </p>
        </>
      )}
    </Panel>
  );
}

/** The name of a URL, which leads to its own view. */
function Name({ of: { id, url } }: { readonly of: UrlName }): VNode {
  return (
    <a class="finding-url" href={hrefOfPage(id)}>
      <bdi>{shownInLine(url)}</bdi>
    </a>
  );
}

interface UrlsProps {
  readonly of: readonly UrlName[];
  /** Whether they stand beside each other; else each redirects to the next. */
  readonly isSet?: boolean;
}

function Urls({ of: urls, isSet = false }: UrlsProps): VNode {
  return (
    <ol class={isSet ? "finding-way finding-set" : "finding-way"}>
      {urls.map((url) => (
        <li key={url.id}>
          <Name of={url} />
        </li>
      ))}
    </ol>
  );
}
