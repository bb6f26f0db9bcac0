/** One page: its importance, its state, its links in both directions, and its visits. */
import type { VNode } from "preact";
import { counted, formatBytes, formatCount } from "../../../base/index.ts";
import {
  atMostInWords,
  eventTexts,
  isNegligible,
  onLogScale,
  REASONS,
  shareAtLeast,
  shareAtMost,
  shareFigure,
  shown,
  shownInLine,
  sourceTexts,
  stateTexts,
} from "../../../text/index.ts";
import type { PageDetail } from "../../protocol/http.ts";
import { useFetch } from "../client/server.ts";
import { hrefOf, hrefOfPage, type Route } from "../client/router.ts";
import { Answered, CrawledLink, Empty, Moment, Panel } from "../components/parts.tsx";
import { IntervalBar, StateBadge } from "../lists/cells.tsx";
import { PageLinks, Rereads, Visits } from "./page-tables.tsx";

export function PageView({ route }: { readonly route: Route }): VNode {
  const answer = useFetch<PageDetail>(`/api/pages/${route.id}`);
  if (answer.state === "problem") {
    return (
      <Empty title={answer.problem}>
        <p>
          <a href={hrefOf("pages")}>All pages of this crawl</a>
        </p>
      </Empty>
    );
  }
  return <Answered answer={answer}>{(page) => <Detail key={page.id} page={page} />}</Answered>;
}

function Detail({ page }: { readonly page: PageDetail }): VNode {
  const title = shown(page.title ?? "");
  return (
    <div class="page-view">
      <div class="view-head">
        <p class="crumbs">
          <a href={hrefOf("pages")}>Pages</a>
          <span aria-hidden="true"> / </span>
          <a href={hrefOf("pages", { host: page.host })}>
            <bdi>{shownInLine(page.host)}</bdi>
          </a>
        </p>
        <h1 class="page-name">
          <bdi>{title === "" ? untitled(page) : title}</bdi>
        </h1>
        <p class="page-address">
          <CrawledLink url={page.url}>{shown(page.url)}</CrawledLink>
        </p>
      </div>
      <div class="page-grid">
        <Importance page={page} />
        <State page={page} />
        <PageLinks page={page} side="in" />
        <PageLinks page={page} side="out" />
        <Visits page={page} />
        <Rereads page={page} />
      </div>
    </div>
  );
}

/** The address is below, so it is not repeated. */
function untitled({ state }: PageDetail): string {
  return eventTexts[state].tone === "good" ? "A page without a title" : `A URL that ${stateTexts[state].clause}`;
}

function State({ page }: { readonly page: PageDetail }): VNode {
  const facts: (readonly [name: string, value: VNode | string])[] = [
    ["Discovered through", sourceTexts[page.source]],
    ["Depth", page.depth === 0 ? "a seed" : `${counted(page.depth, "link")} from a seed`],
  ];
  if (page.fetchedMs !== null) facts.push(["Fetched", <Moment atMs={page.fetchedMs} />]);
  if (page.contentType !== null) facts.push(["Type", <bdi>{shownInLine(page.contentType)}</bdi>]);
  if (page.bytes !== null) facts.push(["Size", formatBytes(page.bytes)]);
  return (
    <Panel title="State" aside={<StateBadge outcome={page.state} status={page.status} why={page.why} />}>
      <p class="muted">{stateTexts[page.state].sentence}</p>
      {page.target !== null && (
        <p class="target">
          It redirects to{" "}
          <a class="url" href={hrefOfPage(page.target.id)}>
            <bdi>{shownInLine(page.target.url)}</bdi>
          </a>
        </p>
      )}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Labelled shares on the scale. */
const TICKS = [
  [1e-8, "0.000001%"],
  [1e-6, "0.0001%"],
  [1e-4, "0.01%"],
  [1e-2, "1%"],
  [1, "100%"],
] as const;

/** The interval that certainly contains the page's importance, as a bar and in words. */
function Importance({ page }: { readonly page: PageDetail }): VNode {
  const { low, high } = page.importance;
  if (page.state === "redirected") {
    return (
      <Panel title="Importance">
        <p>A redirect has no importance of its own; it counts for its target.</p>
      </Panel>
    );
  }
  return (
    <Panel title="Importance">
      <p class="worth">
        {page.place !== null && (
          <>
            Rank {formatCount(page.place.place)}
            <span class="to">, </span>
          </>
        )}
        {isNegligible(low) ? (
          <>At most {shareAtMost(high)}</>
        ) : (
          <>
            {shareAtLeast(low)} <span class="to">to</span> {shareAtMost(high)}
          </>
        )}
      </p>
      <figure class="interval">
        <IntervalBar share={page.importance} />
        <div class="ticks" aria-hidden="true">
          {TICKS.map(([share, label]) => (
            <span key={share} style={{ left: `${100 * onLogScale(share)}%` }}>
              {label}
            </span>
          ))}
        </div>
        <figcaption class="hidden">{"A logarithmic scale, from 0.000001% to 100%."}</figcaption>
      </figure>
      <ul class="sentences">
        {page.place !== null && <li>{rankInWords(page.place)}</li>}
        <li>{boundsInWords(low, high)}</li>
        {page.trust !== null && (
          <li>It is trusted: a surfer who starts again starts here with a probability of {shareFigure(page.trust)}.</li>
        )}
        {page.outside !== null && (
          <li>
            It is left out of what coverage is measured over:{" "}
            <a href={hrefOf("pages", { reason: page.outside.reason })}>
              {REASONS[page.outside.reason].name.toLowerCase()}
            </a>
            . If it counted, it could hold {atMostInWords(page.outside.mass)} of everything.
          </li>
        )}
        {page.missing !== null && (
          <li>
            {capitalised(atMostInWords(page.missing.mass))} is missing because of it. The reason:{" "}
            <a href={hrefOf("pages", { reason: page.missing.reason })}>
              {REASONS[page.missing.reason].name.toLowerCase()}
            </a>
            .
          </li>
        )}
      </ul>
    </Panel>
  );
}

function capitalised(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}

function boundsInWords(low: number, high: number): string {
  const most = `at most ${shareAtMost(high)}`;
  const always = "no matter what the unknown part of the web looks like";
  if (!isNegligible(low)) return `It has at least ${shareAtLeast(low)} and ${most} of all importance, ${always}.`;
  const amount = low === 0 ? "No" : "Almost no";
  return `${amount} share is proven for it. It has ${most} of all importance, ${always}.`;
}

function rankInWords({ place, isCertain }: NonNullable<PageDetail["place"]>): string {
  const rank = `It has rank ${formatCount(place)} among the downloaded pages`;
  return isCertain
    ? `${rank}, and that is certain.`
    : `${rank}, but that is not certain: the intervals of other pages overlap its own.`;
}
