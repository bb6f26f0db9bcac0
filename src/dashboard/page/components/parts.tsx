/** Small components that all views use. */
import type { ComponentChildren, VNode } from "preact";
import { formatCount, percentAtLeast, systemTimers } from "../../../base/index.ts";
import type { SurveyProgress } from "../../../survey/index.ts";
import { clockInWords } from "../../../text/index.ts";
import type { RequestState } from "../../protocol/http.ts";
import { useLive } from "../client/server.ts";

interface PanelProps {
  readonly title?: string;
  /** Stands to the right of the title. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A card with a heading. */
export function Panel({ title, aside, class: name, children }: PanelProps): VNode {
  return (
    <section class={name === undefined ? "panel" : `panel ${name}`}>
      {title !== undefined && (
        <div class="panel-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

interface ListPanelProps {
  readonly title: string;
  readonly lead: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A view that is one list: its heading, a sentence, and a card. */
export function ListPanel({ title, lead, children }: ListPanelProps): VNode {
  return (
    <>
      <div class="view-head">
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
      </div>
      <Panel class="list-panel">{children}</Panel>
    </>
  );
}

interface EmptyProps {
  readonly title: string;
  /** A button that clears what was searched for. */
  readonly clear?: { readonly text: string; readonly onClick: () => void };
  readonly children?: ComponentChildren;
}

/** Shown when there is no content: says why, and what to do. */
export function Empty({ title, clear, children }: EmptyProps): VNode {
  return (
    <div class="empty">
      <Waves />
      <p class="empty-title">{title}</p>
      {children}
      {clear !== undefined && (
        <button type="button" onClick={clear.onClick}>
          {clear.text}
        </button>
      )}
    </div>
  );
}

export function ProblemBox({ problem }: { readonly problem: string }): VNode {
  return (
    <p class="problem" role="alert">
      {problem}
    </p>
  );
}

export function Surveying({ progress }: { readonly progress: SurveyProgress }): VNode {
  const { task, done, total, unit, problem } = progress;
  if (problem !== undefined) {
    return (
      <Empty title="The survey of the crawl failed">
        <p>{problem}</p>
      </Empty>
    );
  }
  const amount = total === undefined ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
  return (
    <Empty title="Surveying the crawl">
      <p>
        This view needs ranks, hosts and missing shares, which are computed from the whole log. {task}: {amount} {unit}.
        It appears when that is done.
      </p>
      <progress aria-label={`Survey: ${task}`} max={total ?? 1} {...(total !== undefined && { value: done })} />
    </Empty>
  );
}

/** Instead of a view that needs the survey. */
export function SurveyingView(props: { readonly title: string; readonly progress: SurveyProgress }): VNode {
  return (
    <>
      <h1>{props.title}</h1>
      <Panel>
        <Surveying progress={props.progress} />
      </Panel>
    </>
  );
}

interface AnsweredProps<T> {
  readonly answer: RequestState<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows an answer when it has arrived, and until then why it has not. */
export function Answered<T>({ answer, children }: AnsweredProps<T>): VNode {
  switch (answer.state) {
    case "there":
      return <>{children(answer.value)}</>;
    case "not-yet":
      return <Surveying progress={answer.progress} />;
    case "problem":
      return <ProblemBox problem={answer.problem} />;
    default:
      return <p class="loading">Loading…</p>;
  }
}

/** The address of a crawled page: a link if it is http or https, else plain text. */
export function CrawledLink({ url, children }: { readonly url: string; readonly children?: ComponentChildren }): VNode {
  if (!/^https?:\/\//i.test(url)) return <bdi class="url">{children ?? url}</bdi>;
  return (
    <a class="url" href={url} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{children ?? url}</bdi>
    </a>
  );
}

/** A point in time by the reader's clock, exact in the tooltip. */
export function Moment({ atMs }: { readonly atMs: number }): VNode {
  const exact = new Date(atMs).toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {clockInWords(atMs, { nowMs: systemTimers.wallMs() })}
    </time>
  );
}

/** The time of the survey, next to numbers that are live. */
export function AsOf({ coverage }: { readonly coverage?: number }): VNode | null {
  const { overview } = useLive();
  const isLive = overview !== null && overview.state !== "ended" && overview.state !== "earlier";
  if (!isLive || !("survey" in overview.survey)) return null;
  return (
    <p class="as-of" title="These numbers come from the last survey of the crawl. What it did since is not included.">
      As of <Moment atMs={overview.survey.atMs} />
      {coverage !== undefined && `, with at least ${percentAtLeast(coverage)} covered`}
    </p>
  );
}

/** Without it, hosts would look busy in a list while the whole crawl is paused. */
export function PausedNote(): VNode | null {
  const { overview } = useLive();
  if (overview?.state !== "paused") return null;
  return (
    <p class="list-note">
      <b>The crawl is paused.</b> The list shows the status that each host will have when it resumes.
    </p>
  );
}

export function Waves(): VNode {
  return (
    <svg class="waves" viewBox="0 0 34 16" aria-hidden="true">
      <path d="M2 5q5-5 10 0t10 0t10 0" />
      <path class="ebb" d="M2 12q5-5 10 0t10 0t10 0" />
    </svg>
  );
}

/** A short table, all of it at once. */
export function Table({
  heads,
  children,
}: {
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}): VNode {
  return (
    // It may be wider than a phone, so it scrolls, also by keyboard.
    <div class="table-scroll" tabIndex={0} role="group" aria-label={`${heads[0]} table`}>
      <table class="plain-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly href?: string;
  readonly class?: string;
}

/** A number with its name; in a list of the class `tiles`. */
export function Tile({ name, value, note, href, class: extra = "" }: TileProps): VNode {
  return (
    <div class={`tile ${extra}`}>
      <dt>{name}</dt>
      <dd>
        {href === undefined ? value : <a href={href}>{value}</a>}
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  );
}
