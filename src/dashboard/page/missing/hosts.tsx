/** The second level of the rest: on which hosts a reason's share is missing. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { counted, formatCount } from "../../../base/index.ts";
import type { HostShare, HostsMissing, MissingOfReason } from "../../protocol.ts";
import { shareInWords } from "../../../text/index.ts";
import { useAsk } from "../api.ts";
import { Answered } from "../components/parts.tsx";
import { hrefOf } from "../router.ts";
import { ShareBar } from "./bars.tsx";
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
