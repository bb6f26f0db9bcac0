/** The last level of the rest: the pages of one host and reason, the most important first. */
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { formatCount } from "../../../base/index.ts";
import type { MissingReason } from "../../../coverage/index.ts";
import type { PageLine, PageList } from "../../protocol.ts";
import { shareInWords } from "../../../text/index.ts";
import { useAsk } from "../api.ts";
import { Answered, Empty } from "../components/parts.tsx";
import { pathOf } from "../paths.ts";
import { hrefOf, hrefOfPage } from "../router.ts";
import { ShareBar } from "./bars.tsx";
import { type Cell, Treemap } from "./treemap.tsx";

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
