/** One page: what it is worth and how certainly, what became of it, who brings its importance, and where that goes. */
import type { VNode } from "preact";
import { counted, formatBytes } from "../../../base/index.ts";
import type { PageDetail } from "../../protocol.ts";
import { useAsk } from "../api.ts";
import { Answered, CrawledLink, Empty, Moment, Panel } from "../components/parts.tsx";
import { StateBadge } from "../lists/cells.tsx";
import { sourceWords, stateSentences, stateVerbs } from "../lists/state-words.ts";
import { shown, shownInLine } from "../lists/texts.ts";
import { hrefOf, hrefOfPage, type Route } from "../router.ts";
import { PageImportance } from "./page-importance.tsx";
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
