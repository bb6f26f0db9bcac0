/** The page's entry: one connection to the server, and the views that show what it tells. */
import { render } from "preact";
import { App } from "./app.tsx";
import { Live, LiveProvider } from "./live.ts";

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
