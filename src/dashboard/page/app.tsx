/** Which view is shown, inside the shell that all of them share. */
import { Component, type ComponentChildren, render, type VNode } from "preact";
import { useEffect } from "preact/hooks";
import { percentAtLeast } from "../../base/index.ts";
import type { Overview } from "../protocol/http.ts";
import { isUncounted, Live, LiveProvider, surveyProgress, useLive } from "./client/live.ts";
import { hrefOf, type Route, useRoute, type ViewName } from "./client/router.ts";
import { Empty, Panel, Surveying } from "./components/parts.tsx";
import { Shell } from "./components/shell.tsx";
import { viewTitles } from "./components/words.ts";
import { FrontierView } from "./views/frontier.tsx";
import { HostsView } from "./views/hosts.tsx";
import { LogView } from "./views/log.tsx";
import { RestView } from "./views/missing.tsx";
import { PageView } from "./views/page.tsx";
import { PagesView } from "./views/pages.tsx";
import { TideView } from "./views/tide.tsx";

export function App(): VNode {
  const route = useRoute();
  const { overview, isUnreadable } = useLive();
  const title = titleOf(route, overview);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Shell route={route}>
      <ErrorBoundary key={`${route.view}/${route.id ?? ""}`}>
        {overview === null && isUnreadable ? (
          <Empty title="The server cannot read this crawl">
            <p>Its own messages, where it was started, say why.</p>
          </Empty>
        ) : NEED_NO_SURVEY.has(route.view) ? (
          view(route)
        ) : (
          <Surveyed route={route} overview={overview} />
        )}
      </ErrorBoundary>
    </Shell>
  );
}

const NEED_NO_SURVEY: ReadonlySet<ViewName> = new Set(["tide", "log", "unknown"]);

interface SurveyedProps {
  readonly route: Route;
  readonly overview: Overview | null;
}

/** Views that need the survey ask nothing before there is one. */
function Surveyed({ route, overview }: SurveyedProps): VNode {
  if (overview === null) return <p class="loading">Loading…</p>;
  const progress = surveyProgress(overview);
  if (progress === null) return view(route);
  return (
    <>
      <h1>{viewTitles[route.view]}</h1>
      <Panel>
        <Surveying progress={progress} />
      </Panel>
    </>
  );
}

/** Coverage first, for it is what one looks for among many tabs. */
function titleOf(route: Route, overview: Overview | null): string {
  if (overview === null) return `${viewTitles[route.view]} · Tidemark`;
  const coverage = isUncounted(overview) ? [] : [percentAtLeast(overview.status.coverage)];
  return [...coverage, viewTitles[route.view], overview.name, "Tidemark"].join(" · ");
}

function view(route: Route): VNode {
  switch (route.view) {
    case "rest":
      return <RestView route={route} />;
    case "pages":
      return <PagesView route={route} />;
    case "page":
      return <PageView route={route} />;
    case "hosts":
      return <HostsView route={route} />;
    case "frontier":
      return <FrontierView route={route} />;
    case "log":
      return <LogView route={route} />;
    case "unknown":
      return <NoSuchView />;
    default:
      return <TideView />;
  }
}

function NoSuchView(): VNode {
  return (
    <>
      <h1>There is no such view</h1>
      <Panel>
        <Empty title="This address leads nowhere">
          <p>
            Nothing is called <bdi>{location.hash.slice(0, 80)}</bdi> here. Go to{" "}
            <a href={hrefOf("tide")}>the tide</a>, or to any other view.
          </p>
        </Empty>
      </Panel>
    </>
  );
}

/** An error in one view must not take down the whole page. */
interface MishapProps {
  readonly children: ComponentChildren;
}

interface MishapState {
  readonly message: string | null;
}

export class ErrorBoundary extends Component<MishapProps, MishapState> {
  override state: MishapState = { message: null };

  static override getDerivedStateFromError(error: unknown): MishapState {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ComponentChildren {
    const { message } = this.state;
    if (message === null) return this.props.children;
    return (
      <Empty title="This view could not be shown">
        <p>
          It is a mistake of the dashboard, not of the crawl, which is not touched by it: {message}. Load the
          page again; if it stays, please report it.
        </p>
      </Empty>
    );
  }
}

const root = document.getElementById("app");
if (root !== null) {
  const live = new Live();
  live.open();
  render(
    <LiveProvider value={live}>
      <App />
    </LiveProvider>,
    root,
  );
}
