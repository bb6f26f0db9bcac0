/** Routes live in the fragment of the address, so that any of them can be bookmarked, shared and opened without asking the server. */
import { useEffect, useState } from "preact/hooks";

const viewNames = ["tide", "rest", "pages", "page", "hosts", "frontier", "log"] as const;
export type ViewName = (typeof viewNames)[number];

export interface Route {
  readonly view: ViewName;
  /** Of the page that is looked at; null in all other views. */
  readonly id: number | null;
  readonly query: URLSearchParams;
}

/** What cannot be understood leads to the tide. */
function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [name = "", rest] = path.split("/", 2);
  const query = new URLSearchParams(search);
  if (name === "page" && rest !== undefined && /^\d{1,15}$/.test(rest)) {
    return { view: "page", id: Number(rest), query };
  }
  const view = viewNames.find((known) => known === name && known !== "page");
  return { view: view ?? "tide", id: null, query };
}

/** The address of a view; parameters that are undefined, null or empty are left out. */
export function hrefOf(
  view: Exclude<ViewName, "page">,
  query: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") given.set(name, String(value));
  }
  const search = given.size === 0 ? "" : `?${given}`;
  return `#/${view === "tide" ? "" : view}${search}`;
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
