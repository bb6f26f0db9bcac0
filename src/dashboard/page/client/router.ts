/** Routes. They are in the fragment of the address, so each can be bookmarked, shared, and opened without a request. */
import { useEffect, useState } from "preact/hooks";

const viewNames = [
  "tide",
  "missing",
  "search",
  "pages",
  "page",
  "hosts",
  "findings",
  "frontier",
  "freshness",
  "log",
] as const;
export type ViewName = (typeof viewNames)[number] | "unknown";

/** Views that need no id. */
type PlainView = Exclude<ViewName, "page" | "unknown">;

export interface Route {
  readonly view: ViewName;
  /** The id of the page in its view; null in all other views. */
  readonly id: number | null;
  readonly query: URLSearchParams;
}

/** Parameters; those that are undefined, null or empty are left out. */
export type QueryValues = Readonly<Record<string, string | number | null | undefined>>;

export function pathOf(path: string, query: QueryValues = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") given.set(name, String(value));
  }
  return given.size === 0 ? path : `${path}?${given}`;
}

export function hrefOf(view: PlainView, query: QueryValues = {}): string {
  return pathOf(`#/${view === "tide" ? "" : view}`, query);
}

export function hrefOfPage(id: number): string {
  return `#/page/${id}`;
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

function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [name = "", id] = path.split("/", 2);
  const query = new URLSearchParams(search);
  if (name === "page" && id !== undefined && /^\d{1,15}$/.test(id)) {
    return { view: "page", id: Number(id), query };
  }
  const view = name === "" ? "tide" : viewNames.find((known) => known === name && known !== "page");
  return { view: view ?? "unknown", id: null, query };
}

/** The parameters that a view knows; an empty text for each that is not given. */
export function queryOf<Name extends string>(route: Route, names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, route.query.get(name) ?? ""])) as Record<Name, string>;
}

/** Changes some parameters. A choice becomes an entry in the history; typing does not, or every pause would be one. */
export function changeQuery(
  route: Route,
  change: Readonly<Record<string, string | null>>,
  options: { readonly isTyped?: boolean } = {},
): void {
  const query = { ...Object.fromEntries(route.query), ...change };
  const href = hrefOf(route.view as PlainView, query);
  if (options.isTyped !== true) {
    location.hash = href;
    return;
  }
  history.replaceState(null, "", href);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
