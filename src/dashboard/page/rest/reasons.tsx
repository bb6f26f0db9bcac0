/** The first level of the rest: why it is missing. */
import type { VNode } from "preact";
import { counted, percent } from "../../../base/index.ts";
import type { Missing, MissingOfReason } from "../../protocol.ts";
import { reasonWords } from "../components/words.ts";
import { hrefOf } from "../router.ts";
import { ShareBar } from "./bars.tsx";
import { type Cell, Treemap } from "./treemap.tsx";

/** Hosts drawn inside a reason; what is beyond them becomes one rectangle. */
const HOSTS_DRAWN = 12;

export function Reasons({ missing }: { readonly missing: Missing }): VNode {
  const largest = missing.reasons[0]!.mass;
  return (
    <div class="rest">
      <Treemap cells={missing.reasons.map(cellOf)} />
      <ul class="shares">
        {missing.reasons.map(({ reason, mass, pages, hostCount }) => (
          <li key={reason}>
            <div class="share-head">
              <span class={`swatch fill-${reason}`} aria-hidden="true" />
              <a class="share-name" href={hrefOf("rest", { reason })}>
                {reasonWords[reason].name}
              </a>
              <span class="number">{percent(mass)}</span>
            </div>
            <ShareBar share={mass / largest} class={`fill-${reason}`} />
            <p class="share-note">
              {reasonWords[reason].meaning} {reasonWords[reason].remedy}
            </p>
            {pages > 0 && (
              <p class="share-note">
                <a href={hrefOf("pages", { reason })}>{counted(pages, "page")}</a> on{" "}
                {counted(hostCount, "host")}
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function cellOf({ reason, mass, hosts, hostCount }: MissingOfReason): Cell {
  const drawn = hosts.slice(0, HOSTS_DRAWN);
  const others = mass - drawn.reduce((sum, host) => sum + host.mass, 0);
  const children: Cell[] = drawn.map(({ host, mass }) => ({
    key: host,
    name: host,
    mass,
    fill: reason,
    href: hrefOf("rest", { reason, host }),
  }));
  if (hostCount > drawn.length && others > 0) {
    const name = `${hostCount - drawn.length} more hosts`;
    children.push({ key: "", name, mass: others, fill: reason, href: hrefOf("rest", { reason }) });
  }
  return {
    key: reason,
    name: reasonWords[reason].name,
    mass,
    fill: reason,
    href: hrefOf("rest", { reason }),
    ...(children.length > 0 && { children }),
  };
}
