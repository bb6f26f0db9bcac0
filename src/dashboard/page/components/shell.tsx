/** What surrounds every view: name and state of the crawl, coverage, the ways to the views, and whether the server is heard. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { percentAtLeast } from "../../../base/index.ts";
import type { Overview } from "../../protocol/http.ts";
import { isUncounted, useLive } from "../client/live.ts";
import { hrefOf, type Route } from "../client/router.ts";
import { Waves } from "./parts.tsx";
import { stateWords, viewTitles } from "./words.ts";

const LINKS = ["tide", "rest", "pages", "hosts", "frontier", "log"] as const;

export function Shell({
  route,
  children,
}: {
  readonly route: Route;
  readonly children: ComponentChildren;
}): VNode {
  const { overview, connection } = useLive();
  const main = useRef<HTMLElement>(null);
  useNewView(route, main);
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
          <a class="brand" href={hrefOf("tide")} aria-label="Tidemark, to the tide">
            <Waves />
            <span>Tidemark</span>
          </a>
          {overview !== null && <Identity overview={overview} />}
        </div>
        <nav aria-label="Views">
          {LINKS.map((view) => (
            <a
              key={view}
              href={hrefOf(view)}
              {...(isCurrent(route, view) && { "aria-current": "page" as const })}
            >
              {view === "rest" ? "The rest" : viewTitles[view]}
            </a>
          ))}
        </nav>
      </header>
      <div class="notices" role="status">
        {connection === "lost" && (
          <p class="notice lost">Connection lost, trying again. What is shown was true when it broke.</p>
        )}
      </div>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <footer>
        <p>
          Coverage is rounded down wherever it is shown.
          {overview !== null && ` Tidemark ${overview.version}.`}
        </p>
      </footer>
    </>
  );
}

function Identity({ overview }: { readonly overview: Overview }): VNode {
  const words = stateWords(overview);
  return (
    <div class="identity">
      <p class="crawl-name" title={overview.name}>
        <bdi>{overview.name}</bdi>
      </p>
      <p class={`state state-${overview.state}`} title={words.sentence}>
        {words.label}
      </p>
      {!isUncounted(overview) && (
        <p class="standing">
          <span class="hidden">Covered at least: </span>
          {percentAtLeast(overview.status.coverage)}
        </p>
      )}
      <p class="hidden" aria-live="polite">
        {words.sentence}
      </p>
    </div>
  );
}

function isCurrent(route: Route, view: (typeof LINKS)[number]): boolean {
  return route.view === view || (route.view === "page" && view === "pages");
}

/** A new view begins at its top, and is where the keyboard goes on; the first one leaves the focus alone. */
function useNewView(route: Route, main: { readonly current: HTMLElement | null }): void {
  const shown = useRef<string | null>(null);
  const key = `${route.view}/${route.id ?? ""}`;
  useEffect(() => {
    if (shown.current !== null && shown.current !== key) {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    shown.current = key;
  }, [key]);
}
