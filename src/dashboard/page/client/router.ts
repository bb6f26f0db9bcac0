/** Routes live in the fragment of the address, so that any of them can be bookmarked, shared and opened without asking the server. */
import { useEffect, useState } from "preact/hooks";

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
function replaceRoute(href: string): void {
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

/** Parameters; those that are undefined, null or empty are left out. */
export type Query = Readonly<Record<string, string | number | null | undefined>>;

export function pathOf(path: string, query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") given.set(name, String(value));
  }
  return given.size === 0 ? path : `${path}?${given}`;
}

type Change = Readonly<Record<string, string | null>>;

/** Parameters of the route that a view understands; a text for each, empty where it is not given. */
export function queryOf<Name extends string>(route: Route, names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, route.query.get(name) ?? ""])) as Record<Name, string>;
}

/** Changes some parameters. A choice is an entry in the history; what is typed is not, or every pause would be one. */
export function changeQuery(
  route: Route,
  change: Change,
  options: { readonly isTyped?: boolean } = {},
): void {
  const query = { ...Object.fromEntries(route.query), ...change };
  const href = hrefOf(route.view as PlainView, query);
  if (options.isTyped === true) replaceRoute(href);
  else location.hash = href;
}
