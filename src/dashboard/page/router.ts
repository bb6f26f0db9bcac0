/** Routes live in the fragment of the address, so that any of them can be bookmarked, shared and opened without asking the server. */
import { useEffect, useState } from "preact/hooks";
import { pathOf, type Query } from "./paths.ts";

const viewNames = ["tide", "rest", "pages", "page", "hosts", "frontier", "log"] as const;
export type ViewName = (typeof viewNames)[number] | "unknown";

/** Views that are named by a word alone. */
export type PlainView = Exclude<ViewName, "page" | "unknown">;

export interface Route {
  readonly view: ViewName;
  /** Of the page that is looked at; null in all other views. */
  readonly id: number | null;
  readonly query: URLSearchParams;
}

function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [name = "", rest] = path.split("/", 2);
  const query = new URLSearchParams(search);
  if (name === "page" && rest !== undefined && /^\d{1,15}$/.test(rest)) {
    return { view: "page", id: Number(rest), query };
  }
  const view = name === "" ? "tide" : viewNames.find((known) => known === name && known !== "page");
  return { view: view ?? "unknown", id: null, query };
}

/** The address of a view. */
export function hrefOf(view: PlainView, query: Query = {}): string {
  return pathOf(`#/${view === "tide" ? "" : view}`, query);
}

export function hrefOfPage(id: number): string {
  return `#/page/${id}`;
}

/** Changes the address without a new entry in the history: for filters that change with every key. */
export function replaceRoute(href: string): void {
  history.replaceState(null, "", href);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return parseRoute(hash);
}
