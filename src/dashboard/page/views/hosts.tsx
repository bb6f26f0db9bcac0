import type { VNode } from "preact";
import type { Route } from "../router.ts";

export function HostsView({ route }: { readonly route: Route }): VNode {
  return <h1>{route.view}</h1>;
}
