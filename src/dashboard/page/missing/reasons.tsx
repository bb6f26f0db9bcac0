/** The first level of the rest: why it is missing. */
import type { VNode } from "preact";
import { counted } from "../../../base/index.ts";
import type { Missing, MissingOfReason } from "../../protocol.ts";
import { shareInWords } from "../../../text/index.ts";
import { reasonWordsOf } from "../components/words.ts";
import { useLive } from "../live.ts";
import { hrefOf } from "../router.ts";
import { ShareBar } from "./bars.tsx";
import { type Cell, Treemap } from "./treemap.tsx";

/** Hosts drawn inside a reason; what is beyond them becomes one rectangle. */
const HOSTS_DRAWN = 12;

export function Reasons({ missing }: { readonly missing: Missing }): VNode {
  const { overview } = useLive();
  const largest = missing.reasons[0].mass;
  const words = new Map(missing.reasons.map(({ reason }) => [reason, reasonWordsOf(reason, overview)]));
  return (
    <div class="rest">
      <Treemap cells={missing.reasons.map((share) => cellOf(share, words.get(share.reason)!.name))} />
      <ul class="shares">
        {missing.reasons.map(({ reason, mass, pages, hostCount }) => (
          <li key={reason}>
            <div class="share-head">
              <span class={`swatch fill-${reason}`} aria-hidden="true" />
              <a class="share-name" href={hrefOf("rest", { reason })}>
                {words.get(reason)!.name}
              </a>
              <span class="number">{shareInWords(mass)}</span>
            </div>
            <ShareBar share={mass / largest} class={`fill-${reason}`} />
            <p class="share-note">
              {words.get(reason)!.meaning} {words.get(reason)!.advice}
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

function cellOf({ reason, mass, hosts, hostCount }: MissingOfReason, name: string): Cell {
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
    const more = `${hostCount - drawn.length} more hosts`;
    children.push({
      key: "",
      name: more,
      mass: others,
      fill: reason,
      href: hrefOf("rest", { reason }),
      isWhole: true,
    });
  }
  return {
    key: reason,
    name,
    mass,
    fill: reason,
    href: hrefOf("rest", { reason }),
    isWhole: true,
    ...(children.length > 0 && { children }),
  };
}
