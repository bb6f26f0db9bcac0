/** What is missing for one reason, by host; and for one reason and host, by page. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { counted, formatCount } from "../../../base/index.ts";
import type { MissingReason } from "../../../coverage/index.ts";
import { shareInWords } from "../../../text/index.ts";
import type { HostShare, HostsMissing, MissingOfReason, PageLine, PageList } from "../../protocol/http.ts";
import { useAsk } from "../client/api.ts";
import { hrefOf, hrefOfPage, pathOf } from "../client/router.ts";
import { Answered, Empty } from "../components/parts.tsx";
import { ShareBar } from "./reasons.tsx";
import { type Cell, Treemap } from "./treemap.tsx";

/** Listed at first, and at most: the view of hosts has them all. */
const LISTED = 25;
const LISTED_MAX = 1000;

export function HostsOfReason({ share }: { readonly share: MissingOfReason }): VNode {
  const { reason, hosts, hostCount } = share;
  const [isAll, setIsAll] = useState(false);
  const cells = useMemo(() => cellsOf(share), [share]);
  const hasAll = hosts.length === hostCount;
  const all = useAsk<HostsMissing>(isAll && !hasAll ? `/api/missing/hosts?reason=${reason}` : null);
  return (
    <div class="rest">
      <Treemap cells={cells} />
      <div>
        {isAll && !hasAll ? (
          <Answered answer={all}>{(answer) => <HostTable hosts={answer.hosts} share={share} />}</Answered>
        ) : (
          <HostTable hosts={isAll ? hosts : hosts.slice(0, LISTED)} share={share} />
        )}
        {!isAll && hostCount > LISTED && (
          <button type="button" onClick={() => setIsAll(true)}>
            Show all {formatCount(hostCount)} hosts
          </button>
        )}
      </div>
    </div>
  );
}

interface HostTableProps {
  readonly hosts: readonly HostShare[];
  readonly share: MissingOfReason;
}

function HostTable({ hosts, share: { reason, mass } }: HostTableProps): VNode {
  const largest = hosts[0]?.mass ?? 1;
  return (
    <>
      <ol class="shares shares-tight">
        {hosts.slice(0, LISTED_MAX).map((host) => (
          <li key={host.host}>
            <div class="share-head">
              <a class="share-name" href={hrefOf("rest", { reason, host: host.host })}>
                <bdi>{host.host}</bdi>
              </a>
              <span class="number">{shareInWords(host.mass)}</span>
            </div>
            <ShareBar share={host.mass / largest} class={`fill-${reason}`} />
            <p class="share-note">
              {shareInWords(host.mass / mass)} of this reason,{" "}
              <a href={hrefOf("pages", { reason, host: host.host })}>{counted(host.pages, "page")}</a>
            </p>
          </li>
        ))}
      </ol>
      {hosts.length > LISTED_MAX && (
        <p class="muted">
          and {formatCount(hosts.length - LISTED_MAX)} more with less each:{" "}
          <a href={hrefOf("hosts")}>all hosts</a>
        </p>
      )}
    </>
  );
}

function cellsOf({ reason, mass, hosts, hostCount }: MissingOfReason): Cell[] {
  const cells: Cell[] = hosts.map(({ host, mass }) => ({
    key: host,
    name: host,
    mass,
    fill: reason,
    href: hrefOf("rest", { reason, host }),
  }));
  const others = mass - hosts.reduce((sum, host) => sum + host.mass, 0);
  if (hostCount <= hosts.length || others <= 0) return cells;
  const name = `${formatCount(hostCount - hosts.length)} more hosts`;
  return [...cells, { key: "", name, mass: others, fill: reason, href: null, isWhole: true }];
}

const SHOWN = 40;

interface PagesProps {
  readonly reason: MissingReason;
  readonly host: string;
}

export function PagesOfHost({ reason, host }: PagesProps): VNode {
  const answer = useAsk<PageList>(pathOf("/api/pages", { reason, host, count: SHOWN }));
  return (
    <Answered answer={answer}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          <Empty title="No page of this host counts to this reason">
            <p>The crawl may have gone on since; go back to see where the rest is now.</p>
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
  const cells = useMemo(
    () =>
      rows.map(
        (page): Cell => ({
          key: String(page.id),
          name: pathIn(page.url),
          mass: massOf(page),
          fill: reason,
          href: hrefOfPage(page.id),
        }),
      ),
    [rows, reason],
  );
  const largest = Math.max(...rows.map(massOf), Number.MIN_VALUE);
  return (
    <div class="rest">
      <Treemap cells={cells} />
      <div>
        <ol class="shares shares-tight">
          {rows.map((page) => (
            <li key={page.id}>
              <div class="share-head">
                <a class="share-name clamp" href={hrefOfPage(page.id)} title={page.url}>
                  <bdi>{pathIn(page.url)}</bdi>
                </a>
                <span class="number">{shareInWords(massOf(page))}</span>
              </div>
              <ShareBar share={massOf(page) / largest} class={`fill-${reason}`} />
            </li>
          ))}
        </ol>
        <p>
          <a href={hrefOf("pages", { reason, host })}>
            {total > rows.length
              ? `All ${formatCount(total)} pages, to search and sort`
              : "The same as a table"}
          </a>
        </p>
      </div>
    </div>
  );
}

/** What is missing there, where the server says it; else the importance that certainly arrives, which goes with it. */
function massOf({ missingMass, importance }: PageLine): number {
  return missingMass ?? importance.low;
}

/** The host is said above. */
function pathIn(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/i, "") || "/";
}
