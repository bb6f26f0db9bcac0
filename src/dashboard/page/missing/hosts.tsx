/** What is missing for one reason by host, and for one reason and host by page. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { counted, formatCount, formatPercent } from "../../../base/index.ts";
import type { MissingReason } from "../../../coverage/index.ts";
import type { HostShare, HostsMissing, MissingOfReason, PageLine, PageList } from "../../protocol/http.ts";
import { useFetch } from "../client/server.ts";
import { hrefOf, hrefOfPage, pathOf } from "../client/router.ts";
import { Answered, Empty } from "../components/parts.tsx";
import { hostCells, ShareRow } from "./reasons.tsx";
import { type TreemapCell, Treemap } from "./treemap.tsx";

/** Listed at first, and at most: the hosts view has all of them. */
const HOSTS_LISTED = 25;
const HOSTS_LISTED_MAX = 1000;
const PAGES_LISTED = 40;

export function HostsOfReason({ share }: { readonly share: MissingOfReason }): VNode {
  const { reason, hosts, hostCount } = share;
  const [showsAll, setShowsAll] = useState(false);
  const cells = useMemo(() => hostCells(share, share.hosts, null), [share]);
  const hasAll = hosts.length === hostCount;
  const all = useFetch<HostsMissing>(showsAll && !hasAll ? `/api/missing/hosts?reason=${reason}` : null);
  return (
    <div class="missing">
      <Treemap cells={cells} />
      <div>
        {showsAll && !hasAll ? (
          <Answered answer={all}>{(answer) => <HostShares hosts={answer.hosts} share={share} />}</Answered>
        ) : (
          <HostShares hosts={showsAll ? hosts : hosts.slice(0, HOSTS_LISTED)} share={share} />
        )}
        {!showsAll && hostCount > HOSTS_LISTED && (
          <button type="button" onClick={() => setShowsAll(true)}>
            Show all {formatCount(hostCount)} hosts
          </button>
        )}
      </div>
    </div>
  );
}

interface HostSharesProps {
  readonly hosts: readonly HostShare[];
  readonly share: MissingOfReason;
}

function HostShares({ hosts, share: { reason, mass } }: HostSharesProps): VNode {
  const largest = hosts[0]?.mass ?? 1;
  return (
    <>
      <ol class="shares shares-tight">
        {hosts.slice(0, HOSTS_LISTED_MAX).map((host) => (
          <ShareRow
            key={host.host}
            {...{ reason, mass: host.mass, largest }}
            link={
              <a href={hrefOf("missing", { reason, host: host.host })}>
                <bdi>{host.host}</bdi>
              </a>
            }
          >
            <p class="share-note">
              {formatPercent(host.mass / mass)} of this reason,{" "}
              <a href={hrefOf("pages", { reason, host: host.host })}>{counted(host.pages, "page")}</a>
            </p>
          </ShareRow>
        ))}
      </ol>
      {hosts.length > HOSTS_LISTED_MAX && (
        <p class="muted">
          and {formatCount(hosts.length - HOSTS_LISTED_MAX)} more with smaller shares:{" "}
          <a href={hrefOf("hosts")}>all hosts</a>
        </p>
      )}
    </>
  );
}

interface PagesProps {
  readonly reason: MissingReason;
  readonly host: string;
}

export function PagesOfHost({ reason, host }: PagesProps): VNode {
  const answer = useFetch<PageList>(pathOf("/api/pages", { reason, host, count: PAGES_LISTED }));
  return (
    <Answered answer={answer}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          <Empty title="No page of this host has this reason">
            <p>The crawl may have continued since. Go back to see what is missing now.</p>
          </Empty>
        ) : (
          <PageShares rows={rows} total={total} reason={reason} host={host} />
        )
      }
    </Answered>
  );
}

interface PageSharesProps extends PagesProps {
  readonly rows: readonly PageLine[];
  readonly total: number;
}

function PageShares({ rows, total, reason, host }: PageSharesProps): VNode {
  const cells = useMemo(() => rows.map((page) => pageCell(page, reason)), [rows, reason]);
  const largest = Math.max(...rows.map(massOf), Number.MIN_VALUE);
  return (
    <div class="missing">
      <Treemap cells={cells} />
      <div>
        <ol class="shares shares-tight">
          {rows.map((page) => (
            <ShareRow
              key={page.id}
              {...{ reason, mass: massOf(page), largest }}
              link={
                <a class="clamp" href={hrefOfPage(page.id)} title={page.url}>
                  <bdi>{pathIn(page.url)}</bdi>
                </a>
              }
            />
          ))}
        </ol>
        <p>
          <a href={hrefOf("pages", { reason, host })}>
            {total > rows.length ? `All ${formatCount(total)} pages as a table` : "The same pages as a table"}
          </a>
        </p>
      </div>
    </div>
  );
}

function pageCell(page: PageLine, fill: MissingReason): TreemapCell {
  return { key: String(page.id), name: pathIn(page.url), mass: massOf(page), fill, href: hrefOfPage(page.id) };
}

/** In a list of one reason, the server sends it. */
function massOf({ missingMass = 0 }: PageLine): number {
  return missingMass;
}

/** The host is in the title of the view. */
function pathIn(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/i, "") || "/";
}
