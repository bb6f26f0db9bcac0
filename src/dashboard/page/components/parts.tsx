/** Small pieces that all views are made of. */
import type { ComponentChildren, VNode } from "preact";
import { formatCount, formatSeconds, percentAtLeast } from "../../../base/index.ts";
import type { SurveyProgress } from "../../../survey/index.ts";
import type { Answer } from "../client/api.ts";
import { useLive } from "../client/live.ts";

interface PanelProps {
  readonly title?: string;
  /** Stands to the right of the title. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A surface with a heading. */
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

/** What stands where nothing is: why, and what to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class="empty">
      <Waves />
      <p class="empty-title">{title}</p>
      {children}
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

/** How far the first survey is, while whatever needs it waits. */
export function Surveying({ progress }: { readonly progress: SurveyProgress }): VNode {
  const { task, done, total, unit, problem } = progress;
  if (problem !== undefined) {
    return (
      <Empty title="The crawl could not be surveyed">
        <p>{problem}</p>
      </Empty>
    );
  }
  const amount = total === undefined ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
  return (
    <Empty title="The crawl is being surveyed">
      <p>
        This view needs what follows from the whole log: ranks, hosts, what is missing. {task}: {amount}{" "}
        {unit}. It appears by itself when that is done.
      </p>
      <progress
        aria-label={`Survey: ${task}`}
        max={total ?? 1}
        {...(total !== undefined && { value: done })}
      />
    </Empty>
  );
}

interface AnsweredProps<T> {
  readonly answer: Answer<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows an answer once it is there, and what stands in its way until then. */
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

/** The address of a crawled page: a link where following it is harmless, else plain text. */
export function CrawledLink({
  url,
  children,
}: {
  readonly url: string;
  readonly children?: ComponentChildren;
}): VNode {
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
      {formatClock(atMs)}
    </time>
  );
}

/** The time of today, or a date with its time. */
export function formatClock(atMs: number): string {
  const date = new Date(atMs);
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString("en-GB")
    : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** To the minute, as is enough for what lies ahead. */
export function formatMinute(atMs: number): string {
  const date = new Date(atMs);
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString("en-GB", { timeStyle: "short" })
    : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** Seconds as a rough span: three digits are too many for an estimate. */
export function formatRoughly(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return formatSeconds(Math.round(seconds / 60) * 60);
  return `${formatCount(Math.round(seconds / 86_400))} days`;
}

export function Waves(): VNode {
  return (
    <svg class="waves" viewBox="0 0 34 16" aria-hidden="true">
      <path d="M2 5q5-5 10 0t10 0t10 0" />
      <path class="ebb" d="M2 12q5-5 10 0t10 0t10 0" />
    </svg>
  );
}

/**
 * Of what moment numbers of the survey are, for they stand beside others that follow the crawl. Nothing where nobody crawls: then the
 * survey is as old as all the rest.
 */
export function AsOf({ coverage }: { readonly coverage?: number }): VNode | null {
  const { overview } = useLive();
  if (overview === null || overview.state === "ended" || !("survey" in overview.survey)) return null;
  return (
    <p class="as-of" title="The crawl is surveyed now and then; what it did since is not in these numbers.">
      As of <Moment atMs={overview.survey.atMs} />
      {coverage !== undefined && `, when at least ${percentAtLeast(coverage)} was covered`}
    </p>
  );
}

/** Hosts look busy in a list even where the whole crawl stands still. */
export function PausedNote(): VNode | null {
  const { overview } = useLive();
  if (overview?.state !== "paused") return null;
  return (
    <p class="list-note">
      <b>The crawl is paused:</b> no host is asked until it goes on; below is how each would be treated then.
    </p>
  );
}
