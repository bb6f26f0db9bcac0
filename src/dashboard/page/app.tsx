/** Which view is shown, inside the shell that all of them share. */
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Shell } from "./components/shell.tsx";
import { viewTitles } from "./components/words.ts";
import { useLive } from "./live.ts";
import { type Route, useRoute } from "./router.ts";
import { FrontierView } from "./views/frontier.tsx";
import { HostsView } from "./views/hosts.tsx";
import { LogView } from "./views/log.tsx";
import { PageView } from "./views/page.tsx";
import { PagesView } from "./views/pages.tsx";
import { RestView } from "./views/rest.tsx";
import { TideView } from "./views/tide.tsx";

export function App(): VNode {
  const route = useRoute();
  const { overview } = useLive();
  const name = overview?.name ?? "";
  useEffect(() => {
    document.title = [viewTitles[route.view], name, "Tidemark"].filter((part) => part !== "").join(" · ");
  }, [route.view, name]);
  return <Shell route={route}>{view(route)}</Shell>;
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
    default:
      return <TideView />;
  }
}
