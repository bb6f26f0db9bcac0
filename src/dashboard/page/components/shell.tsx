/** The frame of every view: the name and state of the crawl, its coverage, the navigation, and the connection. */
import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { percentAtLeast } from "../../../base/index.ts";
import { momentInWords, runInWords, runStateNames } from "../../../text/index.ts";
import type { Overview } from "../../protocol/http.ts";
import { isUncounted, useLive } from "../client/server.ts";
import { hrefOf, type Route, type ViewName } from "../client/router.ts";
import { Waves } from "./parts.tsx";

export const viewTitles: Readonly<Record<ViewName, string>> = {
  tide: "Tide",
  missing: "What is missing",
  search: "Search",
  pages: "Pages",
  page: "Page",
  hosts: "Hosts",
  findings: "Findings",
  frontier: "Frontier",
  freshness: "Freshness",
  log: "Log",
  unknown: "No such view",
};

const LINKS = ["tide", "missing", "search", "pages", "hosts", "findings", "frontier", "freshness", "log"] as const;

export function Shell({ route, children }: { readonly route: Route; readonly children: ComponentChildren }): VNode {
  const { overview, connection } = useLive();
  const main = useRef<HTMLElement>(null);
  const nav = useRef<HTMLElement>(null);
  useNewView(route, main);
  const links = LINKS.filter((view) => isOffered(view, overview));
  // A link that comes later moves the others.
  useLayoutEffect(() => showCurrent(nav.current), [route.view, links.length]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The fragment of the address belongs to the routes.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <div class="top-line">
          <a class="brand" href={hrefOf("tide")} aria-label="Tidemark, go to the tide">
            <Waves />
            <span>Tidemark</span>
          </a>
          {overview !== null && <Identity overview={overview} />}
        </div>
        <nav aria-label="Views" ref={nav}>
          {links.map((view) => (
            <a key={view} href={hrefOf(view)} {...(isCurrent(route, view) && { "aria-current": "page" as const })}>
              {view === "missing" ? "Missing" : viewTitles[view]}
            </a>
          ))}
        </nav>
      </header>
      <div class="notices" role="status">
        {overview?.asOfMs !== undefined && (
          <p class="notice">
            As it was known on {momentInWords(overview.asOfMs)}. The crawl has gone on since, and nothing here changes.
          </p>
        )}
        {connection === "lost" && (
          <p class="notice lost">Connection lost. Reconnecting… This page shows the last known state.</p>
        )}
      </div>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <footer>
        <p>
          Coverage is always rounded down.
          {overview !== null && ` Tidemark ${overview.version}.`}
        </p>
      </footer>
    </>
  );
}

function Identity({ overview }: { readonly overview: Overview }): VNode {
  const sentence = runInWords(overview);
  return (
    <div class="identity">
      <p class="crawl-name" title={overview.name}>
        <bdi>{overview.name}</bdi>
      </p>
      <p class={`state state-${overview.state}`} title={sentence}>
        {runStateNames[overview.state]}
      </p>
      {!isUncounted(overview) && (
        <p class="coverage-now">
          <span class="hidden">Covered at least: </span>
          {percentAtLeast(overview.status.coverage)}
        </p>
      )}
      <p class="hidden" aria-live="polite">
        {sentence}
      </p>
    </div>
  );
}

/** On a phone the links are wider than the window. Only they are scrolled, not the page. */
function showCurrent(nav: HTMLElement | null): void {
  const link = nav?.querySelector("[aria-current]")?.getBoundingClientRect();
  if (nav === null || link === undefined) return;
  const { left, right } = nav.getBoundingClientRect();
  nav.scrollLeft += Math.max(0, link.right - right) + Math.min(0, link.left - left);
}

/** Some views have nothing to show of most crawls. */
function isOffered(view: (typeof LINKS)[number], overview: Overview | null): boolean {
  if (view === "search") return overview?.searchable === true;
  return view !== "freshness" || overview?.state === "refreshing";
}

function isCurrent(route: Route, view: (typeof LINKS)[number]): boolean {
  return route.view === view || (route.view === "page" && view === "pages");
}

/** A new view starts at its top and gets the focus; the first one leaves the focus alone. */
function useNewView(route: Route, main: { readonly current: HTMLElement | null }): void {
  const shown = useRef<string | null>(null);
  const key = `${route.view}/${route.id ?? ""}`;
  useLayoutEffect(() => {
    if (shown.current !== null && shown.current !== key) {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    shown.current = key;
  }, [key]);
}
