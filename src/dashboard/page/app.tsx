/** The page: its entry, and the view for each route inside the shell. */
import { Component, type ComponentChildren, render, type VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { percentAtLeast } from "../../base/index.ts";
import type { Overview } from "../protocol/http.ts";
import { isUncounted, LiveConnection, LiveProvider, surveyProgress, useLive } from "./client/server.ts";
import { hrefOf, type Route, useRoute, type ViewName } from "./client/router.ts";
import { Empty, Panel, SurveyingView } from "./components/parts.tsx";
import { Shell, viewTitles } from "./components/shell.tsx";
import { FindingsView } from "./views/findings.tsx";
import { FreshnessView } from "./views/freshness.tsx";
import { FrontierView } from "./views/frontier.tsx";
import { HostsView } from "./views/hosts.tsx";
import { LogView } from "./views/log.tsx";
import { MissingView } from "./views/missing.tsx";
import { PageView } from "./views/page.tsx";
import { PagesView } from "./views/pages.tsx";
import { SearchView } from "./views/search.tsx";
import { TideView } from "./views/tide.tsx";

function App(): VNode {
  const route = useRoute();
  const { overview } = useLive();
  const title = titleOf(route, overview);
  // Before the view is painted: whoever sees it finds its title.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Shell route={route}>
      <ErrorBoundary key={`${route.view}/${route.id ?? ""}`}>
        <Content route={route} />
      </ErrorBoundary>
    </Shell>
  );
}

const VIEWS: Readonly<Record<ViewName, (props: { readonly route: Route }) => VNode>> = {
  tide: TideView,
  missing: MissingView,
  search: SearchView,
  pages: PagesView,
  page: PageView,
  hosts: HostsView,
  findings: FindingsView,
  frontier: FrontierView,
  freshness: FreshnessView,
  log: LogView,
  unknown: NoSuchView,
};
const NEED_NO_SURVEY: ReadonlySet<ViewName> = new Set(["tide", "freshness", "log", "unknown"]);

/** A view that needs the survey waits for it. */
function Content({ route }: { readonly route: Route }): VNode {
  const { overview, isUnreadable } = useLive();
  const View = VIEWS[route.view];
  if (overview === null && isUnreadable) {
    return (
      <Empty title="The server cannot read this crawl">
        <p>The terminal of the server shows why.</p>
      </Empty>
    );
  }
  if (NEED_NO_SURVEY.has(route.view)) return <View route={route} />;
  if (overview === null) return <p class="loading">Loading…</p>;
  const progress = surveyProgress(overview);
  return progress === null ? (
    <View route={route} />
  ) : (
    <SurveyingView title={viewTitles[route.view]} progress={progress} />
  );
}

/** Coverage first, so it is visible among many tabs. */
function titleOf(route: Route, overview: Overview | null): string {
  if (overview === null) return `${viewTitles[route.view]} · Tidemark`;
  const coverage = isUncounted(overview) ? [] : [percentAtLeast(overview.status.coverage)];
  return [...coverage, viewTitles[route.view], overview.name, "Tidemark"].join(" · ");
}

function NoSuchView(): VNode {
  return (
    <>
      <h1>{viewTitles.unknown}</h1>
      <Panel>
        <Empty title="This address does not exist">
          <p>
            There is no view <bdi>{location.hash.slice(0, 80)}</bdi>. Go to <a href={hrefOf("tide")}>the tide</a>, or to
            any other view.
          </p>
        </Empty>
      </Panel>
    </>
  );
}

type State = { readonly message: string | null };

/** An error in one view must not take down the whole page. */
class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, State> {
  override state: State = { message: null };

  static override getDerivedStateFromError(error: unknown): State {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ComponentChildren {
    const { message } = this.state;
    if (message === null) return this.props.children;
    return (
      <Empty title="This view could not be shown">
        <p>
          This is an error of the dashboard: {message}. The crawl is not affected. Reload the page. If the error stays,
          please report it.
        </p>
      </Empty>
    );
  }
}

const root = document.getElementById("app");
if (root !== null) {
  const live = new LiveConnection();
  live.open();
  render(
    <LiveProvider value={live}>
      <App />
    </LiveProvider>,
    root,
  );
}
