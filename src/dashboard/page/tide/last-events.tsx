/** The newest entries of the log, as they come. */
import type { VNode } from "preact";
import type { LogEntry, LogList } from "../../protocol.ts";
import { useAsk } from "../api.ts";
import { Answered, Moment } from "../components/parts.tsx";
import { eventNames } from "../lists/state-words.ts";
import { useLive } from "../live.ts";
import { hrefOfPage } from "../router.ts";

const SHOWN = 9;

export function LastEvents(): VNode {
  const { log } = useLive();
  const answer = useAsk<LogList>(`/api/log?count=${SHOWN}`);
  return (
    <Answered answer={answer}>
      {({ rows }) => {
        const entries = newest(log, rows);
        return entries.length === 0 ? (
          <p class="muted">Nothing has happened yet.</p>
        ) : (
          <Entries entries={entries} />
        );
      }}
    </Answered>
  );
}

function Entries({ entries }: { readonly entries: readonly LogEntry[] }): VNode {
  return (
    <ol class="events">
      {entries.map(({ key, atMs, event, text, page }) => (
        <li key={key}>
          <Moment atMs={atMs} />
          <span class={`event event-${event}`}>{eventNames[event]}</span>
          <span class="event-text">
            {page === null ? (
              <bdi>{text}</bdi>
            ) : (
              <a href={hrefOfPage(page.id)}>
                <bdi>{page.url}</bdi>
              </a>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Those told live before those asked for, without what both have. */
function newest(live: readonly LogEntry[], asked: readonly LogEntry[]): LogEntry[] {
  const byKey = new Map([...asked, ...live].map((entry) => [entry.key, entry]));
  return [...byKey.values()].sort((a, b) => b.key - a.key).slice(0, SHOWN);
}
