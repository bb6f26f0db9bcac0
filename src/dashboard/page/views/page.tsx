/** One page: what it is worth and how certainly, what became of it, who brings its importance, and where that goes. */
import type { VNode } from "preact";
import { counted, formatBytes, formatCount } from "../../../base/index.ts";
import { REASONS, shareAtLeast, shareAtMost, shareFigure } from "../../../text/index.ts";
import type { PageDetail } from "../../protocol/http.ts";
import { useAsk } from "../client/api.ts";
import { hrefOf, hrefOfPage, type Route } from "../client/router.ts";
import { Answered, CrawledLink, Empty, Moment, Panel } from "../components/parts.tsx";
import { IntervalBar, StateBadge } from "../lists/cells.tsx";
import { isDust, onLogScale } from "../lists/shares.ts";
import { sourceWords, stateSentences, stateVerbs } from "../lists/state-words.ts";
import { shown, shownInLine } from "../lists/texts.ts";
import { PageLinks } from "./page-links.tsx";
import { Rereads, Visits } from "./page-visits.tsx";

export function PageView({ route }: { readonly route: Route }): VNode {
  const answer = useAsk<PageDetail>(`/api/pages/${route.id}`);
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
        <PageImportance page={page} />
        <WhatBecame page={page} />
        <PageLinks page={page} side="in" />
        <PageLinks page={page} side="out" />
        <Visits visits={page.visits} />
        <Rereads rereads={page.rereads} hasOlder={page.hasOlderRereads === true} />
      </div>
    </div>
  );
}

/** The address stands below, so it need not be said twice. */
function untitled({ state }: PageDetail): string {
  return state.startsWith("downloaded") ? "A page without a title" : `A URL that ${stateVerbs[state]}`;
}

function WhatBecame({ page }: { readonly page: PageDetail }): VNode {
  const facts: (readonly [name: string, value: VNode | string])[] = [
    ["Known as", sourceWords[page.source]],
    ["Depth", page.depth === 0 ? "a seed" : `${counted(page.depth, "link")} from a seed`],
  ];
  if (page.fetchedMs !== null) facts.push(["Fetched", <Moment atMs={page.fetchedMs} />]);
  if (page.contentType !== null) facts.push(["Type", <bdi>{shownInLine(page.contentType)}</bdi>]);
  if (page.bytes !== null) facts.push(["Size", formatBytes(page.bytes)]);
  return (
    <Panel
      title="What became of it"
      aside={<StateBadge outcome={page.state} status={page.status} reason={page.reason} />}
    >
      <p class="muted">{stateSentences[page.state]}</p>
      {page.target !== null && (
        <p class="target">
          It leads to{" "}
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

/** The interval that certainly contains the page's importance, as a bar and in words. */
/** Shares at which the scale is labelled. */
const TICKS = [
  [1e-8, "0.000001%"],
  [1e-6, "0.0001%"],
  [1e-4, "0.01%"],
  [1e-2, "1%"],
  [1, "100%"],
] as const;

function PageImportance({ page }: { readonly page: PageDetail }): VNode {
  const { low, high } = page.importance;
  return (
    <Panel title="Importance">
      <p class="worth">
        {isDust(low) ? (
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
        <figcaption class="hidden">{"A scale by powers of ten, from 0.000001% to 100%."}</figcaption>
      </figure>
      <ul class="sentences">
        <li>
          {isDust(low)
            ? `${low === 0 ? "Nothing" : "Next to nothing"} is certain to arrive here; it holds at most ${shareAtMost(high)} of all importance, whatever the unknown part of the web looks like.`
            : `It holds at least ${shareAtLeast(low)} of all importance, and at most ${shareAtMost(high)}, whatever the unknown part of the web looks like.`}
        </li>
        {page.place !== null && (
          <li>
            {page.place.isCertain
              ? `It is number ${formatCount(page.place.place)} among the downloaded pages, and that is certain.`
              : `It is number ${formatCount(page.place.place)} among the downloaded pages by what is known; pages whose intervals meet its own may change places with it.`}
          </li>
        )}
        {page.trust !== null && (
          <li>
            It is trusted: a surfer who starts again begins here with a chance of {shareFigure(page.trust)}.
          </li>
        )}
        {page.missing !== null && (
          <li>
            {shareFigure(page.missing.mass)} of all importance is missing because of it. It counts to{" "}
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
