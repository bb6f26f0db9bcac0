/** The part of the address that says what a list shows. */
import { hrefOf, type PlainView, replaceRoute, type Route } from "../router.ts";

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
